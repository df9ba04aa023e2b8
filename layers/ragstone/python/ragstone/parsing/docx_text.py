"""What a Word paragraph says: inserted text counts, deleted and hidden text doesn't."""

from __future__ import annotations

from collections.abc import Iterator

from ragstone.parsing.elements import Element
from ragstone.parsing.omml import M, formula_text

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_FORMULAS = frozenset({f"{M}oMath", f"{M}oMathPara"})
_TEXT_BOX = f"{W}txbxContent"
_FALLBACK = f"{_COMPATIBILITY}Fallback"
# The fallback repeats its text box for programs that can't show the first form.
_NOT_TEXT = frozenset(
    {f"{W}{name}" for name in ("del", "moveFrom", "delText", "instrText", "pPr", "rPr", "sdtPr", "tblPr", "sectPr")}
    | {_FALLBACK, _TEXT_BOX}
)
_CHARACTERS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_OFF = ("0", "false", "off")


def paragraph_text(paragraph: Element) -> str:
    """A paragraph's text with its line breaks; text boxes that hang on it are not part of it."""
    return "".join(_pieces(paragraph)).strip()


def is_formula(paragraph: Element) -> bool:
    """Whether a paragraph shows a formula and nothing beside it."""
    return any(child.tag == f"{M}oMathPara" for child in paragraph) and not any(
        run.text and run.text.strip() for run in paragraph.iter(f"{W}t")
    )


def text_boxes(paragraph: Element) -> Iterator[Element]:
    """The contents of the text boxes that hang on a paragraph, each once."""
    for child in paragraph:
        if child.tag == _TEXT_BOX:
            yield child
        elif child.tag != _FALLBACK:
            yield from text_boxes(child)


def paragraphs_in(container: Element) -> Iterator[Element]:
    """All paragraphs in reading order, those of tables and text boxes among them."""
    for child in container:
        if child.tag == f"{W}p":
            yield child
            for box in text_boxes(child):
                yield from paragraphs_in(box)
        elif child.tag not in _NOT_TEXT:
            yield from paragraphs_in(child)


def note_ids(paragraph: Element) -> Iterator[tuple[str, str]]:
    """The notes that a paragraph refers to, in order: ("footnote" or "endnote", id)."""
    for kind in ("footnote", "endnote"):
        for reference in paragraph.iter(f"{W}{kind}Reference"):
            yield kind, reference.get(f"{W}id", "")


def is_on(properties: Element | None, name: str) -> bool:
    """Whether a property such as `vanish` is there and not switched off."""
    found = properties.find(f"{W}{name}") if properties is not None else None
    return found is not None and found.get(f"{W}val", "1") not in _OFF


def _pieces(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag in _NOT_TEXT or is_on(child.find(f"{W}rPr"), "vanish"):
            continue
        if child.tag == f"{W}t":
            yield child.text or ""
        elif child.tag in _FORMULAS:
            yield formula_text(child)
        elif child.tag in _CHARACTERS:
            yield "" if child.get(f"{W}type") in ("page", "column") else _CHARACTERS[child.tag]
        else:
            yield from _pieces(child)
