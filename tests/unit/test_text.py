from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text import find_quote, normalised, sentences, words


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 25. The ferry waits.", ["It costs 25.", "The ferry waits."]),
        ("The fare is 2.50 kr. per zone, e.g. Zone A. Next.", ["The fare is 2.50 kr. per zone, e.g. Zone A.", "Next."]),
        ("Am 3. Mai fährt sie nicht, z. B. wegen Nr. 4.", ["Am 3. Mai fährt sie nicht, z. B. wegen Nr. 4."]),
        ("1. Do this. 2. Do that.", ["1. Do this.", "2. Do that."]),
        ("Depot: North | Trams: 14\nDepot: South | Trams: 9", ["Depot: North | Trams: 14", "Depot: South | Trams: 9"]),
        ("He asked “why?” Nobody knew!", ["He asked “why?”", "Nobody knew!"]),
        ("船は火曜日だけ。切符は要らない。", ["船は火曜日だけ。", "切符は要らない。"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n。\"'(z"), max_size=80))
def test_sentences_cover_all_but_white_space(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("open  past\nmidnight", "stays open past midnight.", "open past midnight"),
        ("“Mallard”", 'the word "Mallard" means', '"Mallard"'),
        ("3-4 knots", "at 3–4 KNOTS only", "3–4 KNOTS"),
        ("für Elise", "Fu\u0308r Elise", "Fu\u0308r Elise"),
        ("ﬁfty", "exactly fifty", "fifty"),
        ("切符", "その切符は", "切符"),
    ],
)
def test_a_quotation_is_found_whatever_its_typography(quote: str, text: str, found: str) -> None:
    span = find_quote(quote, text)
    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [("costs 1", "it costs 12 tallies"), ("cat", "concatenate"), ("Fu", "Für"), ("not open", "open"), ("", "x")],
)
def test_words_that_are_not_there_are_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


@given(st.text(max_size=60), st.data())
def test_any_run_of_whole_words_is_found_at_its_own_words(text: str, data: st.DataObject) -> None:
    tokens = text.split()
    if not tokens:
        return
    first = data.draw(st.integers(0, len(tokens) - 1))
    last = data.draw(st.integers(first, len(tokens) - 1))
    quote = " ".join(tokens[first : last + 1])
    span = find_quote(quote, text)
    assert span is not None
    assert find_quote(quote, text[span.start : span.end]) is not None


def test_words_are_folded() -> None:
    assert words("Über Straßen-Bahn, the CAFÉ's 2.50!") == ["uber", "strassen-bahn", "the", "cafe's", "2.50"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ﾅｲﾄ １２ ﬁnal x²", "ナイト 12 final x2"),
        ("light\u00adhouse \u200blamp\ufeff", "lighthouse lamp"),
        ("a\x00b \ud800c", "ab c"),
        ("Fu\u0308r\xa0uns", "Für uns"),
        ("Acme™", "Acme "),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_text_is_normalised_for_search(text: str, expected: str) -> None:
    assert normalised(text) == expected


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_normalised_text_can_be_written_and_stays_as_it_is(text: str) -> None:
    once = normalised(text)
    assert once.encode().decode() == once
    assert normalised(once) == once
