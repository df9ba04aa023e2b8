"""Small presentations, workbooks and OpenDocument texts made on the spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from openpyxl import Workbook

from tests.unit.parsing.made import zipped

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SLIDES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f'xmlns:r="{_OFFICE}"'
)
_OPEN_DOCUMENT = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("meta", "meta"),
        ("style", "style"),
    )
)
CORE = (
    f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    "<dc:title>Fares 2026</dc:title><dc:creator>Ada Okafor</dc:creator>"
    '<dcterms:created xsi:type="dcterms:W3CDTF">2026-03-01T09:30:00Z</dcterms:created>'
    '<dcterms:modified xsi:type="dcterms:W3CDTF">2026-03-02T10:00:00Z</dcterms:modified></cp:coreProperties>'
)


def slide(*shapes: str) -> str:
    """The XML of a slide, or of its notes."""
    return f"<p:sld {_SLIDES}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"


def shape(*paragraphs: str, place: str | None = None) -> str:
    """The XML of a shape; a paragraph is its text, or XML. `place` is the kind of placeholder that it fills."""
    texts = "".join(text if text.startswith("<") else a_p(text) for text in paragraphs)
    fills = "" if place is None else f'<p:ph type="{place}"/>'
    properties = f"<p:nvSpPr><p:cNvPr id='1' name=''/><p:nvPr>{fills}</p:nvPr></p:nvSpPr>"
    return f"<p:sp>{properties}<p:txBody>{texts}</p:txBody></p:sp>"


def a_p(text: str, properties: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def pptx(
    *slides: str, related: Mapping[int, Sequence[tuple[str, str]]] | None = None, core: str = "", prolog: str = ""
) -> bytes:
    """A PowerPoint file; `related` gives slides by their index (kind of relation, XML of the part), as r1, r2 …"""
    members = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
        "_rels/.rels": _relations(
            [(f"{_OFFICE}/officeDocument", "ppt/presentation.xml")]
            + ([(f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml")] if core else [])
        ),
        "ppt/presentation.xml": f"<p:presentation {_SLIDES}><p:sldIdLst>"
        + "".join(f'<p:sldId id="{256 + at}" r:id="r{at + 1}"/>' for at in range(len(slides)))
        + "</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": _relations(
            [(f"{_OFFICE}/slide", f"s{at}.xml") for at in range(len(slides))]
        ),
    }
    for at, xml in enumerate(slides):
        parts = (related or {}).get(at, ())
        members[f"ppt/s{at}.xml"] = prolog + xml
        members[f"ppt/_rels/s{at}.xml.rels"] = _relations(
            [(f"{_OFFICE}/{kind}", f"part{at}-{number}.xml") for number, (kind, _) in enumerate(parts)]
        )
        members |= {f"ppt/part{at}-{number}.xml": part for number, (_, part) in enumerate(parts)}
    return zipped(members | ({"docProps/core.xml": core} if core else {}))


def part(root: str, inner: str) -> str:
    """The XML of a part with all the namespaces of slides."""
    return f"<{root} {_SLIDES}>{inner}</{root}>"


def xlsx(**sheets: Sequence[Sequence[Any]]) -> bytes:
    """A workbook of the given rows by sheet."""
    return saved(book(**sheets))


def book(**sheets: Sequence[Sequence[Any]]) -> Workbook:
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    return workbook


def saved(workbook: Workbook) -> bytes:
    buffer = BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


def odt(body: str, *, styles: str = "", meta: str = "", manifest: str = "", prolog: str = "") -> bytes:
    """An OpenDocument text around the XML of its body."""
    content = (
        f"{prolog}<office:document-content {_OPEN_DOCUMENT}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    members = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}
    if meta:
        dublin = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
        members["meta.xml"] = f"<office:document-meta {_OPEN_DOCUMENT} {dublin}>{meta}</office:document-meta>"
    return zipped(members | ({"META-INF/manifest.xml": manifest} if manifest else {}))


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    entries = "".join(
        f'<Relationship Id="r{at}" Type="{kind}" Target="{target}"/>' for at, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{entries}</Relationships>'
