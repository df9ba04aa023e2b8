from __future__ import annotations

from typing import Any

import pytest
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.ingest import handler
from ragstone.aws.retries import RetrySchedule
from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.errors import SettingsError, TransientError
from ragstone.ingestion import Chunking, Ingestion
from ragstone.parsing import parse
from ragstone.types import DocumentStatus, ObjectRef
from tests.support.events import load
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_index import FakeIndex
from tests.support.fake_registry import FakeRegistry
from tests.support.fake_store import FakeStore, etag_of
from tests.support.lambda_context import CONTEXT, context
from tests.support.recording_sqs import RecordingSqs

NOTICE = ObjectRef("ragstone-documents", "inbox/notices/excursion.txt")
TEXT = "The excursion to the lightship leaves at ten."
FOLDER, GARBAGE, CREATED = load("sqs_batch")["Records"]


class Function:
    """The ingest function over fakes: only its outermost parts are not those of production."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.registry = FakeRegistry()
        self.index = FakeIndex()
        self.embedder = FakeEmbedder()
        self.sqs = RecordingSqs()
        ingestion = Ingestion(
            store=self.store,
            registry=self.registry,
            index=self.index,
            embedder=self.embedder,
            chunking=Chunking(chunker=RecursiveChunker(100, 0), filters=KEEP_ALL),
            parse=parse,
        )
        self.parts = handler.Parts(ingestion, RetrySchedule(self.sqs, base_seconds=5))

    def invoke(self, *records: dict[str, Any], lambda_context: LambdaContext = CONTEXT) -> list[str]:
        """The ids of the messages that the function gives back to the queue."""
        return ids(handler.handler({"Records": list(records)}, lambda_context))


@pytest.fixture
def function(monkeypatch: pytest.MonkeyPatch) -> Function:
    made = Function()
    made.store.put(NOTICE.bucket, NOTICE.key, TEXT)
    monkeypatch.setattr(handler, "build", lambda: made.parts)
    return made


def ids(reply: PartialItemFailureResponse) -> list[str]:
    return [str(failure["itemIdentifier"]) for failure in reply["batchItemFailures"]]


def received(record: dict[str, Any], times: int) -> dict[str, Any]:
    return {**record, "attributes": {**record["attributes"], "ApproximateReceiveCount": str(times)}}


def test_only_the_message_that_failed_goes_back(function: Function) -> None:
    assert function.invoke(FOLDER, GARBAGE, CREATED) == [GARBAGE["messageId"]]
    record = function.registry.get(NOTICE.document_id)
    assert record is not None
    assert (record.status, record.chunks) == (DocumentStatus.INDEXED, 1)
    assert [item.chunk.text for item in function.index.store.chunks.values()] == [TEXT]
    assert list(function.registry.records) == [NOTICE.document_id]


def test_the_message_that_failed_comes_back_later_each_time(function: Function) -> None:
    for tries, seconds in ((1, 5), (2, 10), (3, 20), (4, 40)):
        function.sqs.delays.clear()
        function.invoke(FOLDER, received(GARBAGE, tries), CREATED)
        assert function.sqs.delays == {GARBAGE["receiptHandle"]: seconds}


def test_a_batch_whose_messages_all_fail_names_them_all_and_raises_nothing(function: Function) -> None:
    function.embedder.failures = [TransientError("the embedder is throttled")]
    assert function.invoke(GARBAGE, CREATED) == [GARBAGE["messageId"], CREATED["messageId"]]
    assert function.sqs.delays == {GARBAGE["receiptHandle"]: 20, CREATED["receiptHandle"]: 5}
    record = function.registry.get(NOTICE.document_id)
    assert record is not None
    assert record.status is DocumentStatus.FAILED
    assert record.message is not None
    assert "the embedder is throttled" in record.message


def test_a_failure_of_one_invocation_is_no_part_of_the_next(function: Function) -> None:
    function.embedder.failures = [TransientError("the embedder is throttled")]
    assert function.invoke(CREATED) == [CREATED["messageId"]]
    assert function.invoke(received(CREATED, 2)) == []
    record = function.registry.get(NOTICE.document_id)
    assert record is not None
    assert (record.status, record.message) == (DocumentStatus.INDEXED, None)


def test_a_document_that_is_rejected_is_done(function: Function) -> None:
    picture = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    function.store.put(NOTICE.bucket, NOTICE.key, picture)
    assert function.invoke({**CREATED, "body": CREATED["body"].replace(etag_of(TEXT.encode()), etag_of(picture))}) == []
    record = function.registry.get(NOTICE.document_id)
    assert record is not None
    assert (record.status, record.reason) == (DocumentStatus.REJECTED, "unsupported_type")
    assert function.sqs.delays == {}


def test_what_an_invocation_has_no_time_for_goes_on_as_a_message_of_its_own(function: Function) -> None:
    lines = (f"Excursion {number} to the lightship leaves at ten and is back before the tide." for number in range(600))
    text = "\n\n".join(lines)
    function.store.put(NOTICE.bucket, NOTICE.key, text)
    body = CREATED["body"].replace(etag_of(TEXT.encode()), etag_of(text.encode()))
    turns = 0
    while body:
        turns += 1
        assert function.invoke({**CREATED, "body": body}, lambda_context=context(remaining_ms=59_000)) == []
        body = function.sqs.sent.pop() if function.sqs.sent else None
    record = function.registry.get(NOTICE.document_id)
    assert record is not None
    assert (turns, record.status, record.chunks) == (3, DocumentStatus.INDEXED, 600)
    assert len(function.index.store.chunks) == 600
    assert len(function.embedder.asked) == 600


def test_a_message_that_can_t_be_postponed_still_goes_back(function: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    def expired(**_: object) -> None:
        raise RuntimeError("the receipt handle has expired")

    monkeypatch.setattr(function.sqs, "change_message_visibility", expired)
    assert function.invoke(FOLDER, GARBAGE, CREATED) == [GARBAGE["messageId"]]


def test_with_wrong_settings_every_document_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong() -> handler.Parts:
        raise SettingsError("RAGSTONE_INDEX_URL: Field required")

    monkeypatch.setattr(handler, "build", wrong)
    assert ids(handler.handler({"Records": [FOLDER, CREATED]}, CONTEXT)) == [CREATED["messageId"]]
