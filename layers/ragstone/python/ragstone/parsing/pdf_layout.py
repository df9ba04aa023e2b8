"""A PDF page's words laid out again: ruled tables, then columns, then lines, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.parsing.pdf_columns import Part, in_columns
from ragstone.parsing.pdf_drawings import Rule
from ragstone.parsing.pdf_grids import Frame, frames_of, grid_of
from ragstone.parsing.pdf_lines import PageLine, Piece, lines_of, pieces_of
from ragstone.parsing.pdf_tables import PageTable
from ragstone.parsing.pdf_words import Word
from ragstone.parsing.tables import Place

PageItem = PageLine | PageTable

_WIDE_RULE = 0.25


def laid_out(words: Sequence[Word], rules: Sequence[Rule] = (), *, column: int = 0) -> list[PageItem]:
    """Words that run the same way, and the ruled lines among them, as lines and tables in reading order.

    Columns are counted from `column`.
    """
    tables, rest = _ruled_tables(words, rules)
    pieces: list[Piece | PageTable] = [*pieces_of(rest), *(table for _, table in tables)]
    parts = [_part(piece, at) for at, piece in enumerate(pieces) if isinstance(piece, Piece)]
    parts += [_framed(frame, len(pieces) - len(tables) + at) for at, (frame, _) in enumerate(tables)]
    parts += _separators(parts, rules)
    return [
        item
        for number, group in enumerate(in_columns(parts), start=column)
        for item in _column([pieces[part.drawn] for part in group if part.letters], number)
    ]


def _column(items: Sequence[Piece | PageTable], column: int) -> Iterator[PageItem]:
    """One column's lines and tables from top to bottom."""
    tables = sorted((item for item in items if isinstance(item, PageTable)), key=lambda table: -table.y)
    for line in lines_of([item for item in items if isinstance(item, Piece)], column):
        while tables and tables[0].y > line.y:
            yield tables.pop(0)
        yield line
    yield from tables


def _ruled_tables(words: Sequence[Word], rules: Sequence[Rule]) -> tuple[list[tuple[Frame, PageTable]], list[Word]]:
    """The tables that rulings make, and the words outside of them."""
    tables: list[tuple[Frame, PageTable]] = []
    rest = list(words)
    for frame in frames_of(rules):
        inside = [word for word in rest if frame.holds(*_middle(word))]
        grid = grid_of(frame, inside) if inside else None
        if grid:
            tables.append((frame, _table(frame, grid, inside)))
            rest = [word for word in rest if not frame.holds(*_middle(word))]
    return tables, rest


def _table(frame: Frame, grid: list[list[Place]], words: Sequence[Word]) -> PageTable:
    return PageTable(grid, frame.xs[:-1], _has_own_letters(frame, words), frame.ys[-1], ruled=True)


def _has_own_letters(frame: Frame, words: Sequence[Word]) -> bool:
    first = {word.style for word in words if word.y > frame.ys[-2]}
    return first.isdisjoint(word.style for word in words if word.y <= frame.ys[-2])


def _middle(word: Word) -> tuple[float, float]:
    return (word.left + word.right) / 2, word.y + 0.3 * word.style.size


def _part(piece: Piece, drawn: int) -> Part:
    digits = sum(map(str.isdigit, piece.text))
    return Part(piece.left, piece.right, piece.bottom, piece.top, piece.y, len(piece.text), digits, drawn)


def _framed(frame: Frame, drawn: int) -> Part:
    return Part(frame.xs[0], frame.xs[-1], frame.ys[0], frame.ys[-1], frame.ys[0], 1, 0, drawn)


def _separators(parts: Sequence[Part], rules: Sequence[Rule]) -> list[Part]:
    """Long level rules: what they cross is not read as columns from above them to below."""
    if not parts:
        return []
    width = max(part.right for part in parts) - min(part.left for part in parts)
    return [
        Part(rule.start, rule.end, rule.at, rule.at, rule.at, 0, 0, -1)
        for rule in rules
        if rule.level and rule.end - rule.start > _WIDE_RULE * width
    ]
