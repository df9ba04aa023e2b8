"""Whatever AWS refuses or is too busy for, every adapter says in our own errors, and the API with a status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import boto3
import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    NoCredentialsError,
    ParamValidationError,
    ReadTimeoutError,
)
from botocore.stub import Stubber
from starlette.testclient import TestClient

from ragstone.api.documents import DocumentRoutes
from ragstone.aws.change_queue import SqsChangeQueue
from ragstone.aws.dead_letters import DeadLetters
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.failures import translated
from ragstone.aws.inbox import S3Inbox
from ragstone.aws.object_store import S3ObjectStore
from ragstone.aws.retries import RetrySchedule
from ragstone.aws.vector_cache import DynamoVectorCache
from ragstone.errors import PermanentError, RagstoneError, TransientError
from ragstone.types import ChangeKind, DocumentRecord, DocumentStatus, ObjectChange, ObjectRef
from tests.support.routes import FakeService

PLACE = ObjectRef("documents", "inbox/a.pdf")
CHANGE = ObjectChange(ChangeKind.CREATED, PLACE, "0A", "etag")
RECORD = DocumentRecord(PLACE.document_id, PLACE.bucket, PLACE.key, "0A", DocumentStatus.INDEXED)
ARN, URL = "arn:aws:sqs:eu-central-1:111122223333:ingest", "https://queues/111122223333/ingest"
ACCOUNT = {"region_name": "eu-central-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}


@dataclass(frozen=True)
class Aws:
    """Clients that reach nothing."""

    s3: Any
    sqs: Any
    dynamodb: Any

    @property
    def registry(self) -> DynamoDocumentRegistry:
        return DynamoDocumentRegistry(self.dynamodb, table="documents", namespace="chunks")

    @property
    def inbox(self) -> S3Inbox:
        return S3Inbox(self.s3, bucket="documents")

    @property
    def store(self) -> S3ObjectStore:
        return S3ObjectStore(self.s3, max_bytes=1_000)

    def client(self, service: str) -> Any:
        return {"s3": self.s3, "sqs": self.sqs, "dynamodb": self.dynamodb.meta.client}[service]


@pytest.fixture
def aws() -> Aws:
    made = cast("Any", boto3)
    return Aws(made.client("s3", **ACCOUNT), made.client("sqs", **ACCOUNT), made.resource("dynamodb", **ACCOUNT))


CALLS: dict[str, tuple[str, str, Callable[[Aws], object]]] = {
    "store reads": ("s3", "get_object", lambda aws: aws.store.read(PLACE)),
    "store lists": ("s3", "list_objects_v2", lambda aws: list(aws.store.list("documents", "inbox/"))),
    "store writes": ("s3", "put_object", lambda aws: aws.store.write(PLACE, b"", "text/plain")),
    "inbox writes": ("s3", "put_object", lambda aws: aws.inbox.write("a.pdf", b"", "text/plain")),
    "inbox touches": ("s3", "head_object", lambda aws: aws.inbox.touch("a.pdf")),
    "inbox deletes": ("s3", "head_object", lambda aws: aws.inbox.delete("a.pdf")),
    "inbox shows versions": ("s3", "list_object_versions", lambda aws: aws.inbox.versions("a.pdf")),
    "inbox lists": ("s3", "list_objects_v2", lambda aws: list(aws.inbox.objects())),
    "registry begins": ("dynamodb", "update_item", lambda aws: aws.registry.begin(CHANGE)),
    "registry finishes": ("dynamodb", "update_item", lambda aws: aws.registry.finish(RECORD)),
    "registry fails": ("dynamodb", "update_item", lambda aws: aws.registry.fail(RECORD, "broken")),
    "registry gets": ("dynamodb", "get_item", lambda aws: aws.registry.get("d")),
    "registry reads many": ("dynamodb", "batch_get_item", lambda aws: aws.registry.current(["d"])),
    "registry lists": ("dynamodb", "query", lambda aws: aws.registry.page()),
    "cache reads": (
        "dynamodb",
        "batch_get_item",
        lambda aws: DynamoVectorCache(aws.dynamodb, table="v", ttl_days=1).get("k"),
    ),
    "queue sends": ("sqs", "send_message", lambda aws: SqsChangeQueue(aws.sqs, queue_url=URL).send(CHANGE)),
    "retries ask": ("sqs", "get_queue_url", lambda aws: retries(aws).postpone(queue_arn=ARN, receipt="r", tries=1)),
    "retries go on": ("sqs", "get_queue_url", lambda aws: retries(aws).go_on(queue_arn=ARN, body="rest")),
    "dead letters": (
        "sqs",
        "receive_message",
        lambda aws: list(DeadLetters(aws.sqs, dead_letters_url=URL, queue_url=URL).replay()),
    ),
}


def retries(aws: Aws) -> RetrySchedule:
    return RetrySchedule(aws.sqs, base_seconds=5)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("ThrottlingException", 400, TransientError),
        ("ProvisionedThroughputExceededException", 400, TransientError),
        ("SlowDown", 503, TransientError),
        ("InternalError", 500, TransientError),
        ("AccessDenied", 403, PermanentError),
        ("AccessDeniedException", 400, PermanentError),
        ("ExpiredToken", 400, PermanentError),
    ],
)
def test_no_adapter_lets_a_refusal_through_as_it_is(
    aws: Aws, name: str, code: str, status: int, kind: type[RagstoneError]
) -> None:
    service, operation, call = CALLS[name]
    with Stubber(aws.client(service)) as stub:
        stub.add_client_error(operation, code, http_status_code=status)
        with pytest.raises(kind) as caught:
            call(aws)
        stub.assert_no_pending_responses()
    assert isinstance(caught.value.__cause__, ClientError)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (ConnectTimeoutError(endpoint_url="https://x"), TransientError, "can't be reached"),
        (ReadTimeoutError(endpoint_url="https://x"), TransientError, "try again in a moment"),
        (NoCredentialsError(), PermanentError, "sign in to AWS again"),
        (ParamValidationError(report="no such key"), PermanentError, "no such key"),
    ],
)
def test_what_the_client_itself_meets_is_told_apart_too(
    error: BotoCoreError, kind: type[RagstoneError], words: str
) -> None:
    with pytest.raises(kind, match=words) as caught, translated("the table t"):
        raise error
    assert str(caught.value).startswith("the table t ")


def test_an_adapter_s_own_advice_goes_before_the_common_one() -> None:
    denied = ClientError({"Error": {"Code": "AccessDenied"}}, "GetObject")
    with pytest.raises(PermanentError, match="the bucket b can't be used: ask Ada"):  # noqa: SIM117
        with translated("the bucket b", {"AccessDenied": "ask Ada"}):
            raise denied


@pytest.mark.parametrize(
    ("code", "status", "named"),
    [("ThrottlingException", 503, "temporarily_unavailable"), ("AccessDeniedException", 502, "service_refused")],
)
def test_the_api_answers_with_a_problem(aws: Aws, code: str, status: int, named: str) -> None:
    fakes = FakeService()
    routes = DocumentRoutes(registry=aws.registry, access=fakes.access, inbox=fakes.inbox, chunk_reader=fakes.reader)
    app = fakes.app_of([routes.router])
    with Stubber(aws.client("dynamodb")) as stub, TestClient(app) as client:
        stub.add_client_error("query", code, http_status_code=400)
        response = client.get("/v1/documents")
    assert (response.status_code, response.json()["code"]) == (status, named)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers.get("retry-after") == ("5" if status == 503 else None)
    assert response.json()["detail"].startswith("the table documents ")
