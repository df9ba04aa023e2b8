"""Lines as a page shows them back into paragraphs, lists and table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby, pairwise
from unicodedata import east_asian_width

_LIST_ITEM = re.compile(r"[•▪●◦■□➢✓‣·∙*–—-]\s?\S|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]\s")
_SENTENCE_END = re.compile(r"[.!?:;…。！？：；][\"'”’»)\]]*$")
_HYPHENS = ("-", "‐")
_COMPOUND = re.compile(r"\b\w++(?:-\w++)+")
_NUMBER_FIRST = re.compile(r"\W*\d")
_NARROWEST_PROSE, _WIDEST_PROSE = 28, 170
_FULL = 0.8
_LONGEST_WORD = 12
_PROSE = 0.4
_FEW_LINES = 8


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page or a text file.

    `gap` says that empty space stands before it, `level` makes it a heading, `row` a row of a table.
    `column` counts how often the text on its page has gone back up, as it does from one column to the next.
    """

    text: str
    page: int | None = None
    column: int = 0
    gap: bool = False
    level: int | None = None
    row: bool = False


class Joint(Enum):
    """How a line hangs on the one before it; a mended one takes that line's hyphen away."""

    MENDED = auto()
    GLUED = auto()
    SPACE = auto()
    LINE = auto()
    BLOCK = auto()


_BETWEEN = {Joint.MENDED: "", Joint.GLUED: "", Joint.SPACE: " ", Joint.LINE: "\n", Joint.BLOCK: "\n\n"}


def is_list_item(text: str) -> bool:
    """Whether a line begins with a bullet or a number that items of lists have."""
    return _LIST_ITEM.match(text.lstrip()) is not None


def reflow(lines: Sequence[Line]) -> Iterator[tuple[str, Line, str]]:
    """Each line as (what goes before it, the line, its text): wrapped lines of a paragraph are joined by a space.

    A word broken at the line's end is mended when it goes on in lower case. Table rows, list items and headings stay
    lines: only a line that looks like prose and has no room for the next word is taken for a wrapped one.
    """
    before = Joint.BLOCK
    for line, after in zip(lines, [*_joints(lines), Joint.BLOCK], strict=False):
        text = line.text.rstrip()
        yield _BETWEEN[before], line, text[:-1] if after is Joint.MENDED else text
        before = after


def _joints(lines: Sequence[Line]) -> Iterator[Joint]:
    widths = _usual_widths(lines)
    compounds = {word.casefold() for line in lines for word in _COMPOUND.findall(line.text)}
    for line, following in pairwise(lines):
        if following.gap or line.level or following.level:
            yield Joint.BLOCK
        else:
            apart = Joint.LINE if line.page == following.page else Joint.BLOCK
            yield _wrapped(line, following, widths[line.page], compounds) or apart


def _wrapped(line: Line, following: Line, width: float, compounds: set[str]) -> Joint | None:
    """How a paragraph goes on from one line to the next; None if it doesn't."""
    text, after = line.text.rstrip(), following.text.lstrip()
    if line.row or following.row or not text or not after or _LIST_ITEM.match(after):
        return None
    if text.endswith(_HYPHENS) and text[-3:-1].isalpha() and after[0].isalpha():
        return _at_hyphen(text, after, compounds)
    if not _is_full(text, after, width):
        return None
    adjoining = (line.page, line.column) == (following.page, following.column)
    if after[0].islower() or (adjoining and _is_prose(text, after) and not _SENTENCE_END.search(text)):
        return Joint.GLUED if _is_wide(line.text[-1]) and _is_wide(after[0]) else Joint.SPACE
    return None


def _at_hyphen(text: str, after: str, compounds: set[str]) -> Joint:
    """A broken word loses its hyphen, unless the document writes the word with one elsewhere."""
    whole = _COMPOUND.search(text.rsplit(maxsplit=1)[-1] + after.split(maxsplit=1)[0])
    written_so = whole is not None and whole[0].casefold() in compounds
    return Joint.MENDED if after[0].islower() and not written_so else Joint.GLUED


def _is_full(text: str, after: str, width: float) -> bool:
    """Whether the next line's first word had no room on this one: the layout broke the line, not the author."""
    if not _NARROWEST_PROSE <= width <= _WIDEST_PROSE:
        return False
    first_word = after[0] if _is_wide(after[0]) else after.split(maxsplit=1)[0]
    return _width(text) + 1 + min(_width(first_word), _LONGEST_WORD) >= _FULL * width


def _is_prose(text: str, after: str) -> bool:
    """Whether a line reads like running text: enough words in small letters, or a script that has none."""
    if _NUMBER_FIRST.match(text) and _NUMBER_FIRST.match(after):
        return False
    words = text.split()
    small = sum(word.lstrip("(\"'“‘„«[")[:1].islower() for word in words)
    return small >= _PROSE * len(words) or any(map(_is_wide, text))


def _usual_widths(lines: Sequence[Line]) -> dict[int | None, float]:
    """How wide full lines are, by page; pages with few lines go by the whole document."""
    overall = _nearly_widest([_width(line.text.strip()) for line in lines])
    by_page: dict[int | None, float] = {}
    for page, members in groupby(lines, key=lambda line: line.page):
        widths = [_width(line.text.strip()) for line in members if not line.row]
        by_page[page] = _nearly_widest(widths) if len(widths) >= _FEW_LINES else overall
    return by_page


def _nearly_widest(widths: list[int]) -> float:
    return sorted(widths)[int(0.95 * (len(widths) - 1))] if widths else 0.0


def _width(text: str) -> int:
    """Columns that a text takes; the letters of East Asian scripts take two."""
    return len(text) if text.isascii() else sum(2 if _is_wide(character) else 1 for character in text)


def _is_wide(character: str) -> bool:
    return east_asian_width(character) in "WF"
