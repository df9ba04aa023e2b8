"""The little markup of the sample sources: headings, paragraphs and tables, separated by blank lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is a chapter."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the header row first."""

    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Table


def read_blocks(source: str) -> Iterator[Block]:
    """Yield the blocks of a source in order."""
    for block in source.strip().split("\n\n"):
        yield _block(block.strip())


def _block(text: str) -> Block:
    if text.startswith("#"):
        marks, _, title = text.partition(" ")
        return Heading(title, len(marks))
    if text.startswith("|"):
        header, _, *rows = text.splitlines()
        return Table(tuple(_cells(row) for row in (header, *rows)))
    return Paragraph(" ".join(text.split()))


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.strip("|").split("|"))
