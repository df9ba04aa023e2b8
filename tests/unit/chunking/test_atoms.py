from __future__ import annotations

from ragstone.chunking.atoms import Atoms, atoms_in
from ragstone.text import Span


def every(formula: str) -> bool:
    return True


def test_cuts_go_before_or_after_an_atom() -> None:
    atoms = Atoms([2, 6], [5, 8])
    assert [atoms.floor(place) for place in range(10)] == [0, 1, 2, 2, 2, 5, 6, 6, 8, 9]
    assert [atoms.ceil(place) for place in range(10)] == [0, 1, 2, 5, 5, 5, 6, 8, 8, 9]


def test_atoms_are_clusters_and_the_formulas_that_lie_in_the_stretch() -> None:
    text = "e\u0301 $$a$$ e\u0301 $$b$$"
    formulas = [Span(3, 8), Span(12, 17)]
    assert list(atoms_in(text, 0, 14, formulas, every)) == [Span(0, 2), Span(3, 8), Span(9, 11)]
    assert list(atoms_in(text, 3, 17, formulas, every)) == [Span(3, 8), Span(9, 11), Span(12, 17)]


def test_a_formula_has_to_fit_with_the_marks_on_its_ends() -> None:
    for longest, expected in ((6, Span(0, 6)), (5, Span(4, 6))):
        found = atoms_in("$$a$$\u0301", 0, 6, [Span(0, 5)], lambda formula: len(formula) <= longest)  # noqa: B023
        assert list(found) == [expected]


def test_pieces_are_widened_to_whole_atoms() -> None:
    pieces = [Span(0, 4), Span(5, 9), Span(10, 13), Span(14, 18)]
    assert list(Atoms([5], [13]).whole(pieces)) == [Span(0, 4), Span(5, 13), Span(14, 18)]
