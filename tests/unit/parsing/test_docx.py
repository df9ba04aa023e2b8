from __future__ import annotations

from datetime import datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from docx import Document

from ragstone.errors import Rejected
from ragstone.parsing.docx import parse_docx
from ragstone.types import ParsedDocument
from tests.unit.parsing.made import NAMESPACES, p, tbl, word, zipped
from tests.unit.parsing.reading import blocks, check_spans


def parsed(body: str, **options: object) -> ParsedDocument:
    return parse_docx(word(body, **options), source="x.docx")  # type: ignore[arg-type]


def test_a_document_made_by_python_docx_is_read_in_order() -> None:
    document = Document()
    document.core_properties.title = "Board minutes"
    document.add_paragraph("Minutes", style="Title")
    document.add_heading("Accounts", 1)
    document.add_paragraph("The year closed well.")
    table = document.add_table(rows=0, cols=2)
    for row in (("Line", "Income"), ("Tram 1", "4,702"), ("Tram 2", "2,538")):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph("sheep", style="List Bullet")
    document.add_paragraph("goats", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    document.add_heading("Staff", 2)
    buffer = BytesIO()
    document.save(buffer)
    read = parse_docx(buffer.getvalue(), source="minutes.docx")
    assert read.text == (
        "Minutes\n\nAccounts\n\nThe year closed well.\n\nLine: Tram 1 | Income: 4,702\nLine: Tram 2 | Income: 2,538\n\n"
        "- sheep\n- goats\n1. first\n\nStaff"
    )
    assert [(section.title, section.level) for section in read.sections] == [
        ("Minutes", 1),
        ("Accounts", 1),
        ("Staff", 2),
    ]
    assert read.title == "Board minutes"
    assert [kind for kind, _ in blocks(read)] == [
        *("heading", "heading", "paragraph", "table", "list", "heading"),
    ]
    check_spans(read)


def test_the_file_says_who_made_it_and_when() -> None:
    document = Document()
    document.core_properties.author = "Ada Okafor"
    document.core_properties.created = datetime(2026, 3, 1, 9, 30)
    document.core_properties.modified = datetime(2026, 3, 2, 10, 0)
    buffer = BytesIO()
    document.save(buffer)
    assert parse_docx(buffer.getvalue(), source="x.docx").metadata == {
        "author": "Ada Okafor",
        "created": "2026-03-01T09:30:00Z",
        "modified": "2026-03-02T10:00:00Z",
    }
    assert parsed(p("x")).metadata == {}


def test_captions_and_code_are_told_by_their_styles() -> None:
    styles = (
        f'<w:styles {NAMESPACES}><w:style w:styleId="B"><w:name w:val="caption"/></w:style>'
        '<w:style w:styleId="C"><w:name w:val="HTML Preformatted"/></w:style></w:styles>'
    )
    body = p("The quay at noon", '<w:pStyle w:val="B"/>') + p("x = 1", '<w:pStyle w:val="C"/>')
    document = parsed(body, related={"styles.xml": ("styles", styles)})
    assert blocks(document) == [("caption", "The quay at noon"), ("code", "x = 1")]


def test_a_formula_on_a_line_of_its_own_is_a_block() -> None:
    half = "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
    inline = f"<w:p><w:r><w:t>A half is </w:t></w:r>{half}<w:r><w:t>.</w:t></w:r></w:p>"
    displayed = f"<w:p><m:oMathPara>{half}</m:oMathPara></w:p>"
    body = inline + displayed
    assert blocks(parsed(body)) == [("paragraph", "A half is 1/2."), ("formula", "1/2")]


def test_a_chart_is_a_table_of_its_data() -> None:
    chart = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    values = "<c:pt><c:v>4.4000000000000004</c:v></c:pt><c:pt><c:v>5</c:v></c:pt>"
    names = "<c:pt><c:v>2025</c:v></c:pt><c:pt><c:v>2026</c:v></c:pt>"
    series = f"<c:ser><c:tx><c:v>Trams</c:v></c:tx><c:cat>{names}</c:cat><c:val>{values}</c:val></c:ser>"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    drawn = f'<w:p><w:r><w:drawing><c:chart xmlns:c="{chart}" xmlns:r="{office}" r:id="r0"/></w:drawing></w:r></w:p>'
    related = {"chart1.xml": ("chart", f'<c:chartSpace xmlns:c="{chart}">{series}</c:chartSpace>')}
    assert blocks(parsed(p("Passengers:") + drawn, related=related)) == [
        ("paragraph", "Passengers:"),
        ("table", "2025 | Trams: 4.4\n2026 | Trams: 5"),
    ]


def test_a_document_with_macros_is_read() -> None:
    plain = word(p("With macros."))
    with ZipFile(BytesIO(plain)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    usual, macros = b"officedocument.wordprocessingml.document.main", b"ms-word.document.macroEnabled.main"
    types = members["[Content_Types].xml"].replace(b"openxmlformats-" + usual, macros)
    assert types != members["[Content_Types].xml"]
    assert parse_docx(zipped({**members, "[Content_Types].xml": types}), source="x.docm").text == "With macros."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r></w:p>", "one\ttwo\nthree"),
        (
            "<w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
            "kept",
        ),
        ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>", "seen"),
        (f"<w:sdt><w:sdtPr/><w:sdtContent>{p('in a control')}</w:sdtContent></w:sdt>", "in a control"),
        ("<w:p><w:sdt><w:sdtContent><w:r><w:t>inline</w:t></w:r></w:sdtContent></w:sdt></w:p>", "inline"),
        (
            "<w:p><w:hyperlink><w:r><w:t>linked</w:t></w:r></w:hyperlink><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>",
            "linked",
        ),
        (p("Above.") + p("") + p("Below."), "Above.\n\nBelow."),
        (p("Top", '<w:outlineLvl w:val="0"/>') + p("x"), "Top\n\nx"),
    ],
)
def test_what_a_reader_sees_is_the_text(body: str, text: str) -> None:
    assert parsed(body).text == text


def test_text_boxes_are_read_once() -> None:
    box = f"<w:txbxContent>{p('dial 5150')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Safety card.</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires='wps'><wps:txbx>"
        f"{box}</wps:txbx></mc:Choice><mc:Fallback><v:textbox>{box}</v:textbox></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert parsed(body).text == "Safety card.\n\ndial 5150"


def test_notes_follow_the_paragraph_that_refers_to_them() -> None:
    notes = f'<w:footnotes {NAMESPACES}><w:footnote w:id="2">{p("In winter only.")}</w:footnote></w:footnotes>'
    body = '<w:p><w:r><w:t>Sails at nine.</w:t><w:footnoteReference w:id="2"/></w:r></w:p>' + p("Next.")
    assert (
        parsed(body, related={"footnotes.xml": ("footnotes", notes)}).text
        == "Sails at nine.\n\nIn winter only.\n\nNext."
    )


def test_headers_and_footers_are_read_once_and_page_numbers_not_at_all() -> None:
    header = f"<w:hdr {NAMESPACES}>{p('Harbour office')}{tbl(['Doc no', 'HL-4471'], ['Rev', 'B'])}</w:hdr>"
    footer = f"<w:ftr {NAMESPACES}>{p('Page 3 of 12')}</w:ftr>"
    related = {"h1.xml": ("header", header), "h2.xml": ("header", header), "f1.xml": ("footer", footer)}
    assert parsed(p("Body."), related=related).text == "Harbour office\n\nDoc no: Rev | HL-4471: B\n\nBody."


def test_merged_cells_are_opened_out() -> None:
    merged = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>'
    table = (
        "<w:tbl>"
        f"<w:tr><w:tc>{p('Route')}</w:tc><w:tc>{p('Day')}</w:tc><w:tc>{p('Sails')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{merged}{p('Skarholm')}</w:tc><w:tc>{p('Mon')}</w:tc><w:tc>{p('07:05')}</w:tc></w:tr>"
        f"<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>{p('')}</w:tc><w:tc>{p('Tue')}</w:tc><w:tc>{p('09:35')}</w:tc></w:tr>"
        f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="3"/></w:tcPr>{p("Not in winter")}</w:tc></w:tr>'
        "</w:tbl>"
    )
    assert parsed(table).text == (
        "Route: Skarholm | Day: Mon | Sails: 07:05\nRoute: Skarholm | Day: Tue | Sails: 09:35\nNot in winter"
    )


def test_nested_tables_and_tables_of_one_column_are_read() -> None:
    assert parsed(tbl(["Outer", tbl(["Inner fare", "Price"], ["Night", "17.30"])])).text == (
        "Outer\n\nInner fare: Night | Price: 17.30"
    )
    assert parsed(tbl(["Note well."])).text == "Note well."


def test_lists_are_numbered_as_word_shows_them() -> None:
    numbering = (
        f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="7">'
        '<w:lvl><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '<w:lvl><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
    )
    places = ((0, "Scope"), (1, "Trams"), (1, "Ferries"), (0, "Duties"), (1, "Drivers"))
    body = "".join(
        p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="3"/></w:numPr>') for level, text in places
    )
    assert parsed(body, related={"numbering.xml": ("numbering", numbering)}).text == (
        "1. Scope\n1.a) Trams\n1.b) Ferries\n2. Duties\n2.a) Drivers"
    )


def test_a_document_without_text_is_empty() -> None:
    assert parsed(p("") + "<w:p><w:r><w:drawing/></w:r></w:p>").text == ""


def test_outside_entities_are_not_read() -> None:
    prolog = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname"><!ENTITY f "inner">]>'
    assert parsed("<w:p><w:r><w:t>before &e;&f; after</w:t></w:r></w:p>", prolog=prolog).text == "before"


def test_entities_that_multiply_are_refused() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    prolog = f'<!DOCTYPE x [<!ENTITY e0 "lol">{entities}]>'
    with pytest.raises(Rejected) as rejected:
        parsed("<w:p><w:r><w:t>&e11;</w:t></w:r></w:p>", prolog=prolog)
    assert rejected.value.code == "damaged"


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 cut off",
        zipped({"word/document.xml": "<w/>"}),
        word("<w:p>"),
        word(p("x"))[:-30],
        word("<w:sdt>" * 600),
    ],
)
def test_broken_files_are_damaged(content: bytes) -> None:
    with pytest.raises(Rejected) as rejected:
        parse_docx(content, source="x.docx")
    assert rejected.value.code == "damaged"
