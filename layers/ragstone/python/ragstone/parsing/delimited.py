"""CSV and TSV: each row a line that names its columns, whatever the dialect, and no row lost."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.encoding import decode
from ragstone.parsing.registry import parsers
from ragstone.parsing.tables import has_header, row_line, row_lines
from ragstone.parsing.wording import numbers_named
from ragstone.types import BlockKind, ParsedDocument

_DELIMITERS = ",;\t|"
_NO_DELIMITER = "\x1f"
_SAMPLE_ROWS = 50
_SAMPLE_CHARACTERS = 20_000
_LONGEST_FIELD = 2**31 - 1


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's cells and the line of the file on which it begins, from 1."""

    line: int
    cells: list[str]


@parsers.register(media.CSV, media.TSV)
def parse_delimited(content: bytes, *, source: str) -> ParsedDocument:
    """Read rows with any of the delimiters comma, semicolon, tab and pipe; the first row names the columns.

    Rows that are shorter or longer than the first are kept and named in a warning, as is a quote that never ends.
    """
    decoded = decode(content)
    media_type = media.by_name(source) or media.CSV
    builder = DocumentBuilder(media_type, "csv", warnings=decoded.warnings)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    delimiter = "\t" if media_type == media.TSV and "\t" in text else _delimiter(text)
    rows = _rows(text, delimiter, builder.warnings)
    width = _usual_width(rows)
    titles = list(takewhile(lambda row: len(row.cells) == 1 < width, rows))
    table = rows[len(titles) :]
    builder.warnings.extend(_ragged(table))
    builder.block("\n".join(row_line(row.cells) for row in titles))
    builder.block("\n".join(_lines([row.cells for row in table])), kind=BlockKind.TABLE)
    return builder.build()


def _lines(cells: Sequence[list[str]]) -> Iterator[str]:
    headed = len(cells) == 1 or has_header(cells)
    return row_lines(cells[1:], cells[0]) if headed else row_lines(cells)


def _delimiter(text: str) -> str:
    """The delimiter that cuts most rows of the beginning into the same number of cells, more than one if it can."""
    sample = text[:_SAMPLE_CHARACTERS].rpartition("\n")[0] or text[:_SAMPLE_CHARACTERS]
    agreement = {delimiter: _agreement(list(_head(sample, delimiter))) for delimiter in _DELIMITERS}
    best = max(agreement, key=lambda delimiter: agreement[delimiter])
    return best if agreement[best] > (0, 0) else _NO_DELIMITER


def _agreement(rows: Sequence[_Row]) -> tuple[float, int]:
    """The share of rows with the usual number of cells, and that number; nothing where that is one."""
    width = _usual_width(rows)
    share = sum(len(row.cells) == width for row in rows) / max(len(rows), 1)
    return (share, width) if width > 1 else (0, 0)


def _usual_width(rows: Sequence[_Row]) -> int:
    counted = Counter(len(row.cells) for row in rows)
    return max(counted, key=lambda width: (counted[width], width), default=1)


def _head(sample: str, delimiter: str) -> Iterator[_Row]:
    for count, row in enumerate(_read(sample, delimiter)):
        if count == _SAMPLE_ROWS:
            return
        yield row


def _rows(text: str, delimiter: str, warnings: list[str]) -> list[_Row]:
    """All rows; if a quote swallows the rest of the file, that rest is read again without quotes."""
    rows = list(_read(text, delimiter))
    if text.count('"') % 2 == 0 or not rows or "\n" not in "".join(rows[-1].cells):
        return rows
    begun = rows.pop().line
    warnings.append(f"The quote that begins in line {begun} never ends; from there on each line was read as a row.")
    rest = "\n".join(text.split("\n")[begun - 1 :])
    again = _read(rest, delimiter, quoted=False)
    return [*rows, *(_Row(begun + row.line - 1, [cell.strip('"') for cell in row.cells]) for row in again)]


def _read(text: str, delimiter: str, *, quoted: bool = True) -> Iterator[_Row]:
    csv.field_size_limit(_LONGEST_FIELD)  # the default of 128 KiB would make the longest cells an error
    quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    lines = io.StringIO(text.replace("\0", ""), newline="")
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, skipinitialspace=True)
    line = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield _Row(line, cells)
        line = reader.line_num + 1


def _ragged(rows: Sequence[_Row]) -> Iterator[str]:
    if not rows:
        return
    width = len(rows[0].cells)
    odd = [row.line for row in rows if len(row.cells) != width]
    if odd:
        counted = "1 row doesn't" if len(odd) == 1 else f"{len(odd)} rows don't"
        yield f"{counted} have {width} cells as the first row does ({numbers_named('line', odd)}); all cells were kept."
