"""What pypdf reads from a PDF, and what becomes of its errors: the one module that talks to it about documents."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ragstone.errors import Rejected
from ragstone.parsing.cleaning import clean
from ragstone.parsing.pdf_lines import PageLine, page_lines
from ragstone.parsing.pdf_outline import Bookmark

if TYPE_CHECKING:
    from pypdf import PdfReader

T = TypeVar("T")

# What pypdf raises, beside its own errors, on objects of a type or size that it did not expect.
_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
_LONGEST_STREAM = 25_000_000
"""Bytes of one page's unpacked content: pictures, which may be larger, are never unpacked."""
_MOST_OVERSIZED_PAGES = 10
_MOST_SECONDS = 600
_NOT_A_TITLE = re.compile(
    r"untitled\b.*|.*\.(?:docx?|pdf|txt|indd|tex|pptx?)|microsoft word\b.*|powerpoint presentation", re.I
)


@dataclass(slots=True)
class Extracted:
    """The lines of each page, which pages (from 1) could not be read, and what the file says of itself."""

    pages: list[list[PageLine]] = field(default_factory=list[list[PageLine]])
    unreadable: list[int] = field(default_factory=list[int])
    oversized: list[int] = field(default_factory=list[int])
    bookmarks: list[Bookmark] = field(default_factory=list[Bookmark])
    title: str | None = None
    language: str | None = None

    @property
    def without_text(self) -> list[int]:
        failed = {*self.unreadable, *self.oversized}
        return [number for number, lines in enumerate(self.pages, start=1) if not lines and number not in failed]


def extract(content: bytes, source: str) -> Extracted:
    """Read a PDF, with the empty password if it is protected.

    Raises Rejected: `encrypted`, `too_large` when it unpacks to too much or takes too long, `damaged` when it can't be
    opened. A single page that can't be read doesn't cost the others.
    """
    from pypdf import PdfReader, apply_configuration
    from pypdf.errors import FileNotDecryptedError, LimitReachedError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it had to mend is no news to whoever reads our log
    try:
        with apply_configuration(zlib_maximum_output_length=_LONGEST_STREAM), PdfReader(BytesIO(content)) as reader:
            return _extract(reader, source)
    except FileNotDecryptedError as error:
        raise Rejected("encrypted", f"{source} needs a password; save it without one and upload it again.") from error
    except LimitReachedError as error:
        raise too_large(source) from error
    except (PyPdfError, *_FAULTS) as error:
        raise Rejected("damaged", f"{source} is damaged and can't be opened as a PDF; export it again.") from error


def too_large(source: str) -> Rejected:
    return Rejected("too_large", f"{source} unpacks to more than can be read safely; split it and upload the parts.")


def _extract(reader: PdfReader, source: str) -> Extracted:
    extracted = Extracted()
    _read_pages(reader, extracted, source)
    extracted.bookmarks = _unless_broken(lambda: list(_flattened(reader, reader.outline, level=1))) or []
    extracted.title = _unless_broken(lambda: _title(reader))
    extracted.language = _unless_broken(lambda: str(reader.root_object.get("/Lang") or ""))
    return extracted


def _read_pages(reader: PdfReader, extracted: Extracted, source: str) -> None:
    from pypdf.errors import LimitReachedError, PyPdfError

    latest = perf_counter() + _MOST_SECONDS
    for number, page in enumerate(reader.pages, start=1):
        lines: list[PageLine] = []
        try:
            lines = page_lines(page)
        except LimitReachedError:
            extracted.oversized.append(number)
        except (PyPdfError, *_FAULTS):
            extracted.unreadable.append(number)
        extracted.pages.append(lines)
        if len(extracted.oversized) > _MOST_OVERSIZED_PAGES or perf_counter() > latest:
            raise too_large(source)


def _unless_broken(read: Callable[[], T]) -> T | None:
    """What the file says of itself, or None where that is damaged: the text is worth having all the same."""
    from pypdf.errors import PyPdfError

    try:
        return read()
    except (PyPdfError, *_FAULTS):
        return None


def _flattened(reader: PdfReader, outline: Sequence[Any], *, level: int) -> Iterator[Bookmark]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _flattened(reader, cast("list[Any]", entry), level=level + 1)
        elif (index := reader.get_destination_page_number(entry)) is not None:
            yield Bookmark(clean(str(entry.title)), level, index + 1)


def _title(reader: PdfReader) -> str | None:
    """The title from the metadata, unless it is what a program writes when nobody gave one."""
    title = clean(reader.metadata.title or "").strip() if reader.metadata else ""
    return title if title and not _NOT_A_TITLE.fullmatch(title) else None
