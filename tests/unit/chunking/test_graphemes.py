from __future__ import annotations

from hypothesis import given

from ragstone.chunking.atoms import atoms_in
from ragstone.chunking.graphemes import is_one_cluster
from tests.unit.chunking.documents import TEXTS, clusters


@given(TEXTS)
def test_the_clusters_of_a_text_are_those_of_the_whole_text(text: str) -> None:
    found = atoms_in(text, 0, len(text), (), fits=lambda formula: True)
    assert [tuple(atom) for atom in found] == [(start, end) for start, end in clusters(text) if end - start > 1]


@given(TEXTS)
def test_two_characters_belong_together_unless_a_cluster_ends_between_them(text: str) -> None:
    for position in range(len(text) - 1):
        ends = [end for _, end in clusters(text[: position + 2])]
        assert is_one_cluster(text, position) == (position + 1 not in ends)
