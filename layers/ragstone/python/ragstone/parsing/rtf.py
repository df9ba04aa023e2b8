"""RTF by striprtf: paragraphs, lists and the rows of tables; styles, and with them headings, are lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, cast

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.encoding import decode
from ragstone.parsing.lines import is_list_item
from ragstone.parsing.registry import parsers
from ragstone.parsing.tables import has_header, row_lines
from ragstone.types import BlockKind, ParsedDocument

_CELL_END = "|"
_FAULTS = (LookupError, OverflowError, TypeError, ValueError)
"""What striprtf raises on numbers and code pages that make no sense."""


@parsers.register(media.RTF)
def parse_rtf(content: bytes, *, source: str) -> ParsedDocument:
    """Read an RTF document; each of its paragraphs is one line of what striprtf makes of it."""
    from striprtf import striprtf

    try:
        stripped = str(cast("Any", striprtf).rtf_to_text(decode(content).text, errors="ignore"))
    except _FAULTS as error:
        raise Rejected("damaged", f"{source} is damaged; save it as .docx and upload that.") from error
    builder = DocumentBuilder(media.RTF, "striprtf")
    for kind, lines in groupby(_paired(stripped).split("\n"), key=_kind_of):
        if kind is BlockKind.TABLE:
            builder.block("\n".join(_rows(list(lines))), kind=kind)
        else:
            for number, line in enumerate(lines):
                goes_on = number > 0 and kind is BlockKind.LIST
                builder.block(line.replace("\t", " ", 1), joint=LINE if goes_on else PARAGRAPH, kind=kind)
    return builder.build()


def _paired(text: str) -> str:
    """Characters beyond the first plane, which RTF writes as two halves, as one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _kind_of(line: str) -> BlockKind:
    if line.rstrip().endswith(_CELL_END):
        return BlockKind.TABLE
    return BlockKind.LIST if is_list_item(line) else BlockKind.PARAGRAPH


def _rows(lines: Sequence[str]) -> Iterator[str]:
    rows = [line.rstrip().removesuffix(_CELL_END).split(_CELL_END) for line in lines]
    return row_lines(rows[1:], rows[0]) if has_header(rows) else row_lines(rows)
