"""Chunks that overlap or touch, put together to one whose text is the document's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ragstone.types import Chunk


def runs(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    """One document's chunks in order, cut wherever some of its text, if only white space, lies between two."""
    run: list[Chunk] = []
    end = 0
    for chunk in sorted(chunks, key=lambda chunk: (chunk.char_from, chunk.ordinal)):
        if run and chunk.char_from > end:
            yield run
            run = []
        end = chunk.char_to if not run else max(end, chunk.char_to)
        run.append(chunk)
    if run:
        yield run


def joined(run: Sequence[Chunk], found: Chunk) -> Chunk:
    """The whole of a run, under the id of the chunk that was found in it; its pages are those of all."""
    text, last = run[0].text, run[0]
    breaks = [*run[0].page_breaks]
    for chunk in run[1:]:
        if chunk.char_to > last.char_to:
            text += chunk.text[last.char_to - chunk.char_from :]
            breaks += _further_breaks(last, chunk)
            last = chunk
    return replace(
        found,
        text=text,
        char_from=run[0].char_from,
        char_to=last.char_to,
        page_from=run[0].page_from,
        page_to=last.page_to,
        page_breaks=tuple(breaks),
    )


def _further_breaks(last: Chunk, chunk: Chunk) -> Iterator[int]:
    """Where pages begin after the end of `last`, or right there."""
    if last.page_to is not None and chunk.page_from is not None:
        yield from [chunk.char_from] * (chunk.page_from - last.page_to)
    yield from (start for start in chunk.page_breaks if start >= last.char_to)
