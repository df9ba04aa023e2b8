"""The header strategy: what stands under one header is a chunk, or several if it is too long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from ragstone.chunking.base import chunkers
from ragstone.chunking.sized import SizedChunker
from ragstone.chunking.stretches import Stretch, stretches
from ragstone.text import Span
from ragstone.types import ParsedDocument, Section

HEADER = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S.*)$|^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


class MarkdownHeaderChunker(SizedChunker):
    """A document's own sections, or where it has none the headers of Markdown in its text, outside of fenced code."""

    name: ClassVar[str] = "markdown_header"

    def stretches(self, document: ParsedDocument) -> Iterator[Stretch]:
        return stretches(document, document.sections or sections_by_headers(document.text))

    def cut(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        return self.splitter.split(document.text, stretch.start, stretch.end, stretch.formulas)


def sections_by_headers(text: str) -> tuple[Section, ...]:
    """A section for each ATX header, from it to the next."""
    headers = list(_headers(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    open_titles: list[tuple[int, str]] = []
    sections: list[Section] = []
    for header, end in zip(headers, ends, strict=False):
        level, title = len(header[1]), _without_closing(header[2].rstrip())
        open_titles = [above for above in open_titles if above[0] < level] + [(level, title)]
        path = tuple(name for _, name in open_titles)
        sections.append(Section(title, level, path, header.start(), end))
    return tuple(sections)


def _headers(text: str) -> Iterator[re.Match[str]]:
    fence = ""
    for found in HEADER.finditer(text):
        if found[1] and not fence:
            yield found
        elif found[3] and not fence:
            fence = found[3]
        elif found[3] and found[3].startswith(fence):
            fence = ""


def _without_closing(title: str) -> str:
    """The title without the number signs that may close its line; those of "C#" are its own."""
    rest = title.rstrip("#")
    return rest.rstrip() if rest.endswith((" ", "\t")) else title


chunkers.register(MarkdownHeaderChunker.name)(MarkdownHeaderChunker.from_settings)
