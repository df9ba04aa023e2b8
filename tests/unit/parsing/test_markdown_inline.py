from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.markdown_inline import plain


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        (
            "**bold** and *thin* and ***both*** and __b__ and _t_ and ~~gone~~",
            "bold and thin and both and b and t and gone",
        ),
        ("**bold with *thin* in it**", "bold with thin in it"),
        ("snake_case_name and 2 * 3 * 4 and f(*args)", "snake_case_name and 2 * 3 * 4 and f(*args)"),
        ("`code_with_*marks*` and ``a`b``", "code_with_*marks* and ``a`b``"),
        ("*emphasised `code`*", "emphasised code"),
        ('[words](http://x.org/a_(b) "title") and [words][ref] and [plain]', "words and words and [plain]"),
        ("![alt text](image.png) in [![badge](b.svg)](http://x.org)", "alt text in badge"),
        ("<https://example.org> and <b>bold</b> <!-- hidden --> end", "https://example.org and bold  end"),
        (r"\*not thin\* and 5 \< 6 &amp; more&hellip;", "*not thin* and 5 < 6 & more…"),
        ("claim[^1] and price*", "claim and price*"),
    ],
)
def test_marks_go_and_words_stay(marked: str, shown: str) -> None:
    assert plain(marked) == shown


@given(st.text("ab`*_[]()<>!\\~ \n", max_size=60))
def test_any_marks_give_text(marked: str) -> None:
    assert len(plain(marked)) <= len(marked)


@pytest.mark.parametrize("piece", ["`", "*a ", "[", "](", "<", "_a", "~~", "``a`", "\\", "![", "<!--", "--><!--"])
def test_many_unbalanced_marks_take_no_time(piece: str) -> None:
    assert isinstance(plain(piece * 50_000), str)
