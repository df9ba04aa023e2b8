"""The parts of a Word file that its text is read from."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.parsing.elements import Element
from ragstone.parsing.office_package import PACKAGE_FAULTS, OfficePackage, open_package
from ragstone.parsing.zipped import damaged


@dataclass(frozen=True, slots=True)
class WordPackage:
    """The roots of a Word file's parts; kinds of part that it doesn't have are empty."""

    office: OfficePackage
    document: Element
    styles: Element | None
    numbering: Element | None
    headers: tuple[Element, ...]
    footers: tuple[Element, ...]
    footnotes: tuple[Element, ...]
    endnotes: tuple[Element, ...]


def open_word(content: bytes, source: str) -> WordPackage:
    """Open a Word file; raises Rejected if it is too large, locked or damaged."""
    office = open_package(content, source)
    try:
        return WordPackage(
            office=office,
            document=office.main.root,
            styles=next(iter(office.main.roots("styles")), None),
            numbering=next(iter(office.main.roots("numbering")), None),
            headers=office.main.roots("header"),
            footers=office.main.roots("footer"),
            footnotes=office.main.roots("footnotes"),
            endnotes=office.main.roots("endnotes"),
        )
    except PACKAGE_FAULTS as error:
        raise damaged(source) from error
