"""The query function as it is deployed: its start script behind the real Lambda Web Adapter, invoked by API Gateway."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from infra.constructs.web_adapter import ENVIRONMENT
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.object_store import S3ObjectStore
from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.cli.local.running import free_port
from ragstone.embedding import build_embedder
from ragstone.index import build_index
from ragstone.ingestion import Chunking, Ingestion
from ragstone.settings import Settings
from ragstone.types import INBOX, SIDECAR_SUFFIX, ChangeKind, DocumentStatus, ObjectChange, ObjectRef
from tests.support.events import load
from tests.support.fixtures_ministack import Account
from tests.support.parsing import parse
from tests.support.provider_dialects import Chat
from tests.support.provider_server import ProviderServer
from tests.support.runtime_api import FUNCTION_ARN, Reply, RuntimeApi
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table
from tests.support.web_adapter import NoAdapter, web_adapter

pytestmark = pytest.mark.web_adapter

REPOSITORY = Path(__file__).parents[2]
TASK_ROOT = REPOSITORY / "functions" / "query"
NIGHT, CREW = "The night ferry runs on Tuesdays only.", "The crew of the night ferry meets at the old crane."
PURSER = "arn:aws:iam::111122223333:user/purser"
DOCUMENTS = {
    "night.txt": NIGHT,
    "crew.txt": CREW,
    "crew.txt" + SIDECAR_SUFFIX: json.dumps({"acl": ["crew", "Fährleute", PURSER]}),
}


def line(sentence: str, quote: str) -> str:
    return json.dumps({"sentence": sentence, "passages": [1, 2], "quotes": [quote]}) + "\n"


FIRST = line("It runs on Tuesdays.", "The night ferry runs on Tuesdays only")
SECOND = line("Tuesdays only.", "Tuesdays only")


@dataclass
class Function:
    """The running function: what invokes it, and the chat model that it asks."""

    api: RuntimeApi
    model: ProviderServer

    def ask(self, body: Mapping[str, Any], context: Mapping[str, Any] | None = None, **headers: str) -> Reply:
        """Invoke it with the sample event, changed where the arguments say so."""
        event = load("apigw_query")
        event["body"] = json.dumps(body)
        event["headers"] |= headers
        event["multiValueHeaders"] |= {name: [value] for name, value in headers.items()}
        event["requestContext"] = {**event["requestContext"], **(context or {})}
        return self.api.invoke(event)

    def get(self, path: str) -> Reply:
        return self.api.invoke({**load("apigw_query"), "httpMethod": "GET", "path": path, "body": None})


@pytest.fixture(scope="module")
def function(ministack: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Function]:
    try:
        adapter = web_adapter()
    except NoAdapter as reason:
        pytest.skip(f"no Lambda Web Adapter: {reason}")
    account = Account(ministack, f"{random.randrange(10**11, 10**12)}")
    folder = tmp_path_factory.mktemp("function")
    settings = Settings(
        registry_table=DOCUMENTS_TABLE, index_url=f"lancedb://{folder / 'index'}", chat_model="openai:gpt-6-luna"
    )
    ingest(account, settings)
    with RuntimeApi() as api, ProviderServer() as model, ExitStack() as processes:
        variables = {**model.environment(), **environment(account, settings), "AWS_LAMBDA_RUNTIME_API": api.address}
        start(processes, [str(adapter)], variables, folder / "adapter.log")
        app = start(processes, [str(TASK_ROOT / "run.sh")], variables, folder / "app.log")
        await_app(app, variables["AWS_LWA_PORT"], folder / "app.log")
        yield Function(api, model)


def start(processes: ExitStack, command: list[str], variables: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """A process in the task's folder that ends with the stack."""
    output = processes.enter_context(log.open("wb"))
    process = subprocess.Popen(command, cwd=TASK_ROOT, env=variables, stdout=output, stderr=subprocess.STDOUT)
    processes.enter_context(process)
    processes.callback(process.terminate)
    return process


def await_app(process: subprocess.Popen[bytes], port: str, log: Path) -> None:
    """The adapter waits by itself, for as long as it takes; a start-up that failed has to be seen at once."""
    while process.poll() is None:
        with suppress(httpx2.TransportError):
            httpx2.get(f"http://127.0.0.1:{port}/v1/health")
            return
        time.sleep(0.1)
    pytest.fail(f"the app did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")


def ingest(account: Account, settings: Settings) -> None:
    """What the ingest function would have done with the documents."""
    bucket = f"documents-{account.number}"
    account.client("s3").create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    create_documents_table(account)
    store = S3ObjectStore(account.client("s3"), max_bytes=1_000_000)
    embedder = build_embedder(settings.embedder)
    ingestion = Ingestion(
        store=store,
        registry=DynamoDocumentRegistry(
            account.resource("dynamodb"), table=settings.registry_table, namespace=settings.index_name
        ),
        index=build_index(settings, embedder),
        embedder=embedder,
        chunking=Chunking(chunker=RecursiveChunker(settings.chunk_size, 0), filters=KEEP_ALL),
        parse=parse,
    )
    for name, text in DOCUMENTS.items():
        store.write(ObjectRef(bucket, INBOX + name), text.encode(), "text/plain")
    for name in ("night.txt", "crew.txt"):
        outcome = ingestion.apply(ObjectChange(ChangeKind.CREATED, ObjectRef(bucket, INBOX + name), "01"))
        assert outcome is not None
        assert outcome.status is DocumentStatus.INDEXED


def environment(account: Account, settings: Settings) -> dict[str, str]:
    """The variables that Lambda, the stack and the adapter's construct give the function."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {
        "PATH": path,
        "PYTHONPATH": str(REPOSITORY / "layers" / "ragstone" / "python"),
        "LAMBDA_TASK_ROOT": str(TASK_ROOT),
        "AWS_LAMBDA_FUNCTION_NAME": FUNCTION_ARN.rpartition(":")[2],
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_ENDPOINT_URL": account.endpoint,
        "AWS_ACCESS_KEY_ID": account.number,
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "eu-central-1",
        **settings.to_environment(),
        **ENVIRONMENT,
        "AWS_LWA_PORT": str(free_port()),
    }


def test_the_function_is_ready(function: Function) -> None:
    reply = function.get("/v1/health")
    assert (reply.status, reply.json()) == (200, {"status": "ok"})
    assert function.api.extensions == ["lambda-adapter"]


def test_an_answer_streams_sentence_by_sentence(function: Function) -> None:
    delay = 0.4
    function.model.enqueue(Chat((FIRST, SECOND), delay=delay))
    reply = function.ask({"question": "When does the night ferry run?"})
    assert reply.status == 200
    assert reply.prelude["headers"]["content-type"] == "text/event-stream; charset=utf-8"
    assert reply.prelude["headers"]["cache-control"] == "no-cache"
    arrivals = [(event, time.monotonic()) for piece in reply for event in names(piece)]
    assert reply.mode == "streaming"
    assert [name for name, _ in arrivals] == ["meta", "sources", "sentence", "sentence", "telemetry", "done"]
    (_, first), (_, second) = [arrival for arrival in arrivals if arrival[0] == "sentence"]
    assert second - first > delay / 2


def names(piece: bytes) -> list[str]:
    return [text.removeprefix("event: ") for text in piece.decode().splitlines() if text.startswith("event: ")]


def test_an_error_after_the_first_byte_is_the_last_event_and_nothing_follows(function: Function) -> None:
    function.model.enqueue(Chat((FIRST,), error="overloaded"))
    body = b"".join(function.ask({"question": "When does the night ferry run?"})).decode()
    assert names(body.encode()) == ["meta", "sources", "sentence", "error"]
    assert "Lambda-Runtime" not in body
    assert json.loads(body.strip().rpartition("data: ")[2])["code"] == "temporarily_unavailable"


def test_a_wrong_question_is_a_problem(function: Function) -> None:
    reply = function.ask({"question": ""})
    assert reply.status == 422
    assert reply.prelude["headers"]["content-type"] == "application/problem+json"
    assert reply.json()["code"] == "invalid_request"


def test_documents_come_from_the_registry(function: Function) -> None:
    rows = function.get("/v1/documents").json()["documents"]
    assert [(row["source"], row["status"]) for row in rows] == [("crew.txt", "indexed"), ("night.txt", "indexed")]


def sources(reply: Reply) -> set[str]:
    return {source["document"] for source in reply.json()["sources"]}


CREW_QUESTION = {"question": "Where does the crew of the night ferry meet?", "stream": False}


def claims(groups: str) -> dict[str, Any]:
    return {"authorizer": {"claims": {"sub": "1", "cognito:groups": groups}}}


def identity(arn: str) -> dict[str, Any]:
    return {"authorizer": None, "identity": {"sourceIp": "1.2.3.4", "userArn": arn}}


@pytest.mark.parametrize("context", [claims("crew"), claims("board,crew"), claims("Fährleute"), identity(PURSER)])
def test_who_the_authorizer_vouches_for_may_read(function: Function, context: dict[str, Any]) -> None:
    assert sources(function.ask(CREW_QUESTION, context)) == {"crew.txt", "night.txt"}


@pytest.mark.parametrize("context", [{"authorizer": None}, claims("board"), identity("arn:aws:iam::1:user/other")])
@pytest.mark.parametrize("name", ["x-amzn-request-context", "X-Amzn-Request-Context"])
def test_nobody_else_may_read_whatever_headers_they_send(
    function: Function, context: dict[str, Any], name: str
) -> None:
    assert sources(function.ask(CREW_QUESTION, context, **{name: json.dumps(claims("crew"))})) == {"night.txt"}
