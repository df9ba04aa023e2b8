"""`ragstone parse --tree`: a file's sections as an outline, with their pages and what they are made of."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ragstone.errors import Rejected
from ragstone.ingestion.chunks import page_at
from ragstone.parsing.isolated import Limits, parse_isolated
from ragstone.types import BlockKind, ParsedDocument


def run(path: Path) -> int:
    """Print the tree of one file; 1 if it was rejected, else 0."""
    try:
        document = parse_isolated(path.read_bytes(), source=path.name, limits=Limits())
    except Rejected as rejected:
        sys.stdout.write(f"{path}: rejected, {rejected.code}: {rejected}\n")
        return 1
    sys.stdout.write("\n".join(tree_lines(document, path.name)) + "\n")
    return 0


def tree_lines(document: ParsedDocument, name: str) -> Iterator[str]:
    """The title with what stands before the first section, then a line for each section, indented by its depth."""
    first = document.sections[0].start if document.sections else len(document.text)
    yield f"{document.title or name}{_content(document, 0, first)}"
    for section in document.sections:
        yield f"{'  ' * len(section.path)}{section.title}{_content(document, section.start, section.end)}"


def _content(document: ParsedDocument, start: int, end: int) -> str:
    """ " (pages 3 to 4; 2 paragraphs, 1 table)", of what stands in `[start, end)`."""
    kinds = Counter(block.kind for block in document.blocks if start <= block.start < end)
    del kinds[BlockKind.HEADING]
    counted = ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in kinds.items())
    shown = "; ".join(filter(None, (_pages(document, start, end) if end > start else "", counted)))
    return f" ({shown})" if shown else ""


def _pages(document: ParsedDocument, start: int, end: int) -> str:
    first, last = page_at(document.pages, start), page_at(document.pages, end - 1)
    if first is None:
        return ""
    return f"page {first}" if first == last else f"pages {first} to {last}"
