"""What every document registry keeps to: the fake in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.errors import InvalidQuery
from ragstone.ports import DocumentRegistry
from ragstone.types import (
    ChangeKind,
    CurrentVersion,
    DocumentFilter,
    DocumentRecord,
    DocumentStatus,
    ObjectChange,
    ObjectRef,
    Part,
)
from tests.support.fake_registry import FakeRegistry
from tests.support.fixtures_ministack import Account
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table

DOCUMENT = ObjectRef("bucket", "inbox/a/b.pdf")


def dynamodb(account: Account, namespace: str = "chunks") -> DynamoDocumentRegistry:
    return DynamoDocumentRegistry(account.resource("dynamodb"), table=DOCUMENTS_TABLE, namespace=namespace)


@pytest.fixture(params=["fake", "dynamodb"])
def registry(request: pytest.FixtureRequest) -> DocumentRegistry:
    if request.param == "fake":
        return FakeRegistry()
    account: Account = request.getfixturevalue("account")
    create_documents_table(account)
    return dynamodb(account)


def created(sequencer: str, document: ObjectRef = DOCUMENT) -> ObjectChange:
    return ObjectChange(ChangeKind.CREATED, document, sequencer, "etag")


def sidecar(sequencer: str) -> ObjectChange:
    return ObjectChange(ChangeKind.CREATED, DOCUMENT, sequencer, part=Part.SIDECAR)


def claimed(registry: DocumentRegistry, sequencer: str, document: ObjectRef = DOCUMENT) -> DocumentRecord:
    record = registry.begin(created(sequencer, document))
    assert record is not None
    return record


def indexed(record: DocumentRecord, version: str = "v1") -> DocumentRecord:
    return replace(
        record,
        status=DocumentStatus.INDEXED_WITH_WARNINGS,
        version=version,
        content_hash="hash",
        fingerprint="print",
        title="Ein Titel",
        media_type="application/pdf",
        parser="pypdf",
        pages=3,
        chunks=12,
        characters=9000,
        warnings=("page 2 has no text",),
        acl=("crew",),
        timings_ms={"parse": 5},
    )


def test_a_claim_makes_a_document_known_as_processing(registry: DocumentRegistry) -> None:
    record = claimed(registry, "0A")
    assert (record.status, record.version, record.source) == (DocumentStatus.PROCESSING, None, "a/b.pdf")
    assert registry.current([record.document_id]) == {}


def test_a_claim_says_who_may_know_of_the_document_or_leaves_that_as_it_was(registry: DocumentRegistry) -> None:
    for sequencer, acl, expected in (("01", None, ()), ("02", ("crew",), ("crew",)), ("03", None, ("crew",))):
        record = registry.begin(created(sequencer), acl=acl)
        assert record is not None
        assert (record.acl, registry.get(record.document_id)) == (expected, record)
    assert registry.begin(created("01"), acl=()) is None
    hidden = registry.page(where=DocumentFilter(groups=("board",)))
    assert (hidden.documents, len(registry.page(where=DocumentFilter(groups=("crew",))).documents)) == ((), 1)


def test_what_is_finished_reads_back(registry: DocumentRegistry) -> None:
    record = indexed(claimed(registry, "0A"))
    assert registry.finish(record)
    found = registry.get(record.document_id)
    assert found is not None
    assert replace(found, updated_at="") == replace(record, updated_at="")
    assert registry.current([record.document_id, "other"]) == {record.document_id: CurrentVersion("v1", ("crew",))}


def test_an_older_change_is_not_claimed_after_a_newer_one(registry: DocumentRegistry) -> None:
    claimed(registry, "0B")
    assert registry.begin(created("0A")) is None


def test_the_shorter_sequencer_counts_as_padded_on_the_right(registry: DocumentRegistry) -> None:
    claimed(registry, "0A")
    assert registry.begin(created("0A01")) is not None
    assert registry.begin(created("0a")) is None


def test_a_change_is_claimed_again_until_it_is_done(registry: DocumentRegistry) -> None:
    record = claimed(registry, "0A")
    registry.fail(record, "throttled")
    assert claimed(registry, "0A").status is DocumentStatus.PROCESSING
    assert registry.finish(indexed(record))
    assert registry.begin(created("0A")) is None


def test_a_change_that_failed_after_it_was_finished_is_claimed_again(registry: DocumentRegistry) -> None:
    record = indexed(claimed(registry, "0A"))
    registry.finish(record)
    registry.fail(record, "clearing up failed")
    assert claimed(registry, "0A").version == "v1"


def test_a_part_that_is_done_is_not_claimed_again_while_the_other_is_at_work(registry: DocumentRegistry) -> None:
    by_sidecar = registry.begin(sidecar("04"))
    assert by_sidecar is not None
    registry.finish(indexed(by_sidecar))
    claimed(registry, "02")
    assert registry.begin(sidecar("04")) is None


def test_a_change_that_lost_against_a_newer_one_can_t_be_finished(registry: DocumentRegistry) -> None:
    older = claimed(registry, "0A")
    claimed(registry, "0B")
    assert not registry.finish(indexed(older))
    assert registry.current([older.document_id]) == {}


def test_a_failure_leaves_what_is_quotable(registry: DocumentRegistry) -> None:
    first = indexed(claimed(registry, "0A"))
    registry.finish(first)
    registry.fail(claimed(registry, "0B"), "the embedder is throttled")
    found = registry.get(first.document_id)
    assert found is not None
    assert (found.status, found.message) == (DocumentStatus.FAILED, "the embedder is throttled")
    assert registry.current([first.document_id])[first.document_id].version == "v1"


def test_an_old_failure_does_not_touch_a_newer_change(registry: DocumentRegistry) -> None:
    older = claimed(registry, "0A")
    newer = indexed(claimed(registry, "0B"))
    registry.finish(newer)
    registry.fail(older, "too late")
    found = registry.get(newer.document_id)
    assert found is not None
    assert found.status is DocumentStatus.INDEXED_WITH_WARNINGS


def test_a_document_without_a_version_is_no_longer_quotable(registry: DocumentRegistry) -> None:
    first = indexed(claimed(registry, "0A"))
    registry.finish(first)
    deleted = replace(claimed(registry, "0B"), status=DocumentStatus.DELETED, version=None, title=None)
    assert registry.finish(deleted)
    assert registry.current([first.document_id]) == {}
    found = registry.get(first.document_id)
    assert found is not None
    assert (found.version, found.title) == (None, None)


def test_of_many_claims_at_once_the_newest_holds(registry: DocumentRegistry) -> None:
    sequencers = [f"{number:04X}" for number in range(20)]
    with ThreadPoolExecutor(4) as pool:
        records = [record for record in pool.map(lambda s: registry.begin(created(s)), sequencers) if record]
    finished = [record.sequencer for record in records if registry.finish(indexed(record, record.sequencer))]
    assert finished == [sequencers[-1]]


def test_a_sidecar_s_changes_have_an_order_of_their_own(registry: DocumentRegistry) -> None:
    registry.finish(indexed(claimed(registry, "0F")))
    record = registry.begin(sidecar("0A"))
    assert record is not None
    assert (record.version, record.sequencer, record.sidecar_sequencer) == ("v1", "0F", "0A")
    assert registry.finish(indexed(record, "v2"))
    assert registry.begin(sidecar("0A")) is None
    assert registry.begin(sidecar("09")) is None


def test_a_change_of_either_part_takes_the_claim_away(registry: DocumentRegistry) -> None:
    content = claimed(registry, "0A")
    by_sidecar = registry.begin(sidecar("01"))
    assert by_sidecar is not None
    assert not registry.finish(indexed(content))
    newer = claimed(registry, "0B")
    assert not registry.finish(indexed(by_sidecar))
    assert registry.finish(indexed(newer, "v3"))


def test_documents_are_listed_by_source_a_page_at_a_time(registry: DocumentRegistry) -> None:
    for name in ("c", "a", "b", "e", "d"):
        claimed(registry, "0A", ObjectRef("bucket", f"inbox/{name}.txt"))
    sources: list[str] = []
    cursor: str | None = None
    while True:
        page = registry.page(limit=2, cursor=cursor)
        assert len(page.documents) <= 2
        sources += [record.source for record in page.documents]
        cursor = page.cursor
        if cursor is None:
            break
    assert sources == ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]


def test_more_documents_than_one_batch_holds_are_read_at_once(registry: DocumentRegistry) -> None:
    records = [indexed(claimed(registry, "0A", ObjectRef("bucket", f"inbox/{n}.txt"))) for n in range(130)]
    assert all(map(registry.finish, records))
    assert len(registry.current([record.document_id for record in records])) == 130


def test_namespaces_do_not_see_each_other(account: Account) -> None:
    create_documents_table(account)
    production, variant = dynamodb(account), dynamodb(account, "eval-1")
    production.finish(indexed(claimed(production, "0A")))
    assert variant.get(DOCUMENT.document_id) is None
    assert variant.page().documents == ()
    claimed(variant, "01")


@pytest.mark.parametrize(
    "content",
    [
        b"nonsense",
        b"5",
        b"[]",
        b"{}",
        b'{"pk": "chunks#1", "namespace": "chunks", "source": ""}',
        b'{"pk": "chunks#1", "namespace": "other", "source": "a.txt"}',
        b'{"pk": "chunks#1", "namespace": "chunks", "source": "a.txt", "more": 1}',
    ],
)
def test_a_cursor_from_elsewhere_is_refused(account: Account, content: bytes) -> None:
    create_documents_table(account)
    with pytest.raises(InvalidQuery, match="start without one"):
        dynamodb(account).page(cursor=urlsafe_b64encode(content).decode())


@pytest.mark.parametrize("cursor", ["nonsense", "é", "%", "\x00"])
def test_a_cursor_that_is_none_is_refused(account: Account, cursor: str) -> None:
    create_documents_table(account)
    with pytest.raises(InvalidQuery, match="start without one"):
        dynamodb(account).page(cursor=cursor)
