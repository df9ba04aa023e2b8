from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.cleaning import clean, garbled_share, one_line

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("speci\x00c", "specic"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("pass\u200bword ro\xadom 12\u2060.", "password room 12."),
        ("\ufb01nal o\ufb03ce", "final office"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("4\u202f€\xa0each", "4 € each"),
        ("\uf0b7 Wingdings bullet", "• Wingdings bullet"),
        ("\uf0a8 one\n\uf0fc two \uf0fc", "• one\n• two \uf0fc"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("x\u00b2 ½", "x\u00b2 ½"),
    ],
)
def test_text_loses_only_what_nobody_sees(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_joiners_stay_where_they_change_how_a_word_is_written() -> None:
    persian, family = "می\u200cخواهم", "👨\u200d👩\u200d👧"
    assert clean(persian) == persian
    assert clean(family) == family
    assert clean("pass\u200cword") == "password"


@given(ANY_TEXT)
def test_clean_text_can_be_stored_and_cleaning_it_again_changes_nothing(raw: str) -> None:
    cleaned = clean(raw)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert "\ufeff" not in cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert clean(cleaned) == cleaned


@given(st.text("aäé ß.,-1€漢\n\t"))
def test_ordinary_text_keeps_every_character(text: str) -> None:
    assert clean(text) == unicodedata.normalize("NFC", text)


def test_one_line_squeezes_all_white_space() -> None:
    assert one_line("  a \n\t b\xa0 c ") == "a b c"


def test_garbled_share_counts_characters_without_a_meaning() -> None:
    assert garbled_share("") == 0.0
    assert garbled_share("plain text") == 0.0
    assert garbled_share("ab \ue052\ue065") == 0.5
    assert garbled_share("(cid:12)(cid:13)") == pytest.approx(2 / 16)
    assert garbled_share("\uf0b7 a bullet is no garbage") == 0.0
