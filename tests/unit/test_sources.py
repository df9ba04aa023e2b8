from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InvalidQuery
from ragstone.sources import LONGEST, check_sources, fault_of, is_document
from ragstone.types import INBOX, SIDECAR_SUFFIX

GOOD = [
    "a",
    "a/b.pdf",
    "a//b",
    ".hidden",
    "a/..b",
    "a...",
    "Fährordnung für alle.pdf",
    "渡し船 👨‍👩‍👧.txt",
    "a+b&c=d%20.txt",
]


@pytest.mark.parametrize("source", GOOD)
def test_what_may_be_a_document_s_name(source: str) -> None:
    assert fault_of(source) is None
    assert is_document(INBOX + source)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "is empty"),
        ("/a", "begins with a slash"),
        ("a/", "names a folder"),
        ("a.pdf.metadata.json", "names a sidecar"),
        ("..", "'.' or '..'"),
        ("../a", "'.' or '..'"),
        ("a/../b", "'.' or '..'"),
        ("a/..", "'.' or '..'"),
        ("./a", "'.' or '..'"),
        ("a\0b", "can't be shown"),
        ("a\nb", "can't be shown"),
        ("a\ud800", "can't be shown"),
        ("é" * 501, "more than 1000 bytes"),
    ],
)
def test_what_may_not_says_why(source: str, words: str) -> None:
    assert words in (fault_of(source) or "")
    with pytest.raises(InvalidQuery) as caught:
        check_sources(["fine.txt", source])
    assert caught.value.code == "bad_source"
    assert str(caught.value) == f"{source!r} {fault_of(source)}"


def test_the_longest_name_leaves_room_for_its_sidecar() -> None:
    assert fault_of("é" * 500) is None
    assert len((INBOX + "x" * LONGEST + SIDECAR_SUFFIX).encode()) <= 1_024


@given(st.text(st.characters(exclude_categories=())))
def test_every_name_is_judged(source: str) -> None:
    if fault_of(source) is None:
        assert is_document(INBOX + source)
        assert INBOX + source == (INBOX + source).encode().decode()


@pytest.mark.parametrize("key", ["inbox/", "inbox/a/", "inbox/a.pdf.metadata.json", "reports/a.pdf", "a", ""])
def test_other_keys_are_no_documents(key: str) -> None:
    assert not is_document(key)
