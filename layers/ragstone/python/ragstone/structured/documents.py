"""A row as a document: a Markdown file, and the sidecar that carries its title, metadata and access list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from ragstone.sidecar import sidecar_json
from ragstone.sources import fault_of
from ragstone.structured.columns import typed
from ragstone.structured.markdown import escaped, with_line_breaks
from ragstone.structured.proposal import Plan
from ragstone.structured.rows import BadRow, Row, text_of
from ragstone.types import MetadataValue

SUFFIX = ".md"
_UNSAFE = re.compile(r"[^\w .,@+()-]")


@dataclass(frozen=True, slots=True)
class RowDocument:
    """What is written for one row: `misfits` are columns whose value is not of their type, left out of the metadata."""

    source: str
    text: str
    sidecar: bytes
    misfits: tuple[str, ...] = ()


def row_document(row: Row, plan: Plan, folder: str) -> RowDocument | BadRow:
    """`<folder>/<id or number>.md`; a row without an id or a text, or with an id too long for a name, is bad."""
    name = _name(row, plan)
    if not name:
        return BadRow(row.number, f"it has no value in its id column {plan.id_column!r}")
    source = f"{folder}/{name}{SUFFIX}"
    if fault := fault_of(source):
        return BadRow(row.number, f"its name {source!r} {fault}")
    text = plan.template.render(row.cells, escaped)
    if not text:
        return BadRow(row.number, "it has no value in any column of the template")
    metadata = {name: typed(row.cells[name], type_) for name, type_ in plan.metadata.items() if name in row.cells}
    fitting = {name: value for name, value in metadata.items() if value is not None}
    misfits = tuple(name for name in metadata if name not in fitting)
    return RowDocument(source, with_line_breaks(text), _sidecar(row, plan, fitting), misfits)


def _name(row: Row, plan: Plan) -> str:
    """The id with what a path or a URL would take for its own written in hexadecimal."""
    if plan.id_column is None:
        return str(row.number)
    written = text_of(row.cells.get(plan.id_column, ""))
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), " ".join(written.split()))


def _sidecar(row: Row, plan: Plan, metadata: Mapping[str, MetadataValue]) -> bytes:
    title = text_of(row.cells.get(plan.title_column, "")) if plan.title_column else ""
    return sidecar_json(title=" ".join(title.split()), metadata=metadata, acl=plan.acl)
