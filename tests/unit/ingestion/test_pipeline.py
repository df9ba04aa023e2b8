from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ragstone.chunking import RecursiveChunker, SectionChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.errors import Rejected, TransientError
from ragstone.ingestion import Budget, Chunking, Ingestion, OutOfTime
from ragstone.metadata import FieldType, MetadataField
from ragstone.types import (
    ChangeKind,
    ChunkKind,
    DocumentRecord,
    DocumentStatus,
    ObjectChange,
    ObjectRef,
    Page,
    ParsedDocument,
    Part,
    Section,
)
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_index import FakeIndex
from tests.support.fake_registry import FakeRegistry
from tests.support.fake_store import FakeStore, etag_of

FERRY = ObjectRef("bucket", "inbox/ferry.md")


def parse(content: bytes, *, source: str, budget: Budget) -> ParsedDocument:
    """Two pages, a section each; the content says what is wrong with it."""
    text = content.decode()
    if text == "encrypted":
        raise Rejected("encrypted", "Remove the password and drop it again.")
    middle = len(text) // 2
    return ParsedDocument(
        text=text,
        media_type="text/plain",
        parser="test",
        title="Ferry rules",
        pages=(Page(1, 0, middle), Page(2, middle, len(text))) if text else (),
        sections=(Section("Night", 1, ("Night",), 0, middle), Section("Day", 1, ("Day",), middle, len(text))),
        warnings=("page 2 has no text",) if "warn" in text else (),
    )


class World:
    """An ingestion over fakes, and S3 with its sequencers."""

    def __init__(self, size: int = 40) -> None:
        self.store = FakeStore()
        self.registry = FakeRegistry()
        self.index = FakeIndex()
        self.embedder = FakeEmbedder()
        self.clock = 0
        self.ingestion = self.make(size)

    def make(self, size: int, **options: Any) -> Ingestion:
        return Ingestion(
            store=self.store,
            registry=self.registry,
            index=self.index,
            embedder=self.embedder,
            chunking=Chunking(chunker=RecursiveChunker(size, 0), filters=KEEP_ALL),
            parse=parse,
            **options,
        )

    def put(self, text: str, document: ObjectRef = FERRY) -> ObjectChange:
        self.clock += 1
        self.store.put(document.bucket, document.key, text)
        return ObjectChange(ChangeKind.CREATED, document, f"{self.clock:04X}", etag_of(text.encode()))

    def put_sidecar(self, text: str, document: ObjectRef = FERRY) -> ObjectChange:
        self.clock += 1
        self.store.put(document.bucket, document.sidecar.key, text)
        return ObjectChange(ChangeKind.CREATED, document, f"{self.clock:04X}", part=Part.SIDECAR)

    def delete_sidecar(self, document: ObjectRef = FERRY) -> ObjectChange:
        self.clock += 1
        self.store.objects.pop(document.sidecar, None)
        return ObjectChange(ChangeKind.CREATED, document, f"{self.clock:04X}", part=Part.SIDECAR)

    def delete(self, document: ObjectRef = FERRY, *, permanent: bool = False) -> ObjectChange:
        self.clock += 1
        self.store.objects.pop(document, None)
        return ObjectChange(ChangeKind.DELETED, document, f"{self.clock:04X}", permanent=permanent)

    def record(self) -> DocumentRecord:
        found = self.registry.get(FERRY.document_id)
        assert found is not None
        return found


TEXT = "The night ferry runs on Tuesdays only. The day ferry runs on every other day of the week."


def test_a_dropped_file_becomes_chunks_with_their_places() -> None:
    world = World()
    outcome = world.ingestion.apply(world.put(TEXT))
    assert outcome is not None
    assert (outcome.status, outcome.chunks, outcome.pages) == (DocumentStatus.INDEXED, 4, 2)
    chunks = sorted((each.chunk for each in world.index.store.chunks.values()), key=lambda chunk: chunk.ordinal)
    assert [TEXT[chunk.char_from : chunk.char_to] for chunk in chunks] == [chunk.text for chunk in chunks]
    assert (chunks[0].page_from, chunks[0].section_path) == (1, ("Night",))
    assert (chunks[-1].page_from, chunks[-1].section_path) == (2, ("Day",))
    assert world.embedder.asked[0].startswith("Ferry rules > Night\n")


def test_an_overwrite_replaces_the_chunks() -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    outcome = world.ingestion.apply(world.put("All ferries are cancelled."))
    assert outcome is not None
    assert {each.chunk.version for each in world.index.store.chunks.values()} == {outcome.version}
    assert world.index.count() == outcome.chunks


def test_the_same_content_again_is_not_embedded_again() -> None:
    world = World()
    first = world.ingestion.apply(world.put(TEXT))
    asked = len(world.embedder.asked)
    second = world.ingestion.apply(world.put(TEXT))
    assert first is not None
    assert second is not None
    assert (second.version, len(world.embedder.asked)) == (first.version, asked)


def test_another_chunk_size_makes_another_version() -> None:
    world = World()
    first = world.ingestion.apply(world.put(TEXT))
    second = world.make(80).apply(world.put(TEXT))
    assert first is not None
    assert second is not None
    assert (second.version != first.version, second.chunks < first.chunks) == (True, True)


def test_a_delete_leaves_nothing() -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    outcome = world.ingestion.apply(world.delete())
    assert outcome is not None
    assert (outcome.status, outcome.version, world.index.count()) == (DocumentStatus.DELETED, None, 0)


def test_removing_a_stored_version_brings_back_what_is_current_then() -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    world.ingestion.apply(world.delete())
    world.store.put(FERRY.bucket, FERRY.key, "Back again.")
    world.clock += 1
    change = ObjectChange(ChangeKind.DELETED, FERRY, f"{world.clock:04X}", permanent=True)
    outcome = world.ingestion.apply(change)
    assert outcome is not None
    assert outcome.status is DocumentStatus.INDEXED
    gone = world.ingestion.apply(world.delete(permanent=True))
    assert gone is not None
    assert gone.status is DocumentStatus.DELETED


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [("encrypted", DocumentStatus.REJECTED, "encrypted"), ("", DocumentStatus.EMPTY, None)],
)
def test_what_can_t_be_quoted_takes_the_old_text_away(text: str, status: DocumentStatus, reason: str | None) -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    outcome = world.ingestion.apply(world.put(text))
    assert outcome is not None
    assert (outcome.status, outcome.reason, outcome.version, world.index.count()) == (status, reason, None, 0)
    assert outcome.message


def test_warnings_show_in_the_status() -> None:
    world = World()
    outcome = world.ingestion.apply(world.put("warn me " * 9))
    assert outcome is not None
    assert outcome.status is DocumentStatus.INDEXED_WITH_WARNINGS
    assert outcome.warnings == ("page 2 has no text",)


def test_a_temporary_failure_keeps_the_old_version_and_is_made_good_by_the_retry() -> None:
    world = World()
    old = world.ingestion.apply(world.put(TEXT))
    change = world.put("New text that is long enough.")
    world.embedder.failures.append(TransientError("throttled"))
    with pytest.raises(TransientError):
        world.ingestion.apply(change)
    assert old is not None
    assert (world.record().status, world.record().version) == (DocumentStatus.FAILED, old.version)
    assert "tried again" in (world.record().message or "")
    new = world.ingestion.apply(change)
    assert new is not None
    assert (new.status, new.message) == (DocumentStatus.INDEXED, None)


def test_a_failure_after_the_commit_does_not_undo_it() -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    change = world.put("New text that is long enough.")
    remove, world.index.remove = world.index.remove, _failing  # type: ignore[method-assign]
    with pytest.raises(TransientError):
        world.ingestion.apply(change)
    committed = world.record().version
    world.index.remove = remove  # type: ignore[method-assign]
    again = world.ingestion.apply(change)
    assert again is not None
    assert again.version == committed
    assert {each.chunk.version for each in world.index.store.chunks.values()} == {committed}


def _failing(document_id: str, *, version: str | None = None, keep: str | None = None) -> None:
    raise TransientError("the index is busy")


def test_an_object_that_is_gone_meanwhile_is_left_to_its_own_event() -> None:
    world = World()
    created = world.put(TEXT)
    deleted = world.delete()
    assert world.ingestion.apply(created) is None
    world.ingestion.apply(deleted)
    assert world.record().status is DocumentStatus.DELETED


def test_many_chunks_are_embedded_in_batches() -> None:
    world = World(size=10)
    outcome = world.ingestion.apply(world.put("ferry tram. " * 400))
    assert outcome is not None
    assert outcome.chunks == world.index.count() > 512


def test_a_sidecar_that_comes_later_changes_title_metadata_and_access() -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    outcome = world.ingestion.apply(
        world.put_sidecar('{"title": "Ferries", "acl": ["crew"], "metadata": {"year": 2024}}')
    )
    assert outcome is not None
    assert (outcome.title, outcome.acl, outcome.status) == ("Ferries", ("crew",), DocumentStatus.INDEXED)
    assert world.registry.current([outcome.document_id])[outcome.document_id].acl == ("crew",)
    chunks = [each.chunk for each in world.index.store.chunks.values()]
    assert {(chunk.title, chunk.acl, chunk.metadata["year"]) for chunk in chunks} == {("Ferries", ("crew",), 2024)}
    again = world.ingestion.apply(world.delete_sidecar())
    assert again is not None
    assert (again.title, again.acl) == ("Ferry rules", ())


def test_a_sidecar_without_its_document_leaves_no_trace() -> None:
    world = World()
    assert world.ingestion.apply(world.put_sidecar("{}")) is None
    assert world.registry.records == {}


def test_a_malformed_sidecar_rejects_its_document_until_it_is_corrected() -> None:
    world = World()
    world.ingestion.apply(world.put(TEXT))
    rejected = world.ingestion.apply(world.put_sidecar('{"acl": "crew"}'))
    assert rejected is not None
    assert (rejected.status, rejected.reason, world.index.count()) == (DocumentStatus.REJECTED, "bad_sidecar", 0)
    corrected = world.ingestion.apply(world.put_sidecar('{"acl": ["crew"]}'))
    assert corrected is not None
    assert (corrected.status, corrected.acl) == (DocumentStatus.INDEXED, ("crew",))


SCHEMA = {"year": MetadataField(FieldType.NUMBER, required=True)}


def test_metadata_that_does_not_fit_is_a_warning_and_left_out() -> None:
    world = World()
    world.ingestion = world.make(40, schema=SCHEMA)
    world.put_sidecar('{"metadata": {"year": "soon", "colour": "red"}}')
    outcome = world.ingestion.apply(world.put(TEXT))
    assert outcome is not None
    assert outcome.status is DocumentStatus.INDEXED_WITH_WARNINGS
    assert outcome.warnings == (
        "metadata 'year' is 'soon', which is no number",
        "metadata 'colour' is not declared; declared are year",
    )
    assert {len(each.chunk.metadata) for each in world.index.store.chunks.values()} == {0}


def test_metadata_that_does_not_fit_rejects_the_document_where_that_is_set() -> None:
    world = World()
    world.ingestion = world.make(40, schema=SCHEMA, reject_violations=True)
    outcome = world.ingestion.apply(world.put(TEXT))
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (DocumentStatus.REJECTED, "bad_metadata")
    assert "metadata 'year' is required" in (outcome.message or "")


def test_a_long_document_goes_on_where_its_time_ended_and_shows_only_when_all_is_there() -> None:
    world = World(size=10)
    change = world.put("ferry tram. " * 600)
    spent = Budget(seconds_left=lambda: 59)
    with pytest.raises(OutOfTime) as stopped:
        world.ingestion.apply(change, spent)
    assert stopped.value.written == world.index.count() == 256
    assert (world.record().status, world.record().version) == (DocumentStatus.PROCESSING, None)
    with pytest.raises(OutOfTime) as further:
        world.ingestion.apply(change, Budget(stopped.value.written, lambda: 59))
    assert further.value.written == 512
    outcome = world.ingestion.apply(change, Budget(further.value.written))
    assert outcome is not None
    assert outcome.chunks == world.index.count() > 512
    assert len(world.embedder.asked) == outcome.chunks


def test_a_scan_is_empty_for_want_of_text() -> None:
    world = World()

    def scanned(content: bytes, *, source: str, budget: Budget) -> ParsedDocument:
        page = Page(1, 0, 0)
        return ParsedDocument("", "application/pdf", "test", pages=(page,), warnings=("page 1 has no text (scanned?)",))

    world.ingestion = replace(world.ingestion, parse=scanned)
    outcome = world.ingestion.apply(world.put("pixels"))
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (DocumentStatus.EMPTY, "no_text")
    assert outcome.message == "page 1 has no text (scanned?)"


def test_long_sections_are_written_with_their_parents_and_what_is_dropped_is_counted() -> None:
    world = World()
    chunker = SectionChunker(section_size=100, fragment_size=100, fragment_overlap=0, parent_size=400)
    ingestion = replace(world.ingestion, chunking=Chunking(chunker=chunker))
    outcome = ingestion.apply(world.put("Short. " + "The night ferry runs on Tuesdays only. " * 20 + "." * 40))
    assert outcome is not None
    chunks = [each.chunk for each in world.index.store.chunks.values()]
    parents = [chunk for chunk in chunks if chunk.kind is ChunkKind.PARENT]
    assert (len(chunks), len(parents) > 1, outcome.dropped_chunks) == (outcome.chunks, True, 1)
    assert not set(world.embedder.asked) & {parent.search_text for parent in parents}
