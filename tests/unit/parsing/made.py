"""Small documents made on the spot for the tests of the parsers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from pypdf import PdfReader, PdfWriter
from pypdf.generic import IndirectObject, NameObject, TextStringObject

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


@dataclass(frozen=True)
class Drawn:
    """Text on a PDF page: where it begins from the lower left corner, and in which font, in points."""

    text: str
    x: float = 60
    y: float = 700
    size: float = 11
    bold: bool = False


def paragraph(lines: Sequence[str], *, x: float = 60, top: float = 700, leading: float = 14) -> list[Drawn]:
    """Lines of running text below each other."""
    return [Drawn(line, x, top - leading * at) for at, line in enumerate(lines)]


def pdf(*pages: Sequence[Drawn]) -> bytes:
    """A PDF with the given pages in Helvetica, without compression."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", ""]
    objects += [
        f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>"
        for name in ("Helvetica", "Helvetica-Bold")
    ]
    kids: list[str] = []
    for drawn in pages:
        stream = "\n".join(_shown(piece) for piece in drawn)
        objects.append(f"<</Length {len(stream.encode('cp1252'))}>>stream\n{stream}\nendstream")
        fonts = "/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]{fonts}/Contents {len(objects)} 0 R>>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    return _pdf_file(objects)


def pdf_objects(*objects: str, encoding: str = "cp1252") -> bytes:
    """A PDF of hand-written objects, the first of which is the catalog."""
    return _pdf_file(objects, encoding)


def with_outline(content: bytes, entries: Sequence[tuple[str, int, int | None]]) -> bytes:
    """The PDF with bookmarks: (title, page from 0, index of the bookmark above it or None)."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    made: list[IndirectObject] = []
    for title, page, parent in entries:
        above = None if parent is None else made[parent]
        made.append(writer.add_outline_item(title=title, page_number=page, parent=above))
    return _written(writer)


def with_title(content: bytes, title: str, language: str = "en-GB") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    writer.add_metadata({"/Title": title})
    writer.root_object[NameObject("/Lang")] = TextStringObject(language)
    return _written(writer)


def locked(content: bytes, *, user_password: str, owner_password: str = "owner") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    writer.encrypt(user_password, owner_password, algorithm="AES-256")
    return _written(writer)


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def word(body: str, *, related: Mapping[str, tuple[str, str]] | None = None, prolog: str = "") -> bytes:
    """A Word file around the XML of its body; `related` maps part names to (kind of relation, XML)."""
    parts = related or {}
    overrides = "".join(
        f'<Override PartName="/word/{name}" ContentType="{_WORD_TYPE}.{kind}+xml"/>'
        for name, (kind, _) in parts.items()
    )
    relations = "".join(
        f'<Relationship Id="r{at}" Type="{_OFFICE}/{kind}" Target="{name}"/>'
        for at, (name, (kind, _)) in enumerate(parts.items())
    )
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{_WORD_TYPE}.document.main+xml"/>'
            f"{overrides}</Types>",
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
            f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
            f"{relations}</Relationships>",
            "word/document.xml": f"{prolog}<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
            **{f"word/{name}": xml for name, (_, xml) in parts.items()},
        }
    )


NAMESPACES = (
    f'xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)


def p(text: str, properties: str = "") -> str:
    """The XML of a Word paragraph."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def tbl(*rows: Sequence[str]) -> str:
    """The XML of a Word table; a cell is its text, or XML."""
    cells = (["".join(f"<w:tc>{cell if cell.startswith('<') else p(cell)}</w:tc>" for cell in row)] for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for (row,) in cells)}</w:tbl>"


def _shown(piece: Drawn) -> str:
    text = piece.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F{2 if piece.bold else 1} {piece.size} Tf 1 0 0 1 {piece.x} {piece.y} Tm ({text}) Tj ET"


def _pdf_file(objects: Sequence[str], encoding: str = "cp1252") -> bytes:
    content, offsets = b"%PDF-1.7\n", []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(content))
        content += f"{number} 0 obj\n{text}\nendobj\n".encode(encoding)
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    trailer = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(content)}\n%%EOF\n"
    return content + (table + trailer).encode()


def _written(writer: PdfWriter) -> bytes:
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()
