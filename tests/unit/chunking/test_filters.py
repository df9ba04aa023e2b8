from __future__ import annotations

import pytest

from ragstone.chunking import ChunkSpan
from ragstone.chunking.filters import KEEP_ALL, ChunkFilters
from ragstone.settings import Settings
from ragstone.types import ChunkKind

LONG = "A text of twenty and more characters."
CONTENTS = "1 Introduction ........ 3\n2 Fares ............ 17\n"


def dropped(*texts: str | tuple[str, ChunkKind], filters: ChunkFilters | None = None) -> list[bool]:
    spans: list[ChunkSpan] = []
    whole = ""
    for given in texts:
        text, kind = given if isinstance(given, tuple) else (given, ChunkKind.TEXT)
        spans.append(ChunkSpan(len(whole), len(whole) + len(text), kind=kind))
        whole += text
    return [span.is_dropped for span in (filters or ChunkFilters()).mark(whole, spans)]


def test_chunks_under_twenty_characters_are_dropped() -> None:
    assert dropped(LONG, "x" * 19, "x" * 20) == [False, True, False]


@pytest.mark.parametrize(
    ("text", "is_dropped"),
    [
        (CONTENTS, True),
        ("Einleitung……………………… 5", True),
        ("Chapter one . . . . . . . . . 12", True),
        ("." * 15 + "x" * 85, False),
        ("." * 16 + "x" * 84, True),
        ("0.1 0.2 0.3 .4 .5 .6 .7 .8 .9", False),
        ("192.168.0.1 and 10.0.0.1 and 127.0.0.1", False),
    ],
)
def test_chunks_of_dots_are_dropped_but_decimal_points_are_none(text: str, is_dropped: bool) -> None:
    assert dropped(LONG, text) == [False, is_dropped]


def test_rows_and_tables_are_records_however_short() -> None:
    assert dropped(LONG, ("a: 1", ChunkKind.ROW), ("a: 2\na: 3", ChunkKind.TABLE)) == [False, False, False]


def test_a_document_keeps_its_chunks_if_it_would_lose_them_all() -> None:
    assert dropped("twelve chars", "short") == [False, False]
    assert dropped(CONTENTS) == [False]


def test_a_parent_goes_when_all_of_its_fragments_go() -> None:
    text = LONG + "." * 80
    parent = ChunkSpan(0, 100, kind=ChunkKind.PARENT)
    lone = ChunkSpan(0, len(LONG))
    spans = [lone, parent, ChunkSpan(40, 70, parent=1), ChunkSpan(70, 100, parent=1)]
    assert [span.is_dropped for span in ChunkFilters().mark(text, spans)] == [False, True, True, True]
    spans = [parent, ChunkSpan(0, len(LONG), parent=0), ChunkSpan(40, 100, parent=0)]
    assert [span.is_dropped for span in ChunkFilters().mark(text, spans)] == [False, False, True]


def test_the_filters_can_be_turned_off() -> None:
    assert dropped(LONG, "x", CONTENTS, filters=KEEP_ALL) == [False, False, False]
    settings = Settings(index_url="-", min_chunk_characters=0, max_dot_share=1)
    assert ChunkFilters.from_settings(settings) == KEEP_ALL
    assert ChunkFilters.from_settings(Settings(index_url="-")) == ChunkFilters()
