"""The text of a row: `{column}` stands for its value, `{{` and `}}` for braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ragstone.errors import InvalidQuery
from ragstone.structured.rows import Cell, text_of

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}\n]+)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Column:
    """A place for a column's value."""

    name: str


Line = tuple[str | Column, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Lines of words and places; a line whose places are all empty is left out."""

    lines: tuple[Line, ...]

    @classmethod
    def parse(cls, text: str, columns: Iterable[str]) -> Template:
        """Raises InvalidQuery: `bad_template`, or `unknown_column` that names the known ones."""
        lines = tuple(tuple(_tokens(line)) for line in text.strip().split("\n"))
        places = [token.name for line in lines for token in line if isinstance(token, Column)]
        if not places:
            raise InvalidQuery("bad_template", "The template names no column; write one in braces, as {name}.")
        known_columns(places, columns)
        return cls(lines)

    def render(self, cells: Mapping[str, Cell], written: Callable[[str], str] = str) -> str:
        """The row's text, each value as `written` writes it; empty if no column of the template has a value."""
        values = {name: written(text_of(cell)) for name, cell in cells.items()}
        return "\n".join(_rendered(line, values) for line in self.lines if _is_filled(line, values)).strip()


def known_columns(names: Iterable[str], columns: Iterable[str]) -> None:
    """Raises InvalidQuery (`unknown_column`) that names those which the table doesn't have, and those it has."""
    known = tuple(columns)
    if unknown := [name for name in names if name not in known]:
        raise InvalidQuery(
            "unknown_column",
            f"The table has no column {', '.join(map(repr, unknown))}; it has {', '.join(map(repr, known))}.",
        )


def _tokens(line: str) -> Iterable[str | Column]:
    at = 0
    for match in _TOKEN.finditer(line):
        yield line[at : match.start()]
        if match[1]:
            yield Column(match[1])
        elif len(match[0]) == 2:
            yield match[0][0]
        else:
            raise InvalidQuery(
                "bad_template", f"The template has a single brace at character {match.start() + 1} of {line!r}."
            )
        at = match.end()
    yield line[at:]


def _is_filled(line: Line, values: Mapping[str, str]) -> bool:
    places = [token.name for token in line if isinstance(token, Column)]
    return not places or any(name in values for name in places)


def _rendered(line: Line, values: Mapping[str, str]) -> str:
    return "".join(values.get(token.name, "") if isinstance(token, Column) else token for token in line)
