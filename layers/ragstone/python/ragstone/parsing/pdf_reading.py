"""A PDF's pages with PDFium, and with pypdf where that reads more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from time import perf_counter

from ragstone.parsing.cleaning import garbled_share
from ragstone.parsing.pdf_bombs import holds_bomb
from ragstone.parsing.pdf_facts import Facts, PypdfFile, opened_with_pypdf
from ragstone.parsing.pdf_faults import Fault, UnreadablePage, damaged, encrypted, too_large
from ragstone.parsing.pdf_layout import PageItem, laid_out
from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_pdfium import PdfiumFile, PdfiumPage, opened_with_pdfium
from ragstone.parsing.pdf_visibility import visible
from ragstone.parsing.pdf_words import Word, by_direction

MOST_GARBLED = 0.1
_RESCUE_SECONDS = 60
"""How long pypdf may look for text that PDFium didn't find: on a page of drawings it takes its time for nothing."""


class Shown(Enum):
    """What a page shows; of text that nobody sees it is said that it shows none."""

    TEXT = auto()
    PICTURES = auto()
    NOTHING = auto()
    BROKEN = auto()
    """No library can load it."""


@dataclass(frozen=True, slots=True)
class PageRead:
    """What stands on a page, the library that read it, and the share of letters that nobody knows."""

    shown: Shown
    items: Sequence[PageItem] = ()
    reader: str = "pdfium"
    garbled: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A PDF's pages, the first of which has the number `first` (from 1), and what the file says of itself."""

    pages: Sequence[PageRead]
    first: int
    facts: Facts

    def numbered(self, told: Callable[[PageRead], bool]) -> list[int]:
        """The numbers of the pages of which this is true."""
        return [number for number, page in enumerate(self.pages, start=self.first) if told(page)]


def read_pages(content: bytes, *, source: str, first_page: int = 0, last_page: int | None = None) -> Reading:
    """Read the pages with the indices `[first_page, last_page)`; what the file says of itself comes with the first.

    Raises Rejected: `encrypted` (the empty password is tried), `too_large` when it unpacks to too much, `damaged` when
    it can't be opened. A single page that can't be read doesn't cost the others.
    """
    if holds_bomb(content):
        raise too_large(source)
    pypdf = opened_with_pypdf(content)
    with opened_with_pdfium(content) as pdfium:
        if isinstance(pdfium, Fault) and isinstance(pypdf, Fault):
            raise encrypted(source) if Fault.LOCKED in (pdfium, pypdf) else damaged(source)
        pages = _Pages(None if isinstance(pdfium, Fault) else pdfium, None if isinstance(pypdf, Fault) else pypdf)
        read = [pages.read(index) for index in range(len(pages))[first_page:last_page]]
        facts = Facts() if first_page or isinstance(pypdf, Fault) else pypdf.facts()
        return Reading(read, first_page + 1, facts)


@dataclass(slots=True)
class _Pages:
    pdfium: PdfiumFile | None
    pypdf: PypdfFile | None
    _seconds_left: float = field(default=_RESCUE_SECONDS)

    def __len__(self) -> int:
        return (len(self.pdfium) if self.pdfium else 0) or (len(self.pypdf) if self.pypdf else 0)

    def read(self, index: int) -> PageRead:
        if self.pdfium is None:
            return self._with_pypdf(index) or PageRead(Shown.PICTURES)
        try:
            with self.pdfium.page(index) as page:
                words = page.words()
                read = self._with_pdfium(page, words)
        except UnreadablePage:
            return self._with_pypdf(index) or PageRead(Shown.BROKEN)
        is_doubtful = read.garbled > MOST_GARBLED or (read.shown is Shown.PICTURES and not words)
        rescued = self._with_pypdf(index) if is_doubtful else None
        return rescued if rescued and (not read.items or rescued.garbled < read.garbled) else read

    def _with_pdfium(self, page: PdfiumPage, words: Sequence[Word]) -> PageRead:
        seen = visible(words, page)
        if seen:
            return PageRead(Shown.TEXT, _items(seen, page), garbled=garbled_share("".join(word.text for word in seen)))
        if page.is_picture or not page.is_blank:
            return PageRead(Shown.PICTURES)
        # PDFium also makes a blank page of what is no PDF any more.
        return PageRead(Shown.BROKEN if self.pypdf is None else Shown.NOTHING)

    def _with_pypdf(self, index: int) -> PageRead | None:
        if self.pypdf is None or self._seconds_left <= 0:
            return None
        started = perf_counter()
        lines = self.pypdf.lines(index)
        self._seconds_left -= perf_counter() - started
        garbled = garbled_share("".join(line.text for line in lines))
        return PageRead(Shown.TEXT, lines, "pypdf", garbled) if lines else None


def _items(words: Sequence[Word], page: PdfiumPage) -> list[PageItem]:
    """The page's main text, then what runs another way."""
    items: list[PageItem] = []
    for number, group in enumerate(by_direction(words)):
        rules = page.rules(group[0].turn) if number == 0 else ()
        found = laid_out(group, rules, column=items[-1].column + 1 if items else 0)
        items += [replace(item, gap=True) if number and isinstance(item, PageLine) else item for item in found]
    return items
