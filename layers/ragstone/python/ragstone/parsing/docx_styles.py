"""Which paragraphs of a Word document are headings or list items, by their styles and their own properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ragstone.parsing.docx_numbering import ListPlace, number_of, value_of
from ragstone.parsing.docx_text import W
from ragstone.parsing.elements import Element
from ragstone.types import BlockKind

_HEADING = re.compile(r"heading (\d)", re.I)
_KINDS: Mapping[str, BlockKind] = {
    "caption": BlockKind.CAPTION,
    "html preformatted": BlockKind.CODE,
    "macro": BlockKind.CODE,
    "source code": BlockKind.CODE,
}
_BODY_LEVEL = 9
_NO_LIST = "0"
_DEEPEST_INHERITANCE = 10


class ParagraphRole(NamedTuple):
    """What a paragraph is: a heading of a level from 1, a part of a list, both, or neither; else of a special kind."""

    level: int | None = None
    place: ListPlace | None = None
    kind: BlockKind = BlockKind.PARAGRAPH


class StyleSheet:
    """A document's paragraph styles; built-in headings have English names whatever language Word speaks."""

    def __init__(self, styles: Element | None) -> None:
        found = styles.iterfind(f"{W}style") if styles is not None else ()
        self._styles: Mapping[str, Element] = {style.get(f"{W}styleId", ""): style for style in found}
        self._roles: dict[str, ParagraphRole] = {}

    def role_of(self, paragraph: Element) -> ParagraphRole:
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return ParagraphRole()
        return _own_role(properties, self._role_of_style(value_of(properties, "pStyle")))

    def _role_of_style(self, style_id: str | None, depth: int = 0) -> ParagraphRole:
        style = self._styles.get(style_id or "")
        if style_id is None or style is None or depth > _DEEPEST_INHERITANCE:
            return ParagraphRole()
        if style_id not in self._roles:
            inherited = self._role_of_style(value_of(style, "basedOn"), depth + 1)
            properties = style.find(f"{W}pPr")
            role = inherited if properties is None else _own_role(properties, inherited)
            self._roles[style_id] = _named_role(value_of(style, "name") or "", role)
        return self._roles[style_id]


def _own_role(properties: Element, inherited: ParagraphRole) -> ParagraphRole:
    """The role after a paragraph's or a style's own properties have had their say."""
    level, place, kind = inherited
    if properties.find(f"{W}outlineLvl") is not None:
        outline = number_of(properties, "outlineLvl", _BODY_LEVEL)
        level = outline + 1 if outline < _BODY_LEVEL else None
    numbering = properties.find(f"{W}numPr")
    if numbering is not None:
        number_id = value_of(numbering, "numId") or (place.number_id if place else _NO_LIST)
        depth = number_of(numbering, "ilvl", place.level if place else 0)
        place = ListPlace(number_id, depth) if number_id != _NO_LIST else None
    return ParagraphRole(level, place, kind)


def _named_role(name: str, role: ParagraphRole) -> ParagraphRole:
    """The role as the style's name changes it."""
    if name.lower() == "title":
        return role._replace(level=1)
    if heading := _HEADING.fullmatch(name):
        return role._replace(level=int(heading[1]))
    return role._replace(kind=_KINDS.get(name.lower(), role.kind))
