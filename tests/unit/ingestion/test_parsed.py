from __future__ import annotations

from ragstone.ingestion import CachedParse
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


class Counted:
    """A parser that says how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, content: bytes, *, source: str) -> ParsedDocument:
        self.asked.append(source)
        return PARSED


def cached(parse: Counted, store: FakeStore, generation: int = 1) -> CachedParse:
    return CachedParse(parse=parse, store=store, bucket="reports", generation=generation)


def test_the_same_file_is_parsed_once_and_reads_back_the_same() -> None:
    parse, store = Counted(), FakeStore()
    first = cached(parse, store)(b"bytes", source="a.md")
    second = cached(parse, store)(b"bytes", source="a.md")
    assert first == second == PARSED
    assert parse.asked == ["a.md"]


def test_other_bytes_another_name_or_a_newer_parser_are_parsed() -> None:
    parse, store = Counted(), FakeStore()
    cached(parse, store)(b"bytes", source="a.md")
    cached(parse, store)(b"other", source="a.md")
    cached(parse, store)(b"bytes", source="b.md")
    cached(parse, store, generation=2)(b"bytes", source="a.md")
    assert parse.asked == ["a.md", "a.md", "b.md", "a.md"]


def test_what_another_release_wrote_is_parsed_anew() -> None:
    parse, store = Counted(), FakeStore()
    cached(parse, store)(b"bytes", source="a.md")
    (place,) = store.objects
    store.write(ObjectRef(place.bucket, place.key), b'{"words": 3}', "application/json")
    assert cached(parse, store)(b"bytes", source="a.md") == PARSED
    assert len(parse.asked) == 2
