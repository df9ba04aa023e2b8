from __future__ import annotations

from ragstone.chunking.packing import pack
from ragstone.text import Span


def packed(*pieces: tuple[int, int], size: int, overlap: int = 0) -> list[tuple[int, int]]:
    spans = (Span(*piece) for piece in pieces)
    return [
        (start, end) for start, end in pack(spans, size=size, overlap=overlap, length=lambda start, end: end - start)
    ]


def test_pieces_go_together_with_the_gaps_between_them() -> None:
    assert packed((0, 4), (6, 10), (12, 16), size=10) == [(0, 10), (12, 16)]
    assert packed((0, 4), (7, 11), size=10) == [(0, 4), (7, 11)]


def test_runs_share_whole_pieces_that_fit_the_overlap() -> None:
    assert packed((0, 4), (4, 8), (8, 12), (12, 16), size=12, overlap=4) == [(0, 12), (8, 16)]
    assert packed((0, 4), (4, 8), (8, 12), (12, 16), size=12, overlap=3) == [(0, 12), (12, 16)]


def test_what_is_shared_leaves_room_for_the_next_piece() -> None:
    assert packed((0, 6), (6, 10), (10, 18), size=10, overlap=4) == [(0, 10), (10, 18)]


def test_a_piece_that_is_too_long_goes_alone() -> None:
    assert packed((0, 4), (4, 30), (30, 34), size=10) == [(0, 4), (4, 30), (30, 34)]


def test_nothing_packs_to_nothing() -> None:
    assert packed(size=10) == []
