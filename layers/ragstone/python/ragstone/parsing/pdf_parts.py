"""A long PDF in parts: its pages are read range by range, and put together to a document once all are there.

Only reading takes its time. Running heads, sizes of headings and paragraphs that run on are found in all pages at
once, so that the document is the same as if it had been read in one go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import attrgetter

from pydantic import TypeAdapter

from ragstone.parsing import media
from ragstone.parsing.pdf import document_of
from ragstone.parsing.pdf_reading import Reading, read_pages
from ragstone.parsing.reader import finished
from ragstone.types import ParsedDocument

_READING = TypeAdapter(Reading)


def read_part(content: bytes, *, source: str, first_page: int, last_page: int) -> str:
    """The pages with the indices `[first_page, last_page)` as a line of JSON; raises what `read_pages` does."""
    reading = read_pages(content, source=source, first_page=first_page, last_page=last_page)
    return json.dumps(_READING.dump_python(reading), default=attrgetter("value"))  # as it is: broken letters, infinity


def merged(parts: Iterable[bytes], *, source: str) -> ParsedDocument:
    """The document of all parts in order; raises what `document_of` does."""
    readings = [_READING.validate_python(json.loads(part)) for part in parts]
    return finished(document_of(readings, source=source), media.PDF, source)
