from __future__ import annotations

import io
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from ragstone.cli import repair
from ragstone.cli.main import app

OUTPUTS = {"ReconcileFunction": "compare", "IngestDlqUrl": "https://dead", "IngestQueueUrl": "https://ingest"}


class Functions:
    """A Lambda client whose function answers with these, one after the other."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:
        assert FunctionName == "compare"
        self.requests.append(json.loads(Payload))
        answer = self.answers.pop(0)
        failed = {"FunctionError": "Unhandled"} if "errorMessage" in answer else {}
        return {"Payload": io.BytesIO(json.dumps(answer).encode()), **failed}


class Letters:
    """An SQS client with these messages, all dead for long."""

    def __init__(self, *bodies: str) -> None:
        self.waiting = [
            {"MessageId": f"{n}", "Body": body, "ReceiptHandle": f"{n}", "Attributes": {"SentTimestamp": "1"}}
            for n, body in enumerate(bodies)
        ]
        self.sent: list[str] = []

    def receive_message(self, *, MaxNumberOfMessages: int, **_: Any) -> dict[str, Any]:
        taken, self.waiting = self.waiting[:MaxNumberOfMessages], self.waiting[MaxNumberOfMessages:]
        return {"Messages": taken}

    def send_message(self, *, MessageBody: str, **_: Any) -> None:
        self.sent.append(MessageBody)

    def delete_message(self, **_: Any) -> None:
        pass


def ragstone(monkeypatch: pytest.MonkeyPatch, client: object, *arguments: str) -> Any:
    class Environment:
        def __init__(self, name: str) -> None:
            self.outputs = OUTPUTS

        def client(self, service: str) -> object:
            return client

    monkeypatch.setattr(repair, "Environment", Environment)
    return CliRunner().invoke(app, arguments)


def stretch(*sources: str, count: int, after: str | None = None) -> dict[str, Any]:
    findings = [{"source": source, "problem": "stuck", "message": "It waits."} for source in sources]
    return {"count": count, "findings": findings, "position": {"after": after, "page": None} if after else None}


def test_what_is_out_of_step_is_printed_stretch_after_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(stretch("a.txt", count=200, after="m.txt"), stretch("z.txt", count=20))
    done = ragstone(monkeypatch, functions, "reconcile")
    assert done.stdout.splitlines() == [
        "a.txt: stuck. It waits.",
        "z.txt: stuck. It waits.",
        "220 documents compared, 2 out of step; mend it with --fix",
    ]
    assert done.exit_code == 1
    assert functions.requests == [
        {"fix": False, "seconds": 30},
        {"fix": False, "seconds": 30, "position": {"after": "m.txt", "page": None}},
    ]


def test_what_is_mended_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(stretch("a.txt", count=1))
    done = ragstone(monkeypatch, functions, "reconcile", "--fix")
    assert (done.exit_code, functions.requests[0]["fix"]) == (0, True)
    assert done.stdout.endswith("1 documents compared, 1 out of step, sent to ingestion or removed\n")


def test_what_is_in_step_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ragstone(monkeypatch, Functions(stretch(count=7)), "reconcile")
    assert (done.exit_code, done.stdout) == (0, "7 documents compared, 0 out of step\n")


def test_findings_are_json_lines_if_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ragstone(monkeypatch, Functions(stretch("a.txt", count=1)), "reconcile", "--json")
    assert json.loads(done.stdout) == {"source": "a.txt", "problem": "stuck", "message": "It waits."}


def test_a_function_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ragstone(monkeypatch, Functions({"errorMessage": "no index"}), "reconcile")
    assert str(done.exception) == "the function compare failed: no index; its log says more"


CREATED = json.dumps({"detail-type": "Object Created", "detail": {"object": {"key": "inbox/a.txt"}}})


def test_dead_letters_are_named_as_they_are_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = Letters(CREATED, "not json")
    done = ragstone(monkeypatch, letters, "replay")
    assert done.stdout.splitlines() == [
        "moved: Object Created inbox/a.txt",
        "moved: message 1, which is no S3 event",
        "2 moved, 0 not moved",
    ]
    assert (done.exit_code, letters.sent) == (0, [CREATED, "not json"])


def test_no_more_letters_are_moved_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = Letters(*(f"{n}" for n in range(20)))
    assert ragstone(monkeypatch, letters, "replay", "--limit", "13").stdout.endswith("13 moved, 0 not moved\n")
    assert len(letters.sent) == 13
