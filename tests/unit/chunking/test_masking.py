from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragstone.chunking.atoms import atoms_in
from ragstone.chunking.formulas import formulas_in
from ragstone.chunking.masking import MaskedText, mask
from tests.unit.chunking.documents import TEXTS, document


def masked(text: str, start: int = 0) -> MaskedText:
    return mask(
        text,
        start,
        len(text),
        atoms_in(text, start, len(text), formulas_in(document(text), start, len(text)), lambda formula: True),
    )


def test_each_atom_is_one_character_and_equal_ones_are_equal() -> None:
    found = masked("a $$x$$ b $$x$$ c $$y$$")
    assert len(found.text) == len("a x b x c y")
    assert found.text[2] == found.text[6] != found.text[10]


def test_signs_that_a_text_holds_itself_stand_for_nothing_else() -> None:
    text = "\U000f0000 $$x$$ \U000f0001"
    found = masked(text)
    assert found.restored(found.text) == text
    assert len(set(found.text)) == 4


@given(TEXTS, st.data())
def test_what_is_masked_can_be_restored_and_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    found = masked(text, start)
    assert found.restored(found.text) == text[start:]
    first = data.draw(st.integers(0, len(found.text)))
    last = data.draw(st.integers(first, len(found.text)))
    assert found.restored(found.text[first:last]) == text[found.origin(first) : found.origin(last)]
