"""Plain text: encodings found out, hard-wrapped lines joined to paragraphs, form feeds taken as page breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.cleaning import clean
from ragstone.parsing.encoding import decode
from ragstone.parsing.lines import Line, is_list_item, reflow
from ragstone.parsing.registry import parsers
from ragstone.types import BlockKind, ParsedDocument

_COLUMNS = re.compile(r"\t| {3}|(?<![.!?:;,]) {2}")
"""Space that sets cells apart; two spaces after a full stop are a typist's habit."""


@parsers.register(media.TEXT)
def parse_text(content: bytes, *, source: str) -> ParsedDocument:
    """Read plain text; it has pages only if it has form feeds."""
    decoded = decode(content)
    builder = DocumentBuilder(media.TEXT, "text", warnings=decoded.warnings)
    pages = decoded.text.rstrip().replace("\r\n", "\n").split("\f")
    lines = [line for number, page in enumerate(pages, start=1) for line in _lines(page, number)]
    begun = 0
    for (joint, line, text), kind in zip(reflow(lines), _kinds(lines), strict=True):
        while len(pages) > 1 and begun < (line.page or 0):
            begun += 1
            builder.page(begun)
        builder.block(text, joint=joint, kind=kind)
    return builder.build()


def _kinds(lines: Sequence[Line]) -> Iterator[BlockKind]:
    """What each line is part of: two lines in columns are a table, one is not."""
    for in_columns, group in groupby(lines, key=lambda line: line.row):
        run = list(group)
        for line in run:
            if in_columns and len(run) > 1:
                yield BlockKind.TABLE
            else:
                yield BlockKind.LIST if is_list_item(line.text) else BlockKind.PARAGRAPH


def _lines(page: str, number: int) -> Iterator[Line]:
    gap = False
    for text in clean(page).split("\n"):
        if text.strip():
            yield Line(text, number, gap=gap, row=_COLUMNS.search(text.strip()) is not None)
        gap = not text.strip()
