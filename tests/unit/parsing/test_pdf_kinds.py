from __future__ import annotations

from ragstone.parsing.pdf_kinds import indent_of, kinds_of
from ragstone.parsing.pdf_words import style_of
from ragstone.types import BlockKind
from tests.unit.parsing.made_lines import CODE, FORMULA, PageLine, below, line

LIST, PARAGRAPH = BlockKind.LIST, BlockKind.PARAGRAPH


def kinds(*lines: PageLine) -> list[BlockKind]:
    return kinds_of(below(*lines))


def test_lines_in_letters_of_one_width_are_code() -> None:
    assert kinds(line("def fare():", style=CODE), line("return 4", style=CODE)) == [BlockKind.CODE] * 2
    assert kinds(line("Type this:"), line("make demo", style=CODE), line("and wait.")) == [PARAGRAPH] * 3


def test_code_keeps_how_far_it_is_set_in() -> None:
    assert indent_of(line("return 4", style=CODE, columns=(84,)), 60) == "    "


def test_a_formula_is_one_with_its_limits() -> None:
    small = style_of("CMR7", 7.0)
    found = kinds(
        line("The sum of all fares is"),
        line("n", style=small, columns=(150,)),
        line("F = Σ f(i)", style=FORMULA, columns=(140,)),
        line("i=1", style=small, columns=(150,)),
        line("where f is a fare and nothing else."),
    )
    assert found == [PARAGRAPH, *[BlockKind.FORMULA] * 3, PARAGRAPH]


def test_signs_in_a_sentence_are_no_formula() -> None:
    assert kinds(line("f(i) = 2i", style=FORMULA), line("is what a crossing costs.")) == [PARAGRAPH] * 2


def test_bullets_and_numbers_make_items() -> None:
    assert kinds(line("• bring a rope"), line("2. leave the pier"), line("Leave it.")) == [LIST, LIST, PARAGRAPH]
