"""Where a document's formulas stand."""

from __future__ import annotations

import re

from ragstone.chunking.structure import blocks_between
from ragstone.text import Span
from ragstone.types import BlockKind, ParsedDocument

# A formula has no blank line and none of its own kind in it: two signs far apart are not its ends.
FORMULA = re.compile(
    r"""
    \$\$ (?: \\. | \n(?![^\S\n]*\n) | [^$\\\n] )+ \$\$
    | (?<!\\)\\\[ (?: \\\\ | \\(?![\[\]\\]) | \n(?![^\S\n]*\n) | [^\\\n] )+ \\\]
    """,
    re.DOTALL | re.VERBOSE,
)


def formulas_in(document: ParsedDocument, start: int, end: int) -> tuple[Span, ...]:
    """`$$…$$`, `\\[…\\]` and blocks of that kind in `[start, end)`, in order.

    The signs pair up from the start of a paragraph on, so a part of one alone may seem to have other formulas.
    """
    marked = [Span(*found.span()) for found in FORMULA.finditer(document.text, start, end)]
    blocks = (block for block in blocks_between(document, start, end) if block.kind is BlockKind.FORMULA)
    return tuple(sorted([*marked, *(Span(max(b.start, start), min(b.end, end)) for b in blocks)]))
