from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace

import pytest

from ragstone.chunking.context import CALLS_AT_ONCE, ContextWriter
from ragstone.errors import TransientError
from ragstone.types import Chunk, ChunkKind, Prompt, TextDelta, TokenUsage
from tests.support.builders import chunk
from tests.support.fake_store import FakeStore
from tests.unit.chunking.documents import document


@dataclass
class Writer:
    """A chat model that writes the same sentence in pieces, or fails after some calls."""

    spec: str = "scripted:writer"
    works_for: int = 10_000
    prompts: list[Prompt] = field(default_factory=list[Prompt])

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        self.prompts.append(prompt)
        if len(self.prompts) > self.works_for:
            raise TransientError("throttled")
        yield TextDelta(" It is on\n")
        yield TextDelta(f"ferry fares {len(self.prompts)}. ")
        yield TokenUsage(self.spec)


TEXT = "Opening words. " + "The night ferry costs four tallies. " * 60
DOCUMENT = document(TEXT)


def chunks(count: int) -> list[Chunk]:
    return [chunk(TEXT[n * 30 : n * 30 + 30], ordinal=n, char_from=n * 30, title="Fares") for n in range(count)]


def writer(model: Writer, store: FakeStore) -> ContextWriter:
    return ContextWriter(model=model, store=store, bucket="reports")


def test_each_chunk_gets_its_sentence_on_one_line_above_its_text() -> None:
    parent = replace(chunks(1)[0], kind=ChunkKind.PARENT)
    (first, second, bare) = writer(Writer(), FakeStore()).write(DOCUMENT, [*chunks(2), parent])
    assert (first.context, bare.context) == ("It is on ferry fares 1.", None)
    assert second.search_text == f"Fares\nIt is on ferry fares 2.\n{second.text}"
    assert second.shown_text == f"Fares\n{second.text}"


def test_the_model_sees_the_passage_and_where_it_stands() -> None:
    model = Writer()
    writer(model, FakeStore()).write(DOCUMENT, chunks(60)[59:])
    (prompt,) = model.prompts
    assert "[title and section]\nFares\n" in prompt.user
    assert "[how the document begins]\nOpening words." in prompt.user
    assert prompt.user.endswith(f"[passage]\n{TEXT[1770:1800].strip()}")
    assert len(prompt.user) < 2_700


def test_the_same_document_is_not_asked_about_again() -> None:
    store, model = FakeStore(), Writer()
    first = writer(model, store).write(DOCUMENT, chunks(5))
    assert writer(model, store).write(DOCUMENT, chunks(5)) == first
    assert len(model.prompts) == 5
    writer(model, store).write(document(TEXT + "!"), chunks(5))
    writer(replace(model, spec="scripted:other"), store).write(DOCUMENT, chunks(5))
    assert len(model.prompts) == 15
    assert all(place.key.startswith("context/") for place in store.objects)


def test_a_retry_goes_on_where_the_last_try_broke_off() -> None:
    store, model = FakeStore(), Writer(works_for=CALLS_AT_ONCE + 3)
    with pytest.raises(TransientError):
        writer(model, store).write(DOCUMENT, chunks(40))
    again = Writer()
    written = writer(again, store).write(DOCUMENT, chunks(40))
    assert len(again.prompts) == 40 - CALLS_AT_ONCE
    assert all(each.context for each in written)


def test_another_model_has_another_fingerprint() -> None:
    one, other = (writer(Writer(spec=spec), FakeStore()).fingerprint for spec in ("a:b", "a:c"))
    assert one != other
