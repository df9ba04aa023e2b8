"""Documents for chunkers: short ways to write one, and arbitrary ones whose structure keeps to the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import regex
from hypothesis import strategies as st

from ragstone.chunking import ChunkSpan
from ragstone.chunking.formulas import FORMULA
from ragstone.types import Block, BlockKind, ParsedDocument, Section

PIECES = (
    *("a", "bc ", "Word. ", " ", "\n", "\n\n", "\r\n", ".", "! ", "? ", "。", " | ", "漢字", "é", "e\u0301", " \u0301"),
    *(
        "👩\u200d👧",
        "🇩🇪",
        "क्षि",
        "\u0600",
        "1",
        "\U000f0000",
        "\u200d",
        "# ",
        "```",
        "$$x. y$$",
        "\\[z! \\]",
        "$$",
        "\\[",
    ),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=60).map("".join)


class WordTokenizer:
    """Each run of letters is a token, and so is each other character."""

    spec = "words"

    def starts(self, text: str) -> Sequence[int]:
        return [found.start() for found in re.finditer(r"\w+|\W", text)]


def document(text: str, *, sections: Sequence[int] = (), blocks: Sequence[Block] = ()) -> ParsedDocument:
    """A document whose sections begin at the given places."""
    spans = pairwise([*sections, len(text)]) if sections else ()
    made = tuple(Section(f"s{number}", 1, (f"s{number}",), *span) for number, span in enumerate(spans))
    return ParsedDocument(text=text, media_type="text/plain", parser="test", sections=made, blocks=tuple(blocks))


def blocks_of(*parts: tuple[BlockKind, str]) -> ParsedDocument:
    """A document without sections, put together from blocks."""
    blocks: list[Block] = []
    text = ""
    for kind, part in parts:
        text += "\n\n" if text else ""
        blocks.append(Block(kind, len(text), len(text) + len(part)))
        text += part
    return document(text, blocks=blocks)


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    """Sections and blocks that begin and end between clusters and outside of formulas, as parsers make them."""
    text = draw(TEXTS)
    places = borders(text)
    sections = sorted(draw(st.lists(st.sampled_from(places), max_size=4)))
    edges = sorted(draw(st.lists(st.sampled_from(places), max_size=6, unique=True)))
    kinds = st.sampled_from(BlockKind)
    return document(text, sections=sections, blocks=[Block(draw(kinds), *edge) for edge in pairwise(edges)])


def clusters(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in regex.finditer(r"\X", text)]


def formulas(text: str) -> list[tuple[int, int]]:
    """With the marks that stand on their ends."""
    ends = [0, *(end for _, end in clusters(text))]
    found = (match.span() for match in FORMULA.finditer(text))
    return [(max(e for e in ends if e <= start), min(e for e in ends if e >= end)) for start, end in found]


def borders(text: str) -> list[int]:
    """Where parts of a document may meet."""
    inside = {place for start, end in formulas(text) for place in range(start + 1, end)}
    return [place for place in (0, *(end for _, end in clusters(text))) if place not in inside]


def texts_of(spans: Iterable[ChunkSpan], made: ParsedDocument) -> list[str]:
    return [made.text[span.start : span.end] for span in spans]
