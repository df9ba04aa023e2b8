from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing.pptx import parse_pptx
from ragstone.types import ParsedDocument
from tests.unit.parsing.made_office import CORE, a_p, part, pptx, shape, slide
from tests.unit.parsing.reading import blocks


def parsed(*slides: str, related: dict[int, list[tuple[str, str]]] | None = None) -> ParsedDocument:
    return parse_pptx(pptx(*slides, related=related), source="x.pptx")


def frame(inner: str) -> str:
    return f"<p:graphicFrame><a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic></p:graphicFrame>"


def table(*rows: str, properties: str = '<a:tblPr firstRow="1"/>') -> str:
    return frame(f"<a:tbl>{properties}{''.join(f'<a:tr>{row}</a:tr>' for row in rows)}</a:tbl>")


def cell(text: str, attributes: str = "") -> str:
    return f"<a:tc {attributes}><a:txBody>{a_p(text)}</a:txBody></a:tc>"


def test_each_slide_is_a_page_and_a_section() -> None:
    document = parsed(
        slide(shape("Winter timetable", place="ctrTitle"), shape("From 1 November", place="subTitle")),
        slide(),
        slide(shape("A slide without a title.")),
    )
    assert document.text == "Winter timetable\n\nFrom 1 November\n\nSlide 3\n\nA slide without a title."
    assert [(page.number, document.text[page.start : page.end].strip()) for page in document.pages] == [
        (1, "Winter timetable\n\nFrom 1 November"),
        (2, ""),
        (3, "Slide 3\n\nA slide without a title."),
    ]
    assert [section.path for section in document.sections] == [("Winter timetable",), ("Slide 3",)]
    assert document.title == "Winter timetable"


def test_the_title_comes_first_wherever_it_is_drawn() -> None:
    document = parsed(slide(shape("one", "two", place="body"), shape("Steps", place="title")))
    assert blocks(document) == [("heading", "Steps"), ("list", "- one\n- two")]


def test_bullets_and_numbers_are_as_the_slide_shows_them() -> None:
    document = parsed(
        slide(
            shape(
                "bullet by its place",
                a_p("none", "<a:pPr><a:buNone/></a:pPr>"),
                a_p("first", "<a:pPr><a:buAutoNum/></a:pPr>"),
                a_p("second", "<a:pPr><a:buAutoNum/></a:pPr>"),
                place="body",
            ),
            shape(a_p("bullet by its own", '<a:pPr><a:buChar char="•"/></a:pPr>')),
        )
    )
    assert blocks(document)[1:] == [
        ("list", "- bullet by its place"),
        ("paragraph", "none"),
        ("list", "1. first\n2. second"),
        ("list", "- bullet by its own"),
    ]


def test_a_table_s_rows_name_their_columns_and_merged_cells_are_opened_out() -> None:
    document = parsed(
        slide(
            table(
                cell("Route") + cell("Day") + cell("Sails"),
                cell("Skarholm", 'rowSpan="2"') + cell("Mon") + cell("07:05"),
                cell("", 'vMerge="1"') + cell("Tue") + cell("09:35"),
                cell("Not in winter", 'gridSpan="3"') + cell("", 'hMerge="1"') * 2,
            )
        )
    )
    assert blocks(document)[1:] == [
        (
            "table",
            "Route: Skarholm | Day: Mon | Sails: 07:05\nRoute: Skarholm | Day: Tue | Sails: 09:35\nNot in winter",
        )
    ]


def test_charts_and_diagrams_are_read_from_their_data() -> None:
    def points(name: str, *values: str) -> str:
        found = "".join(f"<c:pt><c:v>{value}</c:v></c:pt>" for value in values)
        return f"<c:{name}><c:cache>{found}</c:cache></c:{name}>"

    series = f"<c:ser>{points('tx', 'Trams')}{points('cat', '2025', '2026')}{points('val', '310', '345')}</c:ser>"
    title = f"<c:chart><c:title><c:tx>{a_p('Passengers')}</c:tx></c:title>{series}</c:chart>"
    diagram = "".join(f"<dgm:pt><dgm:t>{a_p(text)}</dgm:t></dgm:pt>" for text in ("Ask", "", "Answer"))
    document = parsed(
        slide(frame('<c:chart r:id="r1"/>'), frame('<dgm:relIds r:dm="r2"/>')),
        related={0: [("chart", part("c:chartSpace", title)), ("diagramData", part("dgm:dataModel", diagram))]},
    )
    assert blocks(document)[1:] == [
        ("caption", "Passengers"),
        ("table", "2025 | Trams: 310\n2026 | Trams: 345"),
        ("list", "- Ask\n- Answer"),
    ]


def test_notes_follow_their_slide_and_margins_are_left_out() -> None:
    notes = slide(shape("Mention the strike.", place="body"), shape("7", place="sldNum"))
    document = parsed(
        slide(shape("Fares", place="title"), shape("12", place="sldNum"), shape("Ilver Sound", place="ftr")),
        related={0: [("notesSlide", notes)]},
    )
    assert document.text == "Fares\n\nNotes: Mention the strike."


def test_hidden_shapes_are_left_out_groups_are_opened_and_alternatives_read_once() -> None:
    hidden = shape("secret").replace("id='1'", "id='1' hidden='1'")
    group = f"<p:grpSp><p:nvGrpSpPr><p:cNvPr id='2' name=''/></p:nvGrpSpPr>{shape('in a group')}</p:grpSp>"
    choice, fallback = f"<mc:Choice>{shape('once')}</mc:Choice>", f"<mc:Fallback>{shape('once')}</mc:Fallback>"
    twice = f"<mc:AlternateContent>{choice}{fallback}</mc:AlternateContent>"
    assert parsed(slide(hidden, group, twice)).text == "Slide 1\n\nin a group\n\nonce"


def test_a_formula_is_text() -> None:
    formula = (
        "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>"
    )
    assert parsed(slide(shape(f"<a:p>{formula}</a:p>"))).text == "Slide 1\n\nx^2"


def test_the_file_says_who_made_it_and_when() -> None:
    document = parse_pptx(pptx(slide(shape("x")), core=CORE), source="x.pptx")
    assert document.title == "Fares 2026"
    assert document.metadata == {
        "author": "Ada Okafor",
        "created": "2026-03-01T09:30:00Z",
        "modified": "2026-03-02T10:00:00Z",
    }


def test_the_title_that_powerpoint_makes_up_is_none() -> None:
    core = CORE.replace("Fares 2026", "PowerPoint-Präsentation")
    assert parse_pptx(pptx(slide(shape("Fares", place="title")), core=core), source="x.pptx").title == "Fares"


def test_a_deck_without_words_is_empty() -> None:
    document = parsed(slide(), slide("<p:pic/>"))
    assert (document.text, len(document.pages)) == ("", 2)


def test_a_deck_of_broken_xml_is_damaged() -> None:
    with pytest.raises(Rejected) as rejected:
        parsed("<p:sld")
    assert rejected.value.code == "damaged"
