"""The parts of a document that chunkers cut one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragstone.chunking.formulas import formulas_in
from ragstone.text import Span
from ragstone.types import ParsedDocument, Section


class Stretch(NamedTuple):
    """A part `[start, end)` of a text that no chunk crosses the ends of, with the formulas in it."""

    start: int
    end: int
    section: Section | None = None
    formulas: tuple[Span, ...] = ()


def stretches(document: ParsedDocument, sections: Sequence[Section] | None = None) -> Iterator[Stretch]:
    """The sections, by default the document's own, and what lies before, between and after them."""
    position = 0
    for section in document.sections if sections is None else sections:
        yield from _stretch(document, position, section.start, None)
        yield from _stretch(document, section.start, section.end, section)
        position = section.end
    yield from _stretch(document, position, len(document.text), None)


def _stretch(document: ParsedDocument, start: int, end: int, section: Section | None) -> Iterator[Stretch]:
    if start < end:
        yield Stretch(start, end, section, formulas_in(document, start, end))
