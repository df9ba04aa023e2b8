"""Puts a document together block by block, and knows where its sections and pages lie in the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from ragstone.parsing.cleaning import clean, one_line
from ragstone.types import Block, BlockKind, Page, ParsedDocument, Section

PARAGRAPH = "\n\n"
LINE = "\n"


@dataclass(frozen=True, slots=True)
class _Heading:
    title: str
    level: int
    start: int


@dataclass(slots=True)
class DocumentBuilder:
    """Collects a document's blocks in reading order; `build` returns them as one text with spans."""

    media_type: str
    parser: str
    warnings: list[str] = field(default_factory=list[str])
    _parts: list[str] = field(default_factory=list[str])
    _length: int = 0
    _blocks: list[Block] = field(default_factory=list[Block])
    _headings: list[_Heading] = field(default_factory=list[_Heading])
    _page_starts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    _waiting_pages: list[int] = field(default_factory=list[int])

    def block(self, text: str, *, joint: str = PARAGRAPH, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Add text, set off from the text before it by `joint`; blank text adds nothing."""
        cleaned = clean(text).strip("\n").rstrip()
        if not cleaned.strip():
            return
        if self._parts:
            self._write(joint)
        self._page_starts.extend((number, self._length) for number in self._waiting_pages)
        self._waiting_pages.clear()
        self._blocks.append(Block(kind, self._length, self._length + len(cleaned)))
        self._write(cleaned)

    def heading(self, title: str, level: int) -> None:
        """Add a heading as a line of its own; it opens a section that lasts until the next heading."""
        shown = one_line(title)
        if shown:
            start = self._length + len(PARAGRAPH) if self._parts else 0
            self._headings.append(_Heading(shown, level, start))
            self.block(shown, kind=BlockKind.HEADING)

    def page(self, number: int) -> None:
        """Say that what follows is on this page; numbers count from 1 and rise."""
        self._waiting_pages.append(number)

    @property
    def first_heading(self) -> str | None:
        return self._headings[0].title if self._headings else None

    def build(self, *, title: str | None = None, language: str | None = None) -> ParsedDocument:
        return ParsedDocument(
            text="".join(self._parts),
            media_type=self.media_type,
            parser=self.parser,
            title=one_line(title or "") or None,
            sections=self._sections(),
            pages=self._pages(),
            blocks=tuple(self._blocks),
            language=_primary_language(language),
            warnings=tuple(self.warnings),
        )

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _sections(self) -> tuple[Section, ...]:
        ends = [heading.start for heading in self._headings[1:]] + [self._length]
        open_headings: list[_Heading] = []
        sections: list[Section] = []
        for heading, end in zip(self._headings, ends, strict=False):
            open_headings = [above for above in open_headings if above.level < heading.level] + [heading]
            path = tuple(above.title for above in open_headings)
            sections.append(Section(heading.title, heading.level, path, heading.start, end))
        return tuple(sections)

    def _pages(self) -> tuple[Page, ...]:
        starts = self._page_starts + [(number, self._length) for number in self._waiting_pages]
        ends = [start for _, start in starts[1:]] + [self._length]
        return tuple(Page(number, start, end) for (number, start), end in zip(starts, ends, strict=False))


def _primary_language(tag: str | None) -> str | None:
    """The language of a tag such as `de-CH`, in lower case; None unless it is two or three letters."""
    primary = (tag or "").strip().replace("_", "-").partition("-")[0].lower()
    return primary if primary.isascii() and primary.isalpha() and len(primary) in (2, 3) else None
