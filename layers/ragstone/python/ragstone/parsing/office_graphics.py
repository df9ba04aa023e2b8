"""Charts and diagrams in Office files, by the data behind the drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.elements import Element
from ragstone.parsing.office_package import PackagePart
from ragstone.parsing.tables import row_lines
from ragstone.types import BlockKind

_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

_LONG_FRACTION = re.compile(r"-?\d{1,15}\.\d{10,30}")

Block = tuple[BlockKind, str]


def graphics_in(element: Element, part: PackagePart) -> Iterator[Block]:
    """What charts and diagrams in an element of a part show; pictures show nothing that can be read here."""
    for chart in element.iter(f"{_CHART}chart"):
        if data := part.by_id(chart.get(f"{_RELATION}id", "")):
            yield from _chart(data.root)
    for diagram in element.iter(f"{_DIAGRAM}relIds"):
        if data := part.by_id(diagram.get(f"{_RELATION}dm", "")):
            points = (_text(point) for point in data.root.iter(f"{_DIAGRAM}pt"))
            yield BlockKind.LIST, "\n".join(f"- {text}" for text in points if text)


def _chart(root: Element) -> Iterator[Block]:
    """A chart's title, and its series as the columns of a table with a row a category."""
    for title in root.iterfind(f"{_CHART}chart/{_CHART}title"):
        yield BlockKind.CAPTION, _text(title)
    series = list(root.iter(f"{_CHART}ser"))
    if series:
        names = [" ".join(_values(one, "tx")) for one in series]
        categories = max((_values(one, "cat") or _values(one, "xVal") for one in series), key=len)
        columns = [_values(one, "val") or _values(one, "yVal") for one in series]
        rows = [list(row) for row in zip_longest(categories, *columns, fillvalue="")]
        yield BlockKind.TABLE, "\n".join(row_lines(rows, ["", *names]))


def _values(series: Element, name: str) -> list[str]:
    found = series.find(f"{_CHART}{name}")
    return [_shown(value.text or "") for value in found.iter(f"{_CHART}v")] if found is not None else []


def _shown(value: str) -> str:
    """A value with the 15 digits that a binary fraction is good for: 4.4 and not 4.4000000000000004."""
    return f"{float(value):.15g}" if _LONG_FRACTION.fullmatch(value) else value


def _text(element: Element) -> str:
    paragraphs = element.iter(f"{_DRAWING}p")
    return one_line(
        " ".join("".join(run.text or "" for run in paragraph.iter(f"{_DRAWING}t")) for paragraph in paragraphs)
    )
