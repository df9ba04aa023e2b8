"""Puts a document together block by block, and knows where its sections and pages lie in the text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ragstone.parsing.block_kinds import kind_of
from ragstone.parsing.cleaning import clean, one_line
from ragstone.types import Block, BlockKind, Metadata, MetadataValue, Page, ParsedDocument, Section

PARAGRAPH = "\n\n"
LINE = "\n"
_OF_LINES = frozenset({BlockKind.LIST, BlockKind.TABLE, BlockKind.CODE})


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
        """Add text, set off from the text before it by `joint`; blank text adds nothing.

        What goes on in the same line belongs to the block before it, as do further lines of a list, table or code.
        """
        cleaned = clean(text).strip("\n").rstrip()
        if not cleaned.strip():
            return
        if self._parts:
            self._write(joint)
        self._page_starts.extend((number, self._length) for number in self._waiting_pages)
        self._waiting_pages.clear()
        start = self._length
        self._write(cleaned)
        if self._blocks and _goes_on(self._blocks[-1].kind, joint, kind):
            self._blocks[-1] = replace(self._blocks[-1], end=self._length)
        else:
            self._blocks.append(Block(kind, start, self._length))

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

    def include(self, document: ParsedDocument, *, below: int) -> None:
        """Add another document's blocks, its sections under a heading of level `below`; its pages are lost."""
        levels = {section.start: section.level for section in document.sections}
        end = 0
        for block in document.blocks:
            text, between = document.text[block.start : block.end], document.text[end : block.start]
            if block.kind is BlockKind.HEADING:
                self.heading(text, below + levels[block.start])
            else:
                self.block(text, joint=between or PARAGRAPH, kind=block.kind)
            end = block.end

    @property
    def first_heading(self) -> str | None:
        return self._headings[0].title if self._headings else None

    def build(
        self, *, title: str | None = None, language: str | None = None, metadata: Metadata | None = None
    ) -> ParsedDocument:
        text = "".join(self._parts)
        return ParsedDocument(
            text=text,
            media_type=self.media_type,
            parser=self.parser,
            title=one_line(title or "") or None,
            sections=self._sections(),
            pages=self._pages(),
            blocks=tuple(_looked_at(block, text) for block in self._blocks),
            language=_primary_language(language),
            metadata=metadata or dict[str, MetadataValue](),
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


def _goes_on(before: BlockKind, joint: str, kind: BlockKind) -> bool:
    """Whether text with this joint is part of the block before it."""
    if BlockKind.HEADING in (before, kind) or PARAGRAPH in joint:
        return False
    return LINE not in joint or (kind is before and kind in _OF_LINES)


def _looked_at(block: Block, text: str) -> Block:
    """The block; a paragraph with the kind that its words tell."""
    if block.kind is not BlockKind.PARAGRAPH:
        return block
    return replace(block, kind=kind_of(text[block.start : block.end]))


def _primary_language(tag: str | None) -> str | None:
    """The language of a tag such as `de-CH`, in lower case; None unless it is two or three letters."""
    primary = (tag or "").strip().replace("_", "-").partition("-")[0].lower()
    return primary if primary.isascii() and primary.isalpha() and len(primary) in (2, 3) else None
