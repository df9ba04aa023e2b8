"""How the rows of a table are best written, as far as its columns tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.metadata import FieldType
from ragstone.structured.columns import Column
from ragstone.structured.template import Template, known_columns

ID_NAMES = {"id", "key", "uuid", "guid", "sku", "code", "isbn", "ean"}
TITLE_NAMES = {"name", "title", "titel", "label", "subject", "headline", "question", "bezeichnung", "nom", "nombre"}
TEXT_NAMES = {"description", "beschreibung", "text", "body", "content", "summary", "details", "answer"}
LONGEST_TITLE = 120
PROSE = 60
"""Mean characters from which a column holds text rather than names."""

_WORD_END = re.compile(r"[\s_.-]+|(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows become documents: their text, their metadata by name and type, and the columns of id and title.

    Without an id column rows are called by their number.
    """

    template: Template
    metadata: Mapping[str, FieldType]
    id_column: str | None = None
    title_column: str | None = None
    acl: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """The same as text, to be shown and changed."""

    template: str
    metadata: tuple[str, ...]
    id_column: str | None
    title_column: str | None


@dataclass(frozen=True, slots=True)
class Choices:
    """What the caller wants otherwise than proposed; an empty name wants no such column."""

    template: str | None = None
    metadata: tuple[str, ...] | None = None
    id_column: str | None = None
    title_column: str | None = None
    acl: tuple[str, ...] = ()


def propose(columns: Sequence[Column], rows: int) -> Proposal:
    """For a table of which so many rows were looked at: its first line is for people, and no column's text is lost."""
    id_column = next((c for c in columns if _is_id(c, rows)), None)
    title = next((c for c in columns if _is_title(c) and c != id_column), None)
    text = next((c for c in columns if _is_text(c) and c not in (id_column, title)), None)
    first = [f"{{{c.name}}}" for c in (title, text) if c]
    counter = id_column if id_column and id_column.type is FieldType.NUMBER else None
    rest = [f"{c.name}: {{{c.name}}}" for c in columns if c not in (title, text, counter)]
    lines = [*filter(None, [": ".join(first)]), *rest] or [f"{{{columns[0].name}}}"]
    return Proposal(
        template="\n".join(lines),
        metadata=tuple(c.name for c in columns if c not in (title, text, id_column) and _is_filter(c, rows)),
        id_column=id_column.name if id_column else None,
        title_column=title.name if title else None,
    )


def plan(columns: Sequence[Column], proposal: Proposal, choices: Choices) -> Plan:
    """The proposal as the caller wants it; raises InvalidQuery for a template or a column that can't be."""
    types = {column.name: column.type for column in columns}
    metadata = proposal.metadata if choices.metadata is None else choices.metadata
    id_column, title = (
        proposed if chosen is None else chosen or None
        for proposed, chosen in (
            (proposal.id_column, choices.id_column),
            (proposal.title_column, choices.title_column),
        )
    )
    known_columns([*metadata, *filter(None, (id_column, title))], types)
    return Plan(
        template=Template.parse(choices.template or proposal.template, types),
        metadata={name: types[name] for name in metadata},
        id_column=id_column,
        title_column=title,
        acl=choices.acl,
    )


def _is_id(column: Column, rows: int) -> bool:
    return _words(column.name)[-1] in ID_NAMES and column.filled == column.distinct == rows


def _is_title(column: Column) -> bool:
    is_named = not TITLE_NAMES.isdisjoint(_words(column.name))
    return is_named and column.type is FieldType.STRING and column.mean_length <= LONGEST_TITLE


def _is_text(column: Column) -> bool:
    is_named = not TEXT_NAMES.isdisjoint(_words(column.name))
    return column.type is FieldType.STRING and (is_named or column.mean_length > PROSE)


def _is_filter(column: Column, rows: int) -> bool:
    """Whether somebody would narrow a search by it: not by what is another text in every row."""
    if column.type is not FieldType.STRING:
        return True
    return column.mean_length <= PROSE and column.distinct <= max(2, rows // 2)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD_END.split(name) if word] or [name]
