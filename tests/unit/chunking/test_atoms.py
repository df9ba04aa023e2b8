from __future__ import annotations

from time import perf_counter

import pytest

from ragstone.chunking.atoms import atoms_in
from ragstone.text import Span
from ragstone.types import BlockKind
from tests.unit.chunking.documents import blocks_of, document


def atoms_of(text: str, longest: int = 100) -> list[str]:
    found = atoms_in(document(text), 0, len(text), lambda formula: len(formula) <= longest)
    return [text[atom.start : atom.end] for atom in found]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("so $$a + b$$ and $$c\n+ d$$.", ["$$a + b$$", "$$c\n+ d$$"]),
        (r"so \[ a \] and \[x_1\]", [r"\[ a \]", r"\[x_1\]"]),
        (r"\[ a \\[2pt] b \]", [r"\[ a \\[2pt] b \]"]),
        (r"a line break \\[2pt] is no formula\]", []),
        (r"$$ 5 \$ each $$", [r"$$ 5 \$ each $$"]),
        ("$$ is a process id, and so is $$", ["$$ is a process id, and so is $$"]),
        ("$$ one\n\nparagraph $$", []),
        ("\\[ one\n \nparagraph \\]", []),
        ("$5 and $6", []),
        (r"\[ open \[ twice \]", [r"\[ twice \]"]),
    ],
)
def test_formulas_are_found_by_their_marks(text: str, formulas: list[str]) -> None:
    assert atoms_of(text) == formulas


def test_a_formula_that_does_not_fit_is_no_atom() -> None:
    assert atoms_of("$$a + b$$", longest=8) == []


def test_a_mark_on_a_formula_s_last_sign_belongs_to_it() -> None:
    assert atoms_of("$$a$$\u0301") == ["$$a$$\u0301"]


def test_a_formula_block_is_an_atom() -> None:
    made = blocks_of((BlockKind.PARAGRAPH, "So"), (BlockKind.FORMULA, "a² + b² = c²"))
    assert list(atoms_in(made, 0, len(made.text), lambda formula: True)) == [Span(4, 16)]
    assert list(atoms_in(made, 0, 10, lambda formula: True)) == []


def test_pieces_are_widened_to_whole_atoms() -> None:
    text = "One. $$a. b$$ Two."
    atoms = atoms_in(document(text), 0, len(text), lambda formula: True)
    assert list(atoms.whole([Span(0, 4), Span(5, 9), Span(10, 13), Span(14, 18)])) == [
        Span(0, 4),
        Span(5, 13),
        Span(14, 18),
    ]


@pytest.mark.parametrize("text", ["$$" * 50_000, "\\[" * 50_000, "$$a " * 40_000, "\\[ \n" * 40_000, "$$ \n" * 40_000])
def test_marks_without_formulas_are_read_in_no_time(text: str) -> None:
    started = perf_counter()
    atoms_of(text)
    assert perf_counter() - started < 2
