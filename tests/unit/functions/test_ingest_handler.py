from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.ingest import handler
from ragstone.aws.retries import RetrySchedule
from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.errors import SettingsError, TransientError
from ragstone.generations.every import EveryGeneration
from ragstone.ingestion import CachedParse, Chunking, Ingestion
from ragstone.parsing import parse as parse_now
from ragstone.parsing.isolated import IsolatedParser, Limits
from ragstone.parsing.ocr import OcrLine
from ragstone.parsing.pdf_scans import WithOcr
from ragstone.ports import ResumableParser
from ragstone.types import DocumentRecord, DocumentStatus, Generation, Generations, ObjectRef
from tests.support.events import load
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_index import FakeIndex
from tests.support.fake_registry import FakeRegistry
from tests.support.fake_store import FakeStore, etag_of
from tests.support.lambda_context import CONTEXT, context
from tests.support.parsing import in_one_turn, parse
from tests.support.recording_sqs import RecordingSqs
from tests.unit.parsing.made_pdf import handbook, pdf_drawn, picture

NOTICE = ObjectRef("ragstone-documents", "inbox/notices/excursion.txt")
TEXT = "The excursion to the lightship leaves at ten."
ONLY = Generation("chunks-1", {}, 64, "2026-01-01T12:00:00+00:00")
FOLDER, GARBAGE, CREATED = load("sqs_batch")["Records"]


class Function:
    """The ingest function over fakes: only its outermost parts are not those of production."""

    def __init__(self, parser: ResumableParser | None = None) -> None:
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
            parse=CachedParse(parse=parser, store=self.store, bucket="reports", generation="1") if parser else parse,
        )
        every = EveryGeneration(generations=lambda: Generations(ONLY), ingestion=lambda _: ingestion)
        self.parts = handler.Parts(every, RetrySchedule(self.sqs, base_seconds=5))

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


def put(function: Function, content: bytes) -> dict[str, Any]:
    """Put a file in the place of the notice, and return the record of its event."""
    function.store.put(NOTICE.bucket, NOTICE.key, content)
    return {**CREATED, "body": CREATED["body"].replace(etag_of(TEXT.encode()), etag_of(content))}


def test_a_pdf_that_an_invocation_has_no_time_for_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    content = handbook(pages=9)
    with IsolatedParser(Limits(pages_at_once=2)) as parser:
        function = Function(parser)
        monkeypatch.setattr(handler, "build", lambda: function.parts)
        record = put(function, content)
        known: list[DocumentRecord] = []
        while record["body"]:
            assert function.invoke(record, lambda_context=context(remaining_ms=59_000)) == []
            known += filter(None, [function.registry.get(NOTICE.document_id)])
            record = {**record, "body": function.sqs.sent.pop() if function.sqs.sent else None}
    assert [(turn.status, turn.version) for turn in known[:-1]] == [(DocumentStatus.PROCESSING, None)] * 5
    assert (known[-1].status, known[-1].pages) == (DocumentStatus.INDEXED_WITH_WARNINGS, 9)
    assert known[-1].characters == len(parse_now(content, source="x.pdf").text)


def test_scans_that_can_t_be_read_for_now_are_read_later(monkeypatch: pytest.MonkeyPatch) -> None:
    ocr = ThrottledOcr()
    function = Function(WithOcr(parse=in_one_turn(parse_now), ocr=ocr))
    monkeypatch.setattr(handler, "build", lambda: function.parts)
    record = put(function, pdf_drawn([picture(0, 0, 595, 842)]))
    assert function.invoke(record) == [CREATED["messageId"]]
    known = function.registry.get(NOTICE.document_id)
    assert known is not None
    assert known.status is DocumentStatus.FAILED
    assert "Textract is throttled" in (known.message or "")
    assert function.invoke(received(record, 2)) == []
    known = function.registry.get(NOTICE.document_id)
    assert known is not None
    assert (known.parser, known.version is None) == ("throttled", False)
    assert [item.chunk.text for item in function.index.store.chunks.values()] == [TEXT]


class ThrottledOcr:
    """Answers from its second call on."""

    name = "throttled"
    pages_at_once = 10
    seconds = 60.0
    calls = 0

    def read(self, content: bytes, pages: Sequence[int]) -> Mapping[int, Sequence[OcrLine]]:
        self.calls += 1
        if self.calls == 1:
            raise TransientError("Textract is throttled")
        return {1: [OcrLine(TEXT, ((60, 712), (260, 712), (260, 700), (60, 700)))]}


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
