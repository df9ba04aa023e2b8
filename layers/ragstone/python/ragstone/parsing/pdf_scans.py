"""Scanned pages of a PDF, read by OCR and put among its other pages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, takewhile

from pydantic import TypeAdapter

from ragstone.parsing import media
from ragstone.parsing.builder import PARAGRAPH, DocumentBuilder
from ragstone.parsing.languages import written_in
from ragstone.parsing.ocr import Ocr, OcrLine, recognised
from ragstone.parsing.pdf import silence
from ragstone.parsing.pdf_assembly import assemble
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.resumable import unkept
from ragstone.ports import Keep, ResumableParser
from ragstone.types import Block, BlockKind, Page, ParsedDocument

_LINES = TypeAdapter(Mapping[int, Sequence[OcrLine]])


@dataclass(frozen=True, slots=True, kw_only=True)
class WithOcr:
    """Parses like `parse`; pages of PDFs that are left without text are read by `ocr`, and only those.

    OCR is outside of `parse`, which may run where there are neither credentials nor much memory.
    """

    parse: ResumableParser
    ocr: Ocr

    def __call__(self, content: bytes, *, source: str, keep: Keep = unkept) -> ParsedDocument:
        """Raises what `parse`, `ocr` and `keep` raise."""
        document = self.parse(content, source=source, keep=keep)
        silent = _without_text(document) if document.media_type == media.PDF else []
        read = {number: recognised(lines) for number, lines in self._read(content, silent, keep)}
        scans = {number: items for number, items in read.items() if items}
        return _with_scans(document, scans, self.ocr.name) if scans else document

    def _read(self, content: bytes, silent: Sequence[int], keep: Keep) -> Iterator[tuple[int, Sequence[OcrLine]]]:
        """The lines of pages by their numbers, read in parts."""
        for start in range(0, len(silent), self.ocr.pages_at_once):
            pages = silent[start : start + self.ocr.pages_at_once]
            recognise = partial(self._recognise, content, pages)
            lines = keep(f"{self.ocr.name}-{pages[0]}-{pages[-1]}", recognise, seconds=self.ocr.seconds)
            yield from _LINES.validate_json(lines).items()

    def _recognise(self, content: bytes, pages: Sequence[int]) -> bytes:
        return _LINES.dump_json(self.ocr.read(content, pages))


def _with_scans(document: ParsedDocument, scans: Mapping[int, Sequence[PageItem]], ocr: str) -> ParsedDocument:
    builder, title = DocumentBuilder(media.PDF, ""), document.title
    for is_scanned, run in groupby(document.pages, key=lambda page: page.number in scans):
        pages = list(run)
        if is_scanned:
            first = pages[0].number
            title = assemble(builder, [scans[page.number] for page in pages], (), first=first) or title
        else:
            _rewritten(builder, document, pages)
    merged = builder.build(title=document.title or title, language=document.language, metadata=document.metadata)
    readers = [document.parser, ocr] if document.text else [ocr]
    return replace(
        merged,
        parser="+".join(readers),
        language=merged.language or written_in(merged.text),
        warnings=tuple(_warnings(document, scans)),
    )


def _rewritten(builder: DocumentBuilder, document: ParsedDocument, pages: Sequence[Page]) -> None:
    """Write pages of a document as they are; what ran on over a scanned page begins anew after it."""
    levels = {section.start: section.level for section in document.sections}
    end: int | None = None
    for page in pages:
        builder.page(page.number)
        for block in _blocks_on(page, document):
            text = document.text[block.start : block.end]
            if block.kind is BlockKind.HEADING:
                builder.heading(text, levels[block.start])
            else:
                builder.block(
                    text, joint=PARAGRAPH if end is None else document.text[end : block.start], kind=block.kind
                )
            end = block.end


def _blocks_on(page: Page, document: ParsedDocument) -> Iterator[Block]:
    """The blocks of a page, without the white space at their ends; one that runs over its end is cut there."""
    first = bisect_right(document.blocks, page.start, key=lambda block: block.end)
    for block in takewhile(lambda block: block.start < page.end, document.blocks[first:]):
        start, end = max(block.start, page.start), min(block.end, page.end)
        yield Block(block.kind, start, start + len(document.text[start:end].rstrip()))


def _without_text(document: ParsedDocument) -> list[int]:
    return [page.number for page in document.pages if not document.text[page.start : page.end].strip()]


def _warnings(document: ParsedDocument, scans: Mapping[int, object]) -> Iterator[str]:
    """The warnings of the document, about fewer pages without text."""
    before = _without_text(document)
    outdated = set(silence(before, len(document.pages)))
    yield from silence([number for number in before if number not in scans], len(document.pages))
    yield from (warning for warning in document.warnings if warning not in outdated)
