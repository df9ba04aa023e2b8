"""The main job against the deployed stack: drop, ask, be refused, change, measure."""

from __future__ import annotations

import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ragstone.cli.api import Api
from ragstone.cli.environment import Environment
from ragstone.cli.evaluations import Evaluations
from ragstone.cli.inbox import Inbox
from ragstone.cli.live import live_settings
from ragstone.cli.local import stack
from ragstone.cli.local.places import SAMPLES
from ragstone.cli.local.script import Script
from ragstone.composition import build_index_for
from tests.support.command import RAGSTONE

pytestmark = pytest.mark.e2e
KINDS = ("answerable", "unanswerable")


def asked(environment: Environment, question: str) -> dict[str, Any]:
    return dict(Api(environment).ask({"question": question}))["done"]


def row_of(environment: Environment, source: str) -> dict[str, Any]:
    return next(row for row in Api(environment).documents() if row["source"] == source)


def drop(environment: Environment, path: Path, source: str) -> dict[str, Any]:
    inbox = Inbox(environment)
    return inbox.wait(inbox.put([(path, source)]))[0]


def eventually(condition: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.3)


def test_every_sample_ends_in_its_status(statuses: dict[str, dict[str, Any]], demo_script: Script) -> None:
    found = {source: (row["status"], row["reason"]) for source, row in statuses.items()}
    assert found == {source: (each.status, each.reason) for source, each in demo_script.statuses.items()}


def test_documents_with_nothing_to_quote_say_why(statuses: dict[str, dict[str, Any]]) -> None:
    for row in statuses.values():
        assert (row["status"] in ("rejected", "empty")) == (row["chunks"] == 0) == bool(row["message"])


def test_questions_are_answered_with_their_citations(
    environment: Environment, statuses: dict[str, Any], demo_script: Script
) -> None:
    for case in demo_script.answered:
        final = asked(environment, case.question)
        assert all(words in final["answer"] for words in case.contains), final
        cited = [(citation["document"], citation["page"]) for citation in final["citations"]]
        assert (case.document, case.page) in cited


def test_what_the_documents_do_not_hold_is_refused(
    environment: Environment, statuses: dict[str, Any], demo_script: Script
) -> None:
    for case in demo_script.refused:
        final = asked(environment, case.question)
        assert final["refused"], final
        assert final["citations"] == []
        assert final["refusal"]["stage"] in ("retrieval", "sufficiency")


def test_the_command_prints_the_answer_as_json(environment: Environment, statuses: dict[str, Any]) -> None:
    command = [RAGSTONE, "ask", "--json", "--trace", "Why does the night ferry run on Tuesdays only?"]
    final = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert "tide gate" in final["answer"]
    about = {"stages_ms", "tokens", "cost_usd", "cache", "gates", "degraded", "dropped_sentences"}
    assert set(final["telemetry"]) == about
    assert len(final["trace"]) == 10


def test_a_wrong_question_is_a_problem_over_http(environment: Environment) -> None:
    response = httpx2.post(f"{environment.api_url}/v1/query", json={"question": "x" * 20_000})
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")


def test_deploying_again_changes_nothing(environment: Environment) -> None:
    cloudformation = environment.client("cloudformation")
    before = [event["EventId"] for event in _events(cloudformation)]
    stack.deploy(environment.local)
    assert [event["EventId"] for event in _events(cloudformation)] == before


def _events(cloudformation: Any) -> list[dict[str, Any]]:
    return cloudformation.describe_stack_events(StackName="Ragstone-local-Stateless")["StackEvents"]


def test_the_same_file_dropped_at_once_is_one_set_of_chunks(environment: Environment, tmp_path: Path) -> None:
    path = tmp_path / "thrice.md"
    path.write_text("# Lantern rota\n\nThe lantern rota changes on the ninth of each month.\n" * 30, encoding="utf-8")
    s3, bucket = environment.client("s3"), environment.outputs["DocumentsBucket"]
    once = drop(environment, path, "concurrency/once.md")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: s3.upload_file(str(path), bucket, "inbox/concurrency/thrice.md"), range(3)))
    eventually(lambda: _queue_is_empty(environment, "IngestQueueUrl"))
    row = row_of(environment, "concurrency/thrice.md")
    assert (row["status"], row["chunks"]) == ("indexed", once["chunks"])
    assert _indexed_chunks(environment, row["document_id"]) == once["chunks"]


def test_an_older_event_that_arrives_later_changes_nothing(environment: Environment, tmp_path: Path) -> None:
    path = tmp_path / "late.txt"
    path.write_text("The lighthouse keeper's tea is served at four.", encoding="utf-8")
    before = drop(environment, path, "late.txt")
    _send(environment, _event(environment, "inbox/late.txt", deleted=True, sequencer="0000000001"))
    eventually(lambda: _queue_is_empty(environment, "IngestQueueUrl"))
    assert row_of(environment, "late.txt") == before


def test_a_delete_that_arrives_during_ingestion_wins(environment: Environment, tmp_path: Path) -> None:
    path = tmp_path / "short-lived.txt"
    path.write_text("The heron festival is cancelled. " * 3000, encoding="utf-8")
    s3, bucket = environment.client("s3"), environment.outputs["DocumentsBucket"]
    s3.upload_file(str(path), bucket, "inbox/short-lived.txt")
    s3.delete_object(Bucket=bucket, Key="inbox/short-lived.txt")
    eventually(lambda: _queue_is_empty(environment, "IngestQueueUrl"))
    row = row_of(environment, "short-lived.txt")
    assert (row["status"], row["chunks"]) == ("deleted", 0)
    assert _indexed_chunks(environment, row["document_id"]) == 0


def test_overwriting_and_deleting_change_the_answers(
    environment: Environment, statuses: dict[str, Any], demo_script: Script
) -> None:
    update, delete, inbox = demo_script.update, demo_script.delete, Inbox(environment)
    assert update.before in asked(environment, update.question)["answer"]
    assert delete.before in asked(environment, delete.question)["answer"]
    drop(environment, SAMPLES / update.replacement, update.document)
    inbox.wait(inbox.delete(delete.document))
    assert update.after in asked(environment, update.question)["answer"]
    assert asked(environment, delete.question)["refused"]


def test_a_poison_message_ends_in_the_dead_letter_queue_and_its_batch_goes_on(
    environment: Environment, tmp_path: Path
) -> None:
    path = tmp_path / "neighbour.txt"
    path.write_text("The cormorant census happens in week nine.", encoding="utf-8")
    _send(environment, "not json at all")
    assert drop(environment, path, "neighbour.txt")["status"] == "indexed"
    sqs, dead = environment.client("sqs"), environment.outputs["IngestDlqUrl"]
    eventually(lambda: not _queue_is_empty(environment, "IngestDlqUrl"), 120)
    assert sqs.receive_message(QueueUrl=dead)["Messages"][0]["Body"] == "not json at all"


def test_an_evaluation_leaves_its_report(environment: Environment, statuses: dict[str, Any], tmp_path: Path) -> None:
    run = Evaluations(environment, tmp_path).run(SAMPLES / "evaluation.json", print)
    assert run.passed
    gold = (SAMPLES / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(run.report["variants"]) == {"chunks-400", "chunks-1200"}
    for variant in run.report["variants"].values():
        assert (variant["attempts"], variant["errors"]) == (len(gold), 0)
        assert variant["metrics"]["recall@5"]["mean"] >= 0.8
        assert variant["metrics"]["semantic_similarity"]["n_missing"] == 0
        confusion = [variant["refusal"][f"{did}_{was}"] for did in ("answered", "refused") for was in KINDS]
        assert sum(confusion) == len(gold)
    assert (run.folder / "report.html").stat().st_size > 1000


def _event(environment: Environment, key: str, *, deleted: bool, sequencer: str) -> str:
    detail = {
        "bucket": {"name": environment.outputs["DocumentsBucket"]},
        "object": {"key": key, "sequencer": sequencer, "etag": ""},
        "deletion-type": "Delete Marker Created",
    }
    return json.dumps({"detail-type": "Object Deleted" if deleted else "Object Created", "detail": detail})


def _send(environment: Environment, body: str) -> None:
    environment.client("sqs").send_message(QueueUrl=environment.outputs["IngestQueueUrl"], MessageBody=body)


def _queue_is_empty(environment: Environment, output: str) -> bool:
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    reply = environment.client("sqs").get_queue_attributes(QueueUrl=environment.outputs[output], AttributeNames=names)
    return all(int(reply["Attributes"][name]) == 0 for name in names)


def _indexed_chunks(environment: Environment, document_id: str) -> int:
    """Counted in the index itself, whatever the registry says."""
    return build_index_for(live_settings(environment)).count(document_id)
