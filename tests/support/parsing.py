"""Parsing as ingestion asks for it, all in one turn."""

from __future__ import annotations

from ragstone import parsing
from ragstone.ingestion import Budget
from ragstone.ports import Keep, Parser, ResumableParser
from ragstone.types import ParsedDocument


def parse(content: bytes, *, source: str, budget: Budget) -> ParsedDocument:
    return parsing.parse(content, source=source)


def in_one_turn(parser: Parser) -> ResumableParser:
    """The parser, keeping nothing."""

    def parse_now(content: bytes, *, source: str, keep: Keep) -> ParsedDocument:
        return parser(content, source=source)

    return parse_now
