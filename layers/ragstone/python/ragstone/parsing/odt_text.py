"""What an OpenDocument paragraph says, and what hangs on it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragstone.parsing.elements import Element

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_TEXT_BOX = f"{_DRAW}text-box"
_BLOCKS = frozenset({f"{TEXT}p", f"{TEXT}h"})
_APART = frozenset(
    {f"{TEXT}note", f"{TEXT}ruby-text", f"{TEXT}hidden-text", f"{OFFICE}annotation", _TEXT_BOX, f"{_DRAW}object"}
)
_SPACE = re.compile(r"\s+")
_MOST_SPACES = 100


def text_of(paragraph: Element) -> str:
    """A paragraph's text with its line breaks, without its notes, comments and text boxes."""
    return "".join(_pieces(paragraph)).strip()


def paragraphs_in(container: Element) -> Iterator[Element]:
    """All paragraphs in order, those in lists, tables and text boxes among them."""
    for child in container:
        if child.tag in _BLOCKS:
            yield child
        yield from paragraphs_in(child)


def notes_in(paragraph: Element) -> Iterator[str]:
    for body in paragraph.iter(f"{TEXT}note-body"):
        yield " ".join(map(text_of, paragraphs_in(body)))


def text_boxes(paragraph: Element) -> Iterator[Element]:
    """The text boxes that hang on a paragraph, but not those inside them."""
    for child in paragraph:
        if child.tag == _TEXT_BOX:
            yield child
        else:
            yield from text_boxes(child)


def _pieces(element: Element) -> Iterator[str]:
    yield _SPACE.sub(" ", element.text or "")
    for child in element:
        if child.tag == f"{TEXT}s":
            yield " " * count_of(child, f"{TEXT}c", most=_MOST_SPACES)
        elif child.tag == f"{TEXT}tab":
            yield "\t"
        elif child.tag == f"{TEXT}line-break":
            yield "\n"
        elif child.tag not in _APART:
            yield from _pieces(child)
        yield _SPACE.sub(" ", child.tail or "")


def count_of(element: Element, name: str, *, most: int) -> int:
    """An attribute that counts, 1 where it is missing or makes no sense."""
    stated = element.get(name, "1")
    return min(max(int(stated), 1), most) if stated.isascii() and stated.isdigit() and len(stated) < 9 else 1
