"""What an HTML page says of itself: title, language, author and dates, by the names that publishers use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragstone.parsing.stated import stated
from ragstone.types import Metadata

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author")
_CREATED = (
    "article:published_time",
    "dcterms.created",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "date",
    "citation_publication_date",
)
_MODIFIED = ("article:modified_time", "og:updated_time", "dcterms.modified", "last-modified")
_LANGUAGE = ("content-language", "language", "dc.language", "dcterms.language")


def title_of(page: BeautifulSoup) -> str:
    return page.title.get_text() if page.title else ""


def language_of(page: BeautifulSoup) -> str | None:
    root = page.html
    on_root = (root.get("lang") or root.get("xml:lang")) if root else None
    return str(on_root) if on_root else _first(_meta(page), _LANGUAGE)


def metadata_of(page: BeautifulSoup) -> Metadata:
    meta = _meta(page)
    author = _first(meta, _AUTHOR)
    return stated(
        author=author if author and not author.startswith(("http:", "https:")) else None,
        created=_first(meta, _CREATED),
        modified=_first(meta, _MODIFIED),
    )


def _meta(page: BeautifulSoup) -> Mapping[str, str]:
    """The first content of each name; names of all kinds of `meta` are one set."""
    found: dict[str, str] = {}
    for tag in page.find_all("meta"):
        name = tag.get("name") or tag.get("property") or tag.get("http-equiv")
        if name and (content := tag.get("content")):
            found.setdefault(str(name).lower(), str(content))
    return found


def _first(meta: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((meta[name] for name in names if name in meta), None)
