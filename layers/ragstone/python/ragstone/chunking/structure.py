"""What a document is made of, as chunkers see it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, takewhile

from ragstone.chunking.graphemes import is_one_cluster
from ragstone.types import Block, BlockKind, ParsedDocument

BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
LEADS = (BlockKind.HEADING, BlockKind.CAPTION)


def blocks_between(document: ParsedDocument, start: int, end: int) -> Iterator[Block]:
    """The document's own blocks that reach into `[start, end)`, whole."""
    first = bisect_right(document.blocks, start, key=lambda block: block.end)
    blocks = (document.blocks[number] for number in range(first, len(document.blocks)))
    return takewhile(lambda block: block.start < end, blocks)


def blocks_in(document: ParsedDocument, start: int, end: int) -> Iterator[Block]:
    """The blocks in `[start, end)`, cut to it; text outside of any block comes as paragraphs between blank lines."""
    position = start
    for block in blocks_between(document, start, end):
        first, last = max(block.start, start), min(block.end, end)
        yield from paragraphs(document.text, position, first)
        yield from _block(document.text, block.kind, first, last)
        position = last
    yield from paragraphs(document.text, position, end)


def paragraphs(text: str, start: int, end: int) -> Iterator[Block]:
    """What stands between blank lines, without white space at its ends."""
    for gap in BLANK_LINES.finditer(text, start, end):
        yield from _block(text, BlockKind.PARAGRAPH, start, gap.start())
        start = gap.end()
    yield from _block(text, BlockKind.PARAGRAPH, start, end)


def rows(text: str, start: int, end: int) -> Iterator[Block]:
    """A table's rows: its lines, without white space at their ends."""
    while start < end:
        newline = text.find("\n", start, end)
        stop = end if newline < 0 else newline
        yield from _block(text, BlockKind.TABLE, start, stop)
        start = stop + 1


def with_leads(blocks: Iterable[Block], fits: Callable[[int, int], bool]) -> Iterator[Block]:
    """Headings and captions joined to the block that they introduce, where both fit together."""
    lead: Block | None = None
    for block in blocks:
        joined = block if lead is None else Block(block.kind, lead.start, block.end)
        if lead is not None and not fits(joined.start, joined.end):
            yield lead
            joined = block
        lead = joined if block.kind in LEADS else None
        if lead is None:
            yield joined
    if lead is not None:
        yield lead


def runs(blocks: Iterable[Block]) -> Iterator[Block]:
    """Tables one by one, and what stands between two of them as one block."""
    for is_table, group in groupby(blocks, key=lambda block: block.kind is BlockKind.TABLE):
        members = list(group)
        yield from members if is_table else [Block(BlockKind.PARAGRAPH, members[0].start, members[-1].end)]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without white space at its ends, unless a mark stands on it; an empty one lies at its end."""
    first, last = start, end
    while first < last and text[first].isspace():
        first += 1
    while first < last and text[last - 1].isspace():
        last -= 1
    if start < first < last and is_one_cluster(text, first - 1):
        first -= 1
    if first < last < end and is_one_cluster(text, last - 1):
        last += 1
    return first, last


def _block(text: str, kind: BlockKind, start: int, end: int) -> Iterator[Block]:
    start, end = trimmed(text, start, end)
    if start < end:
        yield Block(kind, start, end)
