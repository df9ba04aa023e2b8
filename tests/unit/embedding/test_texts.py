from hypothesis import given
from hypothesis import strategies as st

from ragstone.embedding.texts import batches, pieces, size
from ragstone.text import encodable

TEXT = st.text(max_size=60)


@given(TEXT, st.integers(4, 30))
def test_pieces_join_to_the_text_and_fit(text: str, max_bytes: int) -> None:
    cut = list(pieces(text, max_bytes))
    assert "".join(cut) == text
    assert all(0 < size(piece) <= max_bytes for piece in cut)


@given(TEXT, st.integers(4, 30))
def test_pieces_are_as_few_as_their_limit_allows(text: str, max_bytes: int) -> None:
    assert len(list(pieces(text, max_bytes))) <= 1 + size(text) // (max_bytes - 3)


@given(st.lists(TEXT, max_size=20), st.integers(1, 5), st.integers(1, 100))
def test_batches_keep_every_text_in_order_within_the_limits(texts: list[str], max_texts: int, max_bytes: int) -> None:
    groups = list(batches(texts, max_texts=max_texts, max_bytes=max_bytes))
    assert [text for group in groups for text in group] == texts
    for group in groups:
        assert len(group) <= max_texts
        assert len(group) == 1 or len(group) * max(map(size, group)) <= max_bytes


def test_a_batch_counts_as_if_padded_to_its_longest_text() -> None:
    texts = ["a" * 10, "b" * 10, "c" * 40, "d", "e"]
    assert [len(group) for group in batches(texts, max_texts=9, max_bytes=80)] == [2, 2, 1]


def test_text_is_counted_in_bytes_not_characters() -> None:
    assert [len(group) for group in batches(["深"] * 4, max_texts=9, max_bytes=6)] == [2, 2]


@given(TEXT)
def test_text_of_whole_characters_is_left_as_it_is(text: str) -> None:
    assert encodable(text) == text


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    assert encodable("a \ud83d b") == "a ? b"
