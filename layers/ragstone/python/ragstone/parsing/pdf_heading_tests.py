"""Whether lines of a page are a heading; a bold sentence or a large number in a table is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragstone.parsing.lines import is_list_item
from ragstone.parsing.pdf_heading_levels import ROMAN, Look, depth_of, look_of
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.pdf_lines import PageLine

_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}")
_SENTENCE_END = re.compile(r"[.!?;,:。！？；，…]$")
_ORDINAL = re.compile(r"(?:\w+\s)?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.):]?")
_OPENING = "(['\"“‘«„¿¡§「『【《"
_LARGER = 1.12
_SLIGHTLY_LARGER = 1.06
_LONGEST = 160
_LONGEST_MARKED = 90
_MOST_LINES = 3
_MOST_WORDS = 14
_CLOSE = 1.7
_FEWEST_LETTERS = 0.4
_FEWEST_BELOW = 25


def same_heading(above: PageLine, line: PageLine) -> bool:
    """Whether a line may go on with the heading above: it looks the same, is close, and has no number of its own."""
    return (
        look_of(above) == look_of(line)
        and above.column == line.column
        and 0 < above.y - line.y < _CLOSE * line.size
        and not line.gap
        and depth_of(line.text) is None
    )


def is_heading(run: Sequence[PageLine], body: Look, below: PageItem | None) -> bool:
    """Whether lines that look the same are a heading, in a document set in letters like `body`."""
    text = " ".join(line.text.strip() for line in run)
    look, depth = look_of(run[0]), depth_of(text)
    if len(run) > _MOST_LINES or not _is_title(text) or not all(_stands_alone(line) for line in run):
        return False
    if look.size >= _LARGER * body.size:
        return True
    if len(run) > 1 or look.size < body.size or not (run[0].gap or run[0].column):
        return False
    if (look.marked and not body.marked) or look.size >= _SLIGHTLY_LARGER * body.size:
        return len(text) <= _LONGEST_MARKED and not text[0].islower() and _has_text(below, run[0])
    return _is_numbered_title(text, depth, below)


def _is_title(text: str) -> bool:
    """Whether words could be a title: letters, not too many, no sentence, no line of a table of contents."""
    letters = sum(map(str.isalpha, text))
    seen = sum(not character.isspace() for character in text)
    return (
        2 <= letters >= _FEWEST_LETTERS * seen
        and len(text) <= _LONGEST
        and not _SENTENCE_END.search(text)
        and not _LEADER.search(text)
        and (text[0].isalnum() or text[0] in _OPENING)
    )


def _stands_alone(line: PageLine) -> bool:
    """Whether nothing else is beside it, but perhaps its own number or letter."""
    is_formula_or_code = any(piece.math > 0.5 or piece.style.mono for piece in line.pieces)
    first, *others = line.pieces
    return not is_formula_or_code and (not others or (len(others) == 1 and _ORDINAL.fullmatch(first.text) is not None))


def _has_text(below: PageItem | None, heading: PageLine) -> bool:
    """Whether text in other letters begins below, or a table: labels in forms and drawings head nothing."""
    if not isinstance(below, PageLine):
        return below is not None
    other = look_of(below) != look_of(heading) and below.column == heading.column
    begins = len(below.text) >= _FEWEST_BELOW and not below.text[0].islower()
    return other and (begins or is_list_item(below.text))


def _is_numbered_title(text: str, depth: int | None, below: PageItem | None) -> bool:
    """A line of the text's own look is a title if it is called "IV. RESULTS", or "2.1 Results" between two gaps."""
    words = text.split()
    if ROMAN.match(text) and text.isupper():
        return True
    is_set_off = not isinstance(below, PageLine) or below.gap
    return is_set_off and (depth or 0) > 1 and len(words) <= _MOST_WORDS and words[1][:1].isupper()
