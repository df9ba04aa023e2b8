"""Values written so that a reader of Markdown sees them as they are."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[\\`*_\[\]<>~|&]|^[-+=#]|^\d(?=\d{0,8}[.)])")
"""What stands for something anywhere in a line, and what only begins one: a list, a rule, a heading, a number."""

_BREAK = "  \n"


def escaped(value: str) -> str:
    """The value with its marks as entities, which mean nothing but themselves wherever they stand."""
    return "\n".join(map(_escaped_line, value.splitlines()))


def with_line_breaks(text: str) -> str:
    """Lines that stay lines: Markdown would join them."""
    paragraphs = re.split(r"\n{2,}", text)
    return "\n\n".join(_BREAK.join(paragraph.split("\n")) for paragraph in paragraphs) + "\n"


def _escaped_line(line: str) -> str:
    return _MARKS.sub(lambda match: f"&#{ord(match[0])};", line.strip())
