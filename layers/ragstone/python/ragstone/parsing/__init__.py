"""Files to text with structure: `parse` finds the type, reads it, or raises Rejected with a reason."""

from ragstone.parsing.reader import parse
from ragstone.parsing.registry import parser_of, parsers

__all__ = ["parse", "parser_of", "parsers"]
