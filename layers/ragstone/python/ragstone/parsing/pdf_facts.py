"""What a PDF says of itself: outline, page labels, title, language, dates, attached files, read with pypdf."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ragstone.parsing.cleaning import clean, one_line
from ragstone.parsing.pdf_faults import Fault
from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_outline import Bookmark
from ragstone.parsing.pdf_pypdf import page_lines
from ragstone.parsing.stated import stated
from ragstone.types import Metadata, MetadataValue

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
_MOST_BOOKMARKS = 20_000
_NOT_A_TITLE = re.compile(
    r"untitled\b.*|.*\.(?:docx?|pdf|txt|indd|tex|pptx?|xlsx?|rtf|html?|dvi|qxd)|microsoft (?:word|powerpoint)\b.*|"
    r"powerpoint presentation|slide 1|(?:document|print)\s?\d*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the file says of itself; `labels` are what its pages are called, in order."""

    bookmarks: tuple[Bookmark, ...] = ()
    labels: tuple[str, ...] = ()
    title: str | None = None
    language: str | None = None
    metadata: Metadata = field(default_factory=dict[str, MetadataValue])
    attachments: tuple[str, ...] = ()


class PypdfFile:
    """A PDF opened with pypdf; whatever is damaged in it is left out."""

    def __init__(self, reader: PdfReader) -> None:
        self._reader = reader

    def __len__(self) -> int:
        return _unless_broken(lambda: len(self._reader.pages)) or 0

    def lines(self, index: int) -> list[PageLine]:
        """A page's lines, by its index from 0; none if it can't be read."""
        return _unless_broken(lambda: page_lines(self._reader.pages[index])) or []

    def facts(self) -> Facts:
        reader = self._reader
        return Facts(
            bookmarks=tuple(_unless_broken(lambda: list(_bookmarks(reader, reader.outline, level=1))) or ()),
            labels=tuple(_unless_broken(lambda: list(reader.page_labels)) or ()),
            title=_unless_broken(lambda: _title(reader)),
            language=_unless_broken(lambda: str(reader.root_object.get("/Lang") or "")),
            metadata=_metadata(reader),
            attachments=tuple(map(one_line, _unless_broken(lambda: list(reader.attachments)) or ())),
        )


def opened_with_pypdf(content: bytes) -> PypdfFile | Fault:
    """Open with the empty password."""
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it had to mend is no news to whoever reads our log
    try:
        reader = PdfReader(BytesIO(content))
        len(reader.pages)
    except FileNotDecryptedError:
        return Fault.LOCKED
    except (PyPdfError, *_FAULTS):
        return Fault.BROKEN
    return PypdfFile(reader)


def _unless_broken(read: Callable[[], T]) -> T | None:
    """What pypdf reads, or None where the file is damaged there."""
    from pypdf import apply_configuration
    from pypdf.errors import PyPdfError

    try:
        with apply_configuration(zlib_maximum_output_length=_LONGEST_STREAM):
            return read()
    except (PyPdfError, *_FAULTS):
        return None


def _bookmarks(reader: PdfReader, outline: Sequence[Any], *, level: int) -> Iterator[Bookmark]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _bookmarks(reader, cast("list[Any]", entry), level=level + 1)
        elif (index := reader.get_destination_page_number(entry)) is not None:
            yield Bookmark(clean(str(entry.title)), level, index + 1)


def _title(reader: PdfReader) -> str | None:
    """The title from the metadata, unless it is what a program writes when nobody gave one."""
    title = one_line(reader.metadata.title or "") if reader.metadata else ""
    return title if title and not _NOT_A_TITLE.fullmatch(title) else None


def _metadata(reader: PdfReader) -> Metadata:
    document = _unless_broken(lambda: reader.metadata)
    if document is None:
        return {}
    return stated(
        author=_unless_broken(lambda: document.author),
        created=_unless_broken(lambda: document.creation_date),
        modified=_unless_broken(lambda: document.modification_date),
        subject=_unless_broken(lambda: document.subject),
        keywords=_unless_broken(lambda: document.keywords),
    )
