"""A PDF's pages put together to one text: headings, tables, paragraphs that run on, no running heads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.lines import Line, reflow
from ragstone.parsing.pdf_furniture import furniture
from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_outline import Bookmark, headings_on_page
from ragstone.parsing.pdf_tables import PageTable, tables_on_page
from ragstone.parsing.tables import row_lines


def assemble(builder: DocumentBuilder, pages: Sequence[Sequence[PageLine]], bookmarks: Sequence[Bookmark]) -> None:
    """Write all pages, in order from page 1, into the builder."""
    by_page: defaultdict[int, list[Bookmark]] = defaultdict(list)
    for bookmark in bookmarks:
        by_page[bookmark.page].append(bookmark)
    gone = furniture([[(line.text, round(line.size)) for line in lines] for lines in pages])
    shown = [[line for at, line in enumerate(lines) if at not in gone[page]] for page, lines in enumerate(pages)]
    flow = [line for number, lines in enumerate(shown, start=1) for line in _lines(lines, number, by_page[number])]
    begun = 0
    for joint, line, text in reflow(flow):
        begun = _begin_pages(builder, begun, line.page or 0)
        if line.level:
            builder.heading(text, line.level)
        else:
            builder.block(text, joint=joint)
    _begin_pages(builder, begun, len(pages))


def _begin_pages(builder: DocumentBuilder, begun: int, upto: int) -> int:
    for number in range(begun + 1, upto + 1):
        builder.page(number)
    return max(begun, upto)


def _lines(lines: Sequence[PageLine], page: int, bookmarks: Sequence[Bookmark]) -> Iterator[Line]:
    """A page's lines as text: headings where bookmarks are found, tables as rows that name their columns."""
    headings = headings_on_page([line.text for line in lines], bookmarks)
    tables = tables_on_page(lines, first_page=page == 1)
    at = 0
    while at < len(lines):
        if at in headings:
            yield Line(headings[at].text, page, level=headings[at].level)
            at += headings[at].lines
        elif at in tables:
            yield from _table(tables[at], page)
            at += tables[at].lines
        else:
            line = lines[at]
            yield Line(line.text, page, line.column, gap=line.gap and at > 0, row=line.has_columns)
            at += 1


def _table(table: PageTable, page: int) -> Iterator[Line]:
    header, body = (table.rows[0], table.rows[1:]) if table.headed else (None, table.rows)
    for number, text in enumerate(row_lines(body, header)):
        yield Line(text, page, gap=number == 0, row=True)
