from __future__ import annotations

from time import perf_counter

import pytest

from ragstone.chunking.formulas import formulas_in
from ragstone.text import Span
from ragstone.types import BlockKind
from tests.unit.chunking.documents import blocks_of, document


def found(text: str) -> list[str]:
    return [text[formula.start : formula.end] for formula in formulas_in(document(text), 0, len(text))]


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
def test_formulas_are_found_by_their_signs(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


def test_blocks_may_be_formulas() -> None:
    made = blocks_of((BlockKind.FORMULA, "a² + b² = c²"), (BlockKind.PARAGRAPH, "So $$c$$."))
    assert formulas_in(made, 0, len(made.text)) == (Span(0, 12), Span(17, 22))
    assert formulas_in(made, 0, 10) == (Span(0, 10),)


@pytest.mark.parametrize("text", ["$$" * 50_000, "\\[" * 50_000, "$$a " * 40_000, "\\[ \n" * 40_000, "$$ \n" * 40_000])
def test_signs_without_formulas_are_read_in_no_time(text: str) -> None:
    started = perf_counter()
    found(text)
    assert perf_counter() - started < 2
