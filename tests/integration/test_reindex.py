"""One index replaced by another by the functions themselves, on both kinds: S3, DynamoDB and SQS on MiniStack."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import pytest
from opensearchpy import OpenSearch
from starlette.testclient import TestClient

from functions.ingest import handler as ingest
from functions.query import app as query
from functions.reindex import handler as reindex
from ragstone.api import live
from ragstone.api.live import LiveApp
from ragstone.aws import clients
from ragstone.composition import build_index_for, build_registry
from ragstone.settings import Settings
from ragstone.types import INBOX
from tests.support.buckets import versioned_bucket
from tests.support.fixtures_ministack import Account
from tests.support.lambda_context import CONTEXT
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table

FERRY = "The night ferry to Sollund runs on Tuesdays only, because the crew rests on other nights."
QUESTION = "On which days does the night ferry to Sollund run?"


class Deployment:
    """The functions with their settings, and a bucket whose events come into the queue in the order of changes."""

    def __init__(self, account: Account, settings: Settings) -> None:
        self.s3, self.sqs, self.settings = account.client("s3"), account.client("sqs"), settings
        self.sequence = 0x0065AED6DCD90281E5

    def put(self, source: str, text: str) -> None:
        bucket, key = self.settings.documents_bucket, INBOX + source
        etag = self.s3.put_object(Bucket=bucket, Key=key, Body=text.encode())["ETag"].strip('"')
        self._tell("Object Created", source, etag)

    def delete(self, source: str) -> None:
        self.s3.delete_object(Bucket=self.settings.documents_bucket, Key=INBOX + source)
        self._tell("Object Deleted", source, "")

    def _tell(self, kind: str, source: str, etag: str) -> None:
        self.sequence += 1
        written = {"key": INBOX + source, "sequencer": f"{self.sequence:018X}", "etag": etag}
        detail = {"bucket": {"name": self.settings.documents_bucket}, "object": written}
        self.sqs.send_message(
            QueueUrl=self.settings.ingest_queue_url, MessageBody=json.dumps({"detail-type": kind, "detail": detail})
        )

    def work(self) -> int:
        """Let the ingest function carry out what is in the queue; how much that was."""
        url, count = self.settings.ingest_queue_url, 0
        while messages := self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            records = [
                {
                    "messageId": message["MessageId"],
                    "receiptHandle": message["ReceiptHandle"],
                    "body": message["Body"],
                    "attributes": {"ApproximateReceiveCount": "1"},
                    "eventSourceARN": "arn:aws:sqs:eu-central-1:000000000000:ingest",
                }
                for message in messages
            ]
            assert ingest.handler({"Records": records}, CONTEXT) == {"batchItemFailures": []}
            for message in messages:
                self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            count += len(messages)
        return count

    def step(self, step: str, **more: Any) -> dict[str, Any]:
        return reindex.handler({"step": step, **more}, CONTEXT)


@pytest.fixture(params=["embedded", pytest.param("opensearch", marks=pytest.mark.opensearch)])
def settings(request: pytest.FixtureRequest, account: Account, tmp_path: Path) -> Iterator[Settings]:
    name = f"test-{uuid4().hex[:8]}"
    bucket, reports = f"documents-{name}", f"reports-{name}"
    for each in (bucket, reports):
        versioned_bucket(account, each)
    create_documents_table(account)
    index: dict[str, Any] = {"index_url": f"lancedb://{tmp_path}"}
    client: OpenSearch | None = None
    if request.param == "opensearch":
        client = request.getfixturevalue("opensearch_client")
        index = {"index_url": request.getfixturevalue("opensearch_url"), "index_profile": "lucene"}
    yield Settings(
        documents_bucket=bucket,
        reports_bucket=reports,
        registry_table=DOCUMENTS_TABLE,
        ingest_queue_url=account.client("sqs").create_queue(QueueName="ingest")["QueueUrl"],
        index_name=name,
        min_chunk_characters=0,
        **index,
    )
    if client:
        client.indices.delete(index=",".join(client.indices.get(index=f"{name}*")))


@pytest.fixture
def deployment(account: Account, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    aws = {"ENDPOINT_URL": account.endpoint, "ACCESS_KEY_ID": account.number, "SECRET_ACCESS_KEY": "test"}
    for name, value in {**aws, "REGION": "eu-central-1", "DEFAULT_REGION": "eu-central-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    for name, value in settings.to_environment().items():
        monkeypatch.setenv(name, value)
    caches = (clients.client, clients.dynamodb, clients.signing_s3, ingest.build, reindex.build)
    for each in caches:
        each.cache_clear()
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it keeps the credentials of whoever came first
    monkeypatch.setattr(live, "LOOK_AGAIN_SECONDS", 0.0)
    yield Deployment(account, settings)
    for each in caches:
        each.cache_clear()


def answer(app: LiveApp, question: str = QUESTION) -> str:
    reply = TestClient(app).post("/v1/query", json={"question": question, "stream": False}).json()
    return reply["answer"]


def test_an_index_is_replaced_while_it_answers_and_documents_come_and_go(deployment: Deployment) -> None:
    app = query.build_app()
    assert answer(app) == ""
    deployment.put("ferry.txt", FERRY)
    deployment.put("fares.txt", "A crossing costs 85 crowns, and children cross for nothing.")
    deployment.work()
    first = deployment.step("status")["live"]["name"]
    assert "Tuesdays" in answer(app)

    begun = deployment.step("begin", settings={"chunker": "token", "chunk_size": "40"})
    second = begun["other"]["name"]
    assert begun["other"]["settings"] == {"chunk_size": 40, "chunker": "token"}
    assert deployment.step("send")["sent"] == 2
    deployment.put("ferry.txt", FERRY.replace("Tuesdays", "Fridays"))
    deployment.delete("fares.txt")
    assert deployment.step("check")["waiting"] == "ferry.txt"
    assert "Tuesdays" in answer(app)
    assert deployment.work() == 4
    assert "Fridays" in answer(app)
    assert (deployment.step("check")["documents"], deployment.step("check")["waiting"]) == (1, None)

    assert deployment.step("swap", name=second)["live"]["name"] == second
    assert "Fridays" in answer(app)
    assert answer(app, "What does a crossing cost?") == ""
    deployment.put("ferry.txt", FERRY.replace("Tuesdays", "Sundays"))
    deployment.work()
    assert "Sundays" in answer(app)
    assert deployment.step("swap", name=first)["live"]["name"] == first
    assert "Sundays" in answer(app)


def test_what_is_dropped_leaves_nothing_in_the_index(deployment: Deployment, settings: Settings) -> None:
    deployment.put("ferry.txt", FERRY)
    deployment.work()
    first = deployment.step("status")["live"]["name"]
    second = deployment.step("begin")["other"]["name"]
    deployment.step("send")
    deployment.work()
    counts = {name: build_index_for(settings.changed({"index_name": name})).count for name in (first, second)}
    assert {name: count() for name, count in counts.items()} == {first: 1, second: 1}
    assert deployment.step("drop") == {"dropped": second}
    assert {name: count() for name, count in counts.items()} == {first: 1, second: 0}


def test_an_index_from_before_there_were_generations_is_the_first_one(
    deployment: Deployment, settings: Settings
) -> None:
    deployment.put("ferry.txt", FERRY)
    legacy = ingest.Parts(_plain(settings), ingest.build().retries)
    monkey = pytest.MonkeyPatch()
    monkey.setattr(ingest, "build", lambda: legacy)
    deployment.work()
    monkey.undo()
    app = query.build_app()
    assert "Tuesdays" in answer(app)
    assert deployment.step("status")["live"]["name"] == settings.index_name
    deployment.put("ferry.txt", FERRY.replace("Tuesdays", "Fridays"))
    deployment.work()
    assert "Fridays" in answer(app)
    assert build_registry(settings).page().documents[0].version


def _plain(settings: Settings) -> Any:
    """Ingestion as it was without generations."""
    from ragstone.composition import build_ingestion

    made = build_ingestion(settings)

    class Plain:
        def apply(self, change: Any, budget: Any, *, at: str) -> Any:
            return made.apply(change, budget)

    return Plain()
