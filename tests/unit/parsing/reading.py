"""How tests look at parsed documents."""

from __future__ import annotations

from ragstone.types import ParsedDocument


def blocks(document: ParsedDocument) -> list[tuple[str, str]]:
    """Each block as its kind and its text."""
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def check_spans(document: ParsedDocument) -> None:
    """Text can be stored; sections and pages follow each other up to its end; blocks cover all but white space."""
    document.text.encode("utf-8")
    assert "\x00" not in document.text
    for spans in (document.sections, document.pages):
        borders = [span.start for span in spans] + [len(document.text)]
        assert [span.end for span in spans] == borders[1:]
        assert borders == sorted(borders)
    position = 0
    for block in document.blocks:
        assert document.text[position : block.start].isspace() or position == block.start == 0
        assert document.text[block.start : block.end].strip()
        position = block.end
    assert not document.text[position:].strip()
