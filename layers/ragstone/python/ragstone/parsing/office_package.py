"""Opens Word and PowerPoint files with python-docx's package reader, which knows any Office file's parts.

python-pptx would open the latter, but brings Pillow and XlsxWriter, a tenth of what a function may weigh.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from ragstone.parsing.elements import Element, root_of
from ragstone.parsing.stated import stated
from ragstone.parsing.zipped import ZIP_FAULTS, checked_archive, damaged
from ragstone.types import Metadata

if TYPE_CHECKING:
    from docx.opc.package import OpcPackage
    from docx.opc.part import Part as OpcPart

PACKAGE_FAULTS = (*ZIP_FAULTS, AttributeError, SyntaxError, TypeError)
"""What python-docx and lxml raise on packages with missing parts, broken XML or values of the wrong kind."""


@dataclass(frozen=True, slots=True)
class PackagePart:
    """One part of a package; parts that it refers to are asked for by the kind or the id of the relation."""

    _part: OpcPart

    @property
    def root(self) -> Element:
        """The part's XML; python-docx has read that of the parts it knows, as carefully as `root_of` does."""
        known: Element | None = getattr(self._part, "element", None)
        return root_of(self._part.blob) if known is None else known

    def related(self, kind: str) -> Iterator[PackagePart]:
        for relation in self._part.rels.values():
            if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
                yield PackagePart(relation.target_part)

    def roots(self, kind: str) -> tuple[Element, ...]:
        return tuple(part.root for part in self.related(kind))

    def by_id(self, relation_id: str) -> PackagePart | None:
        relation = self._part.rels.get(relation_id)
        return PackagePart(relation.target_part) if relation is not None and not relation.is_external else None


@dataclass(frozen=True, slots=True)
class OfficePackage:
    """An Office file's main part, and what the file says of itself."""

    main: PackagePart
    title: str = ""
    language: str = ""
    metadata: Metadata | None = None


def open_package(content: bytes, source: str) -> OfficePackage:
    """Open a Word or PowerPoint file; raises Rejected if it is too large, locked or damaged."""
    archive = checked_archive(content, source)
    from docx.opc.package import OpcPackage

    try:
        package = OpcPackage.open(BytesIO(archive))
        return _described(package, PackagePart(package.main_document_part))
    except PACKAGE_FAULTS as error:
        raise damaged(source) from error


def _described(package: OpcPackage, main: PackagePart) -> OfficePackage:
    """With the core properties, which python-docx makes up where there are none."""
    if not any(relation.reltype.endswith("/core-properties") for relation in package.rels.values()):
        return OfficePackage(main)
    core = package.core_properties
    metadata = stated(author=core.author, created=core.created, modified=core.modified)
    return OfficePackage(main, core.title, core.language, metadata)
