"""The media types that can be read, and the file names that promise them."""

from __future__ import annotations

from pathlib import PurePosixPath

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
RTF = "application/rtf"
EML = "message/rfc822"
HTML = "text/html"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
CSV = "text/csv"
TSV = "text/tab-separated-values"
JSON = "application/json"
JSONL = "application/jsonl"

NAMES = {
    PDF: "PDF",
    DOCX: "DOCX",
    PPTX: "PPTX",
    XLSX: "XLSX",
    ODT: "ODT",
    RTF: "RTF",
    EML: "EML",
    HTML: "HTML",
    MARKDOWN: "Markdown",
    TEXT: "plain text",
    CSV: "CSV",
    TSV: "TSV",
    JSON: "JSON",
    JSONL: "JSONL",
}
BINARY = frozenset({PDF, DOCX, PPTX, XLSX, ODT})

_BY_EXTENSION = {
    ".pdf": PDF,
    ".docx": DOCX,
    ".docm": DOCX,
    ".pptx": PPTX,
    ".pptm": PPTX,
    ".xlsx": XLSX,
    ".xlsm": XLSX,
    ".odt": ODT,
    ".rtf": RTF,
    ".eml": EML,
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


def supported() -> str:
    """All formats in words."""
    *names, last = NAMES.values()
    return f"{', '.join(names)} and {last}"
