"""The table of parsers by media type; each format's module adds itself when its first file comes."""

from __future__ import annotations

from importlib import import_module

from ragstone.parsing import media
from ragstone.ports import Parser
from ragstone.registry import Registry

parsers: Registry[Parser] = Registry("media type")

_MODULES = {
    media.PDF: "pdf",
    media.DOCX: "docx",
    media.PPTX: "pptx",
    media.XLSX: "xlsx",
    media.ODT: "odt",
    media.RTF: "rtf",
    media.EML: "eml",
    media.HTML: "html",
    media.MARKDOWN: "markdown",
    media.TEXT: "plain_text",
    media.CSV: "delimited",
    media.TSV: "delimited",
    media.JSON: "structured",
    media.JSONL: "structured",
}


def parser_of(media_type: str) -> Parser:
    """The parser of a supported media type."""
    if media_type not in parsers:
        import_module(f"{__package__}.{_MODULES[media_type]}")
    return parsers[media_type]
