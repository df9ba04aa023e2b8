"""Files to text with structure: `parse` finds the type, reads it, or raises Rejected with a reason."""

from ragstone.parsing import delimited, docx, html, markdown, pdf, plain_text, structured
from ragstone.parsing.reader import parse
from ragstone.parsing.registry import parsers

__all__ = ["delimited", "docx", "html", "markdown", "parse", "parsers", "pdf", "plain_text", "structured"]
