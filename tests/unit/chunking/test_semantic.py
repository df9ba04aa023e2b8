from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import pytest

from ragstone.chunking import SemanticChunker, calibrate_distance_threshold
from ragstone.types import BlockKind, Vector
from tests.support.fake_embedder import FakeEmbedder
from tests.unit.chunking.documents import blocks_of, document, texts_of


class Angles(FakeEmbedder):
    """Texts are numbers: degrees of a unit vector in a plane."""

    def embed_query(self, text: str) -> Vector:
        angle = float(text) * pi / 180
        return [cos(angle), sin(angle)]


def text_of(angles: Sequence[float]) -> str:
    return "\n\n".join(str(angle) for angle in angles)


def test_paragraphs_stay_together_while_each_is_near_the_one_before() -> None:
    made = document(text_of([0, 30, 60, 150, 170]))
    chunker = SemanticChunker(embedder=Angles(), threshold=0.5)  # cosine distance of 60°
    assert texts_of(chunker.spans(made), made) == ["0\n\n30\n\n60", "150\n\n170"]


def test_a_distance_at_the_threshold_parts() -> None:
    made = document(text_of([0, 90]))
    assert len(list(SemanticChunker(embedder=Angles(), threshold=0.99).spans(made))) == 2
    assert len(list(SemanticChunker(embedder=Angles(), threshold=1.01).spans(made))) == 1


def test_a_group_has_at_most_so_many_paragraphs() -> None:
    made = document(text_of([0] * 5))
    chunker = SemanticChunker(embedder=Angles(), max_paragraphs=2)
    assert texts_of(chunker.spans(made), made) == ["0\n\n0", "0\n\n0", "0"]


def test_one_paragraph_asks_the_embedder_nothing() -> None:
    embedder = FakeEmbedder()
    made = document("One.Two.", sections=[0, 4])
    assert texts_of(SemanticChunker(embedder=embedder).spans(made), made) == ["One.", "Two."]
    assert embedder.asked == []


def test_many_paragraphs_are_embedded_once_each() -> None:
    embedder = Angles()
    list(SemanticChunker(embedder=embedder).spans(document(text_of(range(600)))))
    assert embedder.asked == [str(n) for n in range(600)]


def test_a_heading_goes_with_what_it_heads_and_a_long_paragraph_counts_as_several() -> None:
    made = blocks_of((BlockKind.HEADING, "Fares"), (BlockKind.PARAGRAPH, "A tally."), (BlockKind.LIST, "a b c d e f"))
    chunker = SemanticChunker(embedder=FakeEmbedder(), threshold=0.0, paragraph_size=16)
    assert texts_of(chunker.spans(made), made) == ["Fares\n\nA tally.", "a b c d e f"]
    narrow = SemanticChunker(embedder=FakeEmbedder(), threshold=0.0, paragraph_size=8)
    assert texts_of(narrow.spans(made), made) == ["Fares", "A tally.", "a b c d", "e f"]


def test_the_threshold_is_a_percentile_of_the_adjacent_distances_plus_a_margin() -> None:
    texts = [text_of([0, 60]), text_of([0, 90, 270]), "7"]  # distances .5, 1, 2
    assert calibrate_distance_threshold(texts, Angles(), percentile=0.5, margin=0.05) == pytest.approx(1.05)
    assert calibrate_distance_threshold(texts, Angles(), percentile=0.75, margin=0.0) == pytest.approx(1.5)
    assert calibrate_distance_threshold(texts[:1], Angles()) == pytest.approx(0.55)
    assert calibrate_distance_threshold([text_of([0, 60, 0, 90])], Angles()) == pytest.approx(0.85 + 0.05)


def test_the_threshold_stays_between_0_and_2() -> None:
    assert calibrate_distance_threshold([text_of([0, 180])], Angles()) == 2.0
    assert calibrate_distance_threshold([text_of([0, 60])], Angles(), margin=-1.0) == 0.0


@pytest.mark.parametrize("texts", [[], [""], ["One."], ["One.", "Two."]])
def test_without_two_paragraphs_the_threshold_is_the_fallback_and_nothing_is_embedded(texts: list[str]) -> None:
    embedder = FakeEmbedder()
    assert calibrate_distance_threshold(texts, embedder) == 0.55
    assert calibrate_distance_threshold(texts, embedder, fallback=0.4) == 0.4
    assert embedder.asked == []


def test_a_chunker_can_be_made_from_a_sample() -> None:
    chunker = SemanticChunker.from_sample([text_of([0, 60])], Angles(), max_paragraphs=3)
    assert (chunker.threshold, chunker.max_paragraphs) == (pytest.approx(0.55), 3)
    assert chunker.fingerprint == f"semantic-{chunker.threshold}-3-1000-fake"
