from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.builder import LINE, DocumentBuilder
from ragstone.types import BlockKind, ParsedDocument
from tests.unit.parsing.reading import blocks, check_spans

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("block"), st.text(max_size=20)),
        st.tuples(st.just("line"), st.text(max_size=20)),
        st.tuples(st.sampled_from(["list", "table", "code"]), st.text(max_size=20)),
        st.tuples(st.just("wrapped"), st.text(max_size=20)),
        st.tuples(st.just("heading"), st.text(max_size=10)),
        st.tuples(st.just("page"), st.just("")),
    )
)


def built(steps: Sequence[tuple[str, str]]) -> ParsedDocument:
    builder = DocumentBuilder("text/plain", "test")
    page = 0
    for level, (kind, text) in enumerate(steps):
        if kind == "block":
            builder.block(text)
        elif kind == "line":
            builder.block(text, joint=LINE)
        elif kind == "wrapped":
            builder.block(text, joint=" ")
        elif kind in ("list", "table", "code"):
            builder.block(text, joint=LINE, kind=BlockKind(kind))
        elif kind == "heading":
            builder.heading(text, 1 + level % 4)
        else:
            page += 1
            builder.page(page)
    return builder.build()


@given(STEPS)
def test_sections_cover_the_text_from_the_first_heading_on_and_begin_with_their_title(
    steps: list[tuple[str, str]],
) -> None:
    document = built(steps)
    ends = [section.start for section in document.sections[1:]] + [len(document.text)]
    assert [section.end for section in document.sections] == (ends if document.sections else [])
    for section in document.sections:
        assert document.text[section.start : section.end].startswith(section.title)
        assert section.path[-1] == section.title


@given(STEPS)
def test_pages_follow_each_other_without_a_gap(steps: list[tuple[str, str]]) -> None:
    document = built(steps)
    assert [page.number for page in document.pages] == [n + 1 for n in range(sum(kind == "page" for kind, _ in steps))]
    for page, following in zip(document.pages, document.pages[1:], strict=False):
        assert page.start <= page.end == following.start
    if document.pages:
        assert document.pages[-1].end == len(document.text)


@given(STEPS)
def test_text_has_no_blank_ends_and_no_holes(steps: list[tuple[str, str]]) -> None:
    text = built(steps).text
    assert text == text.rstrip()
    assert not text.startswith("\n")


@given(STEPS)
def test_blocks_are_in_order_apart_and_cover_all_but_white_space(steps: list[tuple[str, str]]) -> None:
    check_spans(built(steps))


@given(STEPS)
def test_an_included_document_keeps_its_blocks_and_goes_below(
    inner: list[tuple[str, str]],
) -> None:
    builder = DocumentBuilder("text/plain", "test")
    builder.heading("Attachment", 2)
    builder.include(built(inner), below=2)
    document = builder.build()
    check_spans(document)
    assert blocks(document)[1:] == blocks(built(inner))
    assert all(section.path[0] == "Attachment" for section in document.sections)


def test_lines_of_a_list_are_one_block_and_lines_of_prose_are_not() -> None:
    builder = DocumentBuilder("text/plain", "test")
    builder.block("Bring:")
    builder.block("- a coat", joint=LINE, kind=BlockKind.LIST)
    builder.block("- a hat", joint=LINE, kind=BlockKind.LIST)
    builder.block("- another list", kind=BlockKind.LIST)
    builder.block("Ilver Sound")
    builder.block("12 Quay Street,", joint=LINE)
    builder.block("Tamsey", joint=" ")
    assert blocks(builder.build()) == [
        ("paragraph", "Bring:"),
        ("list", "- a coat\n- a hat"),
        ("list", "- another list"),
        ("paragraph", "Ilver Sound"),
        ("paragraph", "12 Quay Street, Tamsey"),
    ]


def test_a_section_path_names_the_headings_above() -> None:
    builder = DocumentBuilder("text/plain", "test")
    for title, level in (("Handbook", 1), ("Fares", 2), ("Night", 3), ("Refunds", 2), ("Annex", 1)):
        builder.heading(title, level)
    assert [section.path for section in builder.build().sections] == [
        ("Handbook",),
        ("Handbook", "Fares"),
        ("Handbook", "Fares", "Night"),
        ("Handbook", "Refunds"),
        ("Annex",),
    ]


def test_pages_without_text_are_kept_as_empty_spans() -> None:
    builder = DocumentBuilder("application/pdf", "test")
    builder.page(1)
    builder.block("One.")
    builder.page(2)
    builder.page(3)
    builder.block("Three.")
    builder.page(4)
    document = builder.build()
    assert document.text == "One.\n\nThree."
    assert [(page.number, page.start, page.end) for page in document.pages] == [
        (1, 0, 6),
        (2, 6, 6),
        (3, 6, 12),
        (4, 12, 12),
    ]


def test_a_paragraph_may_run_over_a_page_s_end() -> None:
    builder = DocumentBuilder("application/pdf", "test")
    builder.page(1)
    builder.block("The boat leaves")
    builder.page(2)
    builder.block("at nine.", joint=" ")
    document = builder.build()
    assert document.text == "The boat leaves at nine."
    assert document.text[document.pages[1].start :] == "at nine."


def test_a_language_tag_is_cut_to_its_language() -> None:
    builder = DocumentBuilder("text/html", "test")
    assert builder.build(language="de-CH").language == "de"
    assert builder.build(language="EN_us").language == "en"
    assert builder.build(language="x-klingon").language is None
    assert builder.build(language="").language is None
