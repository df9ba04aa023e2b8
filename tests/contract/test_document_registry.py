"""What every document registry keeps to: the fake in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ragstone.aws.document_registry import BY_SOURCE, DynamoDocumentRegistry
from ragstone.errors import InvalidQuery
from ragstone.ports import DocumentRegistry
from ragstone.types import CurrentVersion, DocumentRecord, DocumentStatus, ObjectRef
from tests.support.fake_registry import FakeRegistry
from tests.support.fixtures_ministack import Account

DOCUMENT = ObjectRef("bucket", "inbox/a/b.pdf")
TABLE = "documents"


def dynamodb(account: Account, namespace: str = "chunks") -> DynamoDocumentRegistry:
    return DynamoDocumentRegistry(account.resource("dynamodb"), table=TABLE, namespace=namespace)


def create_table(account: Account) -> None:
    account.client("dynamodb").create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "namespace", "source")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": BY_SOURCE,
                "KeySchema": [
                    {"AttributeName": "namespace", "KeyType": "HASH"},
                    {"AttributeName": "source", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )


@pytest.fixture(params=["fake", "dynamodb"])
def registry(request: pytest.FixtureRequest) -> DocumentRegistry:
    if request.param == "fake":
        return FakeRegistry()
    account: Account = request.getfixturevalue("account")
    create_table(account)
    return dynamodb(account)


def claimed(registry: DocumentRegistry, sequencer: str, document: ObjectRef = DOCUMENT) -> DocumentRecord:
    record = registry.begin(document, sequencer)
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


def test_what_is_finished_reads_back(registry: DocumentRegistry) -> None:
    record = indexed(claimed(registry, "0A"))
    assert registry.finish(record)
    found = registry.get(record.document_id)
    assert found is not None
    assert replace(found, updated_at="") == replace(record, updated_at="")
    assert registry.current([record.document_id, "other"]) == {record.document_id: CurrentVersion("v1", ("crew",))}


def test_an_older_change_is_not_claimed_after_a_newer_one(registry: DocumentRegistry) -> None:
    claimed(registry, "0B")
    assert registry.begin(DOCUMENT, "0A") is None


def test_sequencers_of_different_lengths_compare_as_numbers(registry: DocumentRegistry) -> None:
    claimed(registry, "FF")
    assert registry.begin(DOCUMENT, "0100") is not None
    assert registry.begin(DOCUMENT, "ff") is None


def test_a_change_is_claimed_again_until_it_is_done(registry: DocumentRegistry) -> None:
    record = claimed(registry, "0A")
    registry.fail(DOCUMENT, "0A", "throttled")
    assert claimed(registry, "0A").status is DocumentStatus.PROCESSING
    assert registry.finish(indexed(record))
    assert registry.begin(DOCUMENT, "0A") is None


def test_a_change_that_lost_against_a_newer_one_can_t_be_finished(registry: DocumentRegistry) -> None:
    older = claimed(registry, "0A")
    claimed(registry, "0B")
    assert not registry.finish(indexed(older))
    assert registry.current([older.document_id]) == {}


def test_a_failure_leaves_what_is_quotable(registry: DocumentRegistry) -> None:
    first = indexed(claimed(registry, "0A"))
    registry.finish(first)
    claimed(registry, "0B")
    registry.fail(DOCUMENT, "0B", "the embedder is throttled")
    found = registry.get(first.document_id)
    assert found is not None
    assert (found.status, found.message) == (DocumentStatus.FAILED, "the embedder is throttled")
    assert registry.current([first.document_id])[first.document_id].version == "v1"


def test_an_old_failure_does_not_touch_a_newer_change(registry: DocumentRegistry) -> None:
    claimed(registry, "0A")
    newer = indexed(claimed(registry, "0B"))
    registry.finish(newer)
    registry.fail(DOCUMENT, "0A", "too late")
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
        records = [record for record in pool.map(lambda s: registry.begin(DOCUMENT, s), sequencers) if record]
    finished = [record.sequencer for record in records if registry.finish(indexed(record, record.sequencer))]
    assert finished == [sequencers[-1]]


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
    create_table(account)
    production, variant = dynamodb(account), dynamodb(account, "eval-1")
    production.finish(indexed(claimed(production, "0A")))
    assert variant.get(DOCUMENT.document_id) is None
    assert variant.page().documents == ()
    claimed(variant, "01")


def test_a_cursor_from_elsewhere_is_refused(account: Account) -> None:
    create_table(account)
    with pytest.raises(InvalidQuery, match="start without one"):
        dynamodb(account).page(cursor="nonsense")
