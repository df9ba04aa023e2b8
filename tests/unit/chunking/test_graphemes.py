from __future__ import annotations

from hypothesis import given

from ragstone.chunking.atoms import Atoms, atoms_in
from ragstone.chunking.graphemes import is_one_cluster
from tests.unit.chunking.documents import TEXTS, clusters, document


@given(TEXTS)
def test_the_clusters_of_a_text_are_those_of_the_whole_text(text: str) -> None:
    found = atoms_in(document(text), 0, len(text), lambda formula: False)
    assert [tuple(atom) for atom in found] == [(start, end) for start, end in clusters(text) if end - start > 1]


@given(TEXTS)
def test_two_characters_belong_together_unless_a_cluster_ends_between_them(text: str) -> None:
    for position in range(len(text) - 1):
        ends = [end for _, end in clusters(text[: position + 2])]
        assert is_one_cluster(text, position) == (position + 1 not in ends)


def test_cuts_go_before_or_after_an_atom() -> None:
    atoms = Atoms([2, 6], [5, 8])
    assert [atoms.floor(place) for place in range(10)] == [0, 1, 2, 2, 2, 5, 6, 6, 8, 9]
    assert [atoms.ceil(place) for place in range(10)] == [0, 1, 2, 5, 5, 5, 6, 8, 8, 9]
