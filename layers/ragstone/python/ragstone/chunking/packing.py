"""Putting small pieces together until a chunk is full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ragstone.text import Span


def pack(pieces: Iterable[Span], *, size: int, overlap: int, length: Callable[[int, int], int]) -> Iterator[Span]:
    """Runs of consecutive pieces no longer than `size`; each begins with the last pieces before it that fit `overlap`.

    `length` measures a stretch; a run's is the sum of its parts'. A piece that is longer alone goes alone.
    """
    held: list[Span] = []
    total = 0
    for piece in pieces:
        total += length(held[-1].end if held else piece.start, piece.end)
        if held and total > size:
            yield Span(held[0].start, held[-1].end)
            held = _shared(held, piece, size=size, overlap=overlap, length=length)
            total = length(held[0].start if held else piece.start, piece.end)
        held.append(piece)
    if held:
        yield Span(held[0].start, held[-1].end)


def _shared(held: list[Span], piece: Span, *, size: int, overlap: int, length: Callable[[int, int], int]) -> list[Span]:
    """The last pieces that fit the overlap, and the size together with the next piece."""
    first = len(held)
    while (
        first > 0
        and length(held[first - 1].start, held[-1].end) <= overlap
        and length(held[first - 1].start, piece.end) <= size
    ):
        first -= 1
    return held[first:]
