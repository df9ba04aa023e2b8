import math
from collections.abc import Sequence
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.embedding.remote import Limits, embed_all
from ragstone.embedding.vectors import blank
from ragstone.errors import PermanentError
from ragstone.types import Vector


class Provider:
    """Embeds a text as (its length, 1) and keeps what it was sent."""

    def __init__(self) -> None:
        self.sent: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[Vector]:
        self.sent.append(texts)
        return [[float(len(text)), 1.0] for text in texts]


def embedded(provider: Provider, texts: Sequence[str], limits: Limits) -> list[Vector]:
    return embed_all(texts, limits=limits, dimensions=lambda: 2, send=provider)


def at(length: int) -> list[float]:
    return [length / math.hypot(length, 1), 1 / math.hypot(length, 1)]


@given(st.lists(st.text(max_size=12), max_size=12), st.integers(1, 4), st.integers(1, 3))
def test_each_text_gets_one_unit_vector_in_order(texts: list[str], max_texts: int, workers: int) -> None:
    limits = Limits(max_texts=max_texts, max_bytes=100, max_text_bytes=1_000, workers=workers)
    vectors = embedded(Provider(), texts, limits)
    expected = [at(len(text)) if text.strip() else blank(2) for text in texts]
    assert len(vectors) == len(texts)
    for vector, wanted in zip(vectors, expected, strict=True):
        assert vector == pytest.approx(wanted)


def test_only_texts_with_words_are_sent() -> None:
    provider = Provider()
    embedded(provider, ["one", "", " \n", "two"], Limits(max_texts=9, max_bytes=99, max_text_bytes=99))
    assert provider.sent == [["one", "two"]]


def test_a_piece_of_white_space_in_a_long_text_is_not_sent() -> None:
    provider = Provider()
    embedded(provider, ["abcd" + " " * 4 + "efgh"], Limits(max_texts=9, max_bytes=99, max_text_bytes=4))
    assert provider.sent == [["abcd", "efgh"]]


def test_a_long_text_is_sent_whole_in_pieces() -> None:
    provider = Provider()
    embedded(provider, ["one", "abcdefghij", "two"], Limits(max_texts=9, max_bytes=99, max_text_bytes=4))
    assert provider.sent == [["one", "abcd", "efgh", "ij", "two"]]


def test_order_holds_when_later_requests_are_faster() -> None:
    def slow_for_the_first(texts: list[str]) -> list[Vector]:
        sleep(0.05 if texts == ["a"] else 0)
        return [[float(len(texts[0])), 1.0]]

    limits = Limits(max_texts=1, max_bytes=99, max_text_bytes=99, workers=3)
    vectors = embed_all(["a", "bb", "ccc"], limits=limits, dimensions=lambda: 2, send=slow_for_the_first)
    assert vectors == [pytest.approx(at(length)) for length in (1, 2, 3)]


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_stops_the_requests_that_follow(workers: int) -> None:
    sent: list[list[str]] = []

    def refuse(texts: list[str]) -> list[Vector]:
        sent.append(texts)
        sleep(0.01)
        raise PermanentError("refused")

    limits = Limits(max_texts=1, max_bytes=99, max_text_bytes=99, workers=workers)
    with pytest.raises(PermanentError):
        embed_all(["a"] * 100, limits=limits, dimensions=lambda: 2, send=refuse)
    assert len(sent) <= 3 * workers
