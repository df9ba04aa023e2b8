from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.ingestion.merge import OutOfOrder, merged

KEYS = st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=4), unique=True, max_size=30)


def by_bytes(keys: list[str]) -> list[str]:
    return sorted(keys, key=str.encode)


def pairs(left: list[str], right: list[str]) -> list[tuple[str | None, str | None]]:
    return list(merged(left, right, left_key=str.encode, right_key=str.encode))


@given(KEYS, KEYS)
def test_two_streams_are_paired_as_their_sets_are(left: list[str], right: list[str]) -> None:
    every = by_bytes(list({*left, *right}))
    expected = [(key if key in left else None, key if key in right else None) for key in every]
    assert pairs(by_bytes(left), by_bytes(right)) == expected


@given(KEYS.filter(lambda keys: len(keys) > 1), st.data())
def test_a_stream_out_of_order_is_never_compared(keys: list[str], data: st.DataObject) -> None:
    ordered = by_bytes(keys)
    shuffled = data.draw(st.permutations(ordered).filter(lambda drawn: list(drawn) != ordered))
    with pytest.raises(OutOfOrder):
        pairs(list(shuffled), ordered)
    with pytest.raises(OutOfOrder):
        pairs(ordered, list(shuffled))


def test_the_order_of_utf_16_is_not_the_order_of_bytes() -> None:
    """Some languages sort so; S3 and DynamoDB don't."""
    assert by_bytes(["🚢", "\uffee"]) == ["\uffee", "🚢"]
    with pytest.raises(OutOfOrder):
        pairs(["🚢", "\uffee"], [])


def test_a_key_that_comes_twice_is_out_of_order() -> None:
    with pytest.raises(OutOfOrder):
        pairs(["a", "a"], [])


def test_no_more_is_read_than_one_item_ahead() -> None:
    read = [0, 0]

    def numbers(side: int) -> Iterator[int]:
        for number in count():
            read[side] += 1
            yield number

    def key(number: int) -> bytes:
        return number.to_bytes(4, "big")

    endless = merged(numbers(0), numbers(1), left_key=key, right_key=key)
    assert list(islice(endless, 5)) == [(n, n) for n in range(5)]
    assert read == [6, 6]
