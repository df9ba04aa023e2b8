"""The media types that can be read, and the file names that promise them."""

from __future__ import annotations

from pathlib import PurePosixPath

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
HTML = "text/html"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
CSV = "text/csv"
TSV = "text/tab-separated-values"
JSON = "application/json"
JSONL = "application/jsonl"

BINARY = frozenset({PDF, DOCX})
SUPPORTED = "PDF, DOCX, HTML, Markdown, plain text, CSV, TSV, JSON and JSONL"

_BY_EXTENSION = {
    ".pdf": PDF,
    ".docx": DOCX,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": TEXT,
    ".text": TEXT,
    ".log": TEXT,
    ".rst": TEXT,
    ".csv": CSV,
    ".tsv": TSV,
    ".json": JSON,
    ".jsonl": JSONL,
    ".ndjson": JSONL,
}


def extension(source: str) -> str:
    """The lower-case extension with its dot, or an empty string."""
    return PurePosixPath(source).suffix.lower()


def by_name(source: str) -> str | None:
    """The media type that the file name promises, or None for names that promise nothing we read."""
    return _BY_EXTENSION.get(extension(source))
