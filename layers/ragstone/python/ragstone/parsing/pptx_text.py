"""What the paragraphs of a slide's shape say, with the bullets and numbers that PowerPoint draws before them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.parsing.elements import Element
from ragstone.parsing.omml import M, formula_text

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_NOT_TEXT = frozenset({_FALLBACK, f"{A}pPr", f"{A}rPr", f"{A}endParaRPr"})
_FORMULAS = frozenset({f"{M}oMath", f"{M}oMathPara"})


class Line(NamedTuple):
    """A paragraph with what stands before it."""

    text: str
    in_list: bool


def text_of(element: Element) -> str:
    """All paragraphs of an element, a line each."""
    return "\n".join(filter(None, map(_paragraph_text, element.iter(f"{A}p"))))


def lines_of(body: Element, *, bulleted: bool) -> Iterator[Line]:
    """The paragraphs of a text body; `bulleted` bodies have bullets where a paragraph doesn't say otherwise."""
    counts: defaultdict[int, int] = defaultdict(int)
    for paragraph in body.iterfind(f"{A}p"):
        text = _paragraph_text(paragraph)
        if not text:
            continue
        properties = paragraph.find(f"{A}pPr")
        marks = {child.tag for child in properties} if properties is not None else set[str]()
        level = _level(properties)
        if f"{A}buAutoNum" in marks:
            counts[level] += 1
            yield Line(f"{counts[level]}. {text}", in_list=True)
        else:
            counts.pop(level, None)
            in_list = f"{A}buChar" in marks or (bulleted and f"{A}buNone" not in marks)
            yield Line(f"- {text}" if in_list else text, in_list)


def _level(properties: Element | None) -> int:
    stated = properties.get("lvl", "0") if properties is not None else "0"
    return int(stated) if stated in "012345678" else 0


def _paragraph_text(paragraph: Element) -> str:
    return "".join(_pieces(paragraph)).strip()


def _pieces(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag == f"{A}t":
            yield child.text or ""
        elif child.tag == f"{A}br":
            yield "\n"
        elif child.tag in _FORMULAS:
            yield formula_text(child)
        elif child.tag not in _NOT_TEXT:
            yield from _pieces(child)
