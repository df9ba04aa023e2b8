"""The front matter of a Markdown file: title, language, author and dates out of its YAML's plain lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ragstone.parsing.stated import stated
from ragstone.types import Metadata

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=[\w-]+[ \t]*:)(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|$)", re.S)
_VALUE = re.compile(r"^([\w-]+):[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|\[([^\]\n]*)\]|([^\n]*?))[ \t]*$", re.M)


class FrontMatter(NamedTuple):
    title: str | None
    language: str | None
    metadata: Metadata


def front_matter(text: str) -> tuple[FrontMatter, str]:
    """What stands in the front matter, and the text after it."""
    found = _FRONT_MATTER.match(text)
    values = _values(found[1] if found else "")
    front = FrontMatter(
        title=values.get("title"),
        language=_first(values, "lang", "language", "locale"),
        metadata=stated(
            author=_first(values, "author", "authors"),
            created=_first(values, "created", "date", "published"),
            modified=_first(values, "modified", "updated", "lastmod", "last_modified"),
        ),
    )
    return front, text[found.end() if found else 0 :]


def _values(front: str) -> Mapping[str, str]:
    return {match[1].lower(): next(filter(None, match.groups()[1:]), "") for match in _VALUE.finditer(front)}


def _first(values: Mapping[str, str], *names: str) -> str | None:
    return next((values[name] for name in names if values.get(name)), None)
