from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import pytest

from ragstone.ingestion import Budget, CachedParse, OutOfTime
from ragstone.ports import Keep
from ragstone.types import Block, BlockKind, ObjectRef, Page, ParsedDocument, Section
from tests.support.fake_store import FakeStore

PARSED = ParsedDocument(
    text="Night\n\nThe ferry runs.",
    media_type="text/markdown",
    parser="test",
    title="Rules",
    sections=(Section("Night", 1, ("Night",), 0, 22),),
    pages=(Page(1, 0, 22),),
    blocks=(Block(BlockKind.HEADING, 0, 5), Block(BlockKind.PARAGRAPH, 7, 22)),
    language="en",
    metadata={"author": "the harbour office", "year": 2024, "tags": ("ferry", "night")},
    warnings=("page 2 has no text",),
)


@dataclass
class Counted:
    """A parser that says what it was asked, and what parts it made: the words of long files."""

    asked: list[str] = field(default_factory=list[str])
    made: list[str] = field(default_factory=list[str])

    def __call__(self, content: bytes, *, source: str, keep: Keep) -> ParsedDocument:
        self.asked.append(source)
        words = content.decode().split()
        if len(words) == 1:
            return PARSED
        parts = [keep(str(at), lambda word=word: self._made(word), seconds=60) for at, word in enumerate(words)]
        return ParsedDocument(text=b" ".join(parts).decode(), media_type="text/plain", parser="test")

    def _made(self, word: str) -> bytes:
        self.made.append(word)
        return word.encode()


def cached(parse: Counted, store: FakeStore, generation: str = "1") -> CachedParse:
    return CachedParse(parse=parse, store=store, bucket="reports", generation=generation)


def test_the_same_file_is_parsed_once_and_reads_back_the_same() -> None:
    parse, store = Counted(), FakeStore()
    first = cached(parse, store)(b"bytes", source="a.md")
    second = cached(parse, store)(b"bytes", source="a.md")
    assert first == second == PARSED
    assert parse.asked == ["a.md"]


def test_other_bytes_another_name_or_another_way_to_parse_are_parsed() -> None:
    parse, store = Counted(), FakeStore()
    cached(parse, store)(b"bytes", source="a.md")
    cached(parse, store)(b"other", source="a.md")
    cached(parse, store)(b"bytes", source="b.md")
    cached(parse, store, generation="2")(b"bytes", source="a.md")
    assert parse.asked == ["a.md", "a.md", "b.md", "a.md"]


def test_what_another_release_wrote_is_parsed_anew() -> None:
    parse, store = Counted(), FakeStore()
    cached(parse, store)(b"bytes", source="a.md")
    (place,) = store.objects
    store.write(ObjectRef(place.bucket, place.key), b'{"words": 3}', "application/json")
    assert cached(parse, store)(b"bytes", source="a.md") == PARSED
    assert len(parse.asked) == 2


def test_a_long_parse_makes_a_part_a_turn_at_least_and_goes_on_after_it() -> None:
    parse, store = Counted(), FakeStore()
    content, spent = b"one two three", Budget(written=7, seconds_left=lambda: 0)
    for made in (["one"], ["one", "two"], ["one", "two", "three"]):
        with pytest.raises(OutOfTime) as stopped:
            cached(parse, store)(content, source="a.pdf", budget=spent)
        assert (parse.made, stopped.value.written) == (made, 7)
    assert cached(parse, store)(content, source="a.pdf", budget=spent).text == "one two three"
    assert (len(parse.asked), len(parse.made)) == (3, 3)


@pytest.mark.parametrize(("seconds", "made"), [(119.0, 1), (120.0, 3), (inf, 3)])
def test_a_part_is_begun_only_where_there_is_time_for_it_and_for_what_comes_after(seconds: float, made: int) -> None:
    parse = Counted()
    parse_long = cached(parse, FakeStore())
    budget = Budget(seconds_left=lambda: seconds)
    if made < 3:
        with pytest.raises(OutOfTime):
            parse_long(b"one two three", source="a.pdf", budget=budget)
    else:
        assert parse_long(b"one two three", source="a.pdf", budget=budget).text == "one two three"
    assert len(parse.made) == made


def test_parts_are_not_taken_for_those_of_another_file() -> None:
    parse, store = Counted(), FakeStore()
    cached(parse, store)(b"one two", source="a.pdf")
    assert cached(parse, store)(b"three four", source="a.pdf").text == "three four"
