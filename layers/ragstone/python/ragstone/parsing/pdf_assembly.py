"""A PDF's pages put together to one text: headings, tables, paragraphs that run on, no running heads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.lines import reflow
from ragstone.parsing.pdf_flow import Flow, FlowLine
from ragstone.parsing.pdf_furniture import EdgeLine, furniture
from ragstone.parsing.pdf_headings import headings_of, title_of
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_outline import Bookmark, FoundHeading, headings_on_page
from ragstone.parsing.pdf_tables import with_tables
from ragstone.types import BlockKind


def assemble(
    builder: DocumentBuilder,
    pages: Sequence[Sequence[PageItem]],
    bookmarks: Sequence[Bookmark],
    *,
    labels: Sequence[str] = (),
    first: int = 1,
) -> str | None:
    """Write pages into the builder, and return the title that the document's first page shows.

    The first of the pages has the number `first`; `labels` are what they call themselves.
    """
    shown = [list(with_tables(items)) for items in _without_furniture(pages, labels, first)]
    headings = headings_of(shown, list(_outlined(shown, bookmarks, first)))
    begun = first - 1
    for joint, line, text in reflow(list(_flow(shown, headings, first))):
        begun = _begin_pages(builder, begun, line.page or 0)
        if line.level:
            builder.heading(text, line.level)
        else:
            builder.block(text, joint=joint, kind=line.kind if isinstance(line, FlowLine) else BlockKind.PARAGRAPH)
    _begin_pages(builder, begun, first - 1 + len(pages))
    return title_of(shown, headings) if first == 1 else None


def _without_furniture(pages: Sequence[Sequence[PageItem]], labels: Sequence[str], first: int) -> list[list[PageItem]]:
    """The pages without running heads and page numbers; only lines can be such."""
    places = [[at for at, item in enumerate(items) if isinstance(item, PageLine)] for items in pages]
    edges = [
        [EdgeLine(item.text, round(item.size), item.y) for item in items if isinstance(item, PageLine)]
        for items in pages
    ]
    shown: list[list[PageItem]] = []
    for items, lines, found in zip(pages, places, furniture(edges, labels=labels, first=first), strict=True):
        gone = {lines[at] for at in found}
        shown.append([item for at, item in enumerate(items) if at not in gone])
    return shown


def _flow(
    pages: Sequence[Sequence[PageItem]], headings: Sequence[Mapping[int, FoundHeading]], first: int
) -> Iterator[FlowLine]:
    flow = Flow()
    for number, (items, found) in enumerate(zip(pages, headings, strict=True), start=first):
        yield from flow.lines(items, found, number)


def _outlined(
    pages: Sequence[Sequence[PageItem]], bookmarks: Sequence[Bookmark], first: int
) -> Iterator[dict[int, FoundHeading]]:
    """Each page's headings that bookmarks point to."""
    by_page: defaultdict[int, list[Bookmark]] = defaultdict(list)
    for bookmark in bookmarks:
        by_page[bookmark.page].append(bookmark)
    for number, items in enumerate(pages, start=first):
        texts = [item.text if isinstance(item, PageLine) else "" for item in items]
        yield dict(headings_on_page(texts, by_page[number]))


def _begin_pages(builder: DocumentBuilder, begun: int, upto: int) -> int:
    for number in range(begun + 1, upto + 1):
        builder.page(number)
    return max(begun, upto)
