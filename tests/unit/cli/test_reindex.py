from __future__ import annotations

import io
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from ragstone.cli import reindex
from ragstone.cli.main import app

LIVE = {"name": "chunks-1", "settings": {}, "started_at": "2026-01-01T00:00:00+00:00"}
NEW = {
    "name": "chunks-2",
    "settings": {"chunker": "token", "chunk_size": 300, "chunk_overlap": None},
    "started_at": "2026-02-01T00:00:00+00:00",
}
ONLY = {"live": LIVE, "other": None, "role": None, "changed_at": "2026-01-01T00:00:00+00:00"}
BUILDING = {**ONLY, "other": NEW, "role": "building"}
SWAPPED = {**ONLY, "live": NEW, "other": LIVE, "role": "previous"}
Answer = dict[str, Any]


class Functions:
    """A Lambda client whose function answers each step with these, one after the other."""

    def __init__(self, **answers: list[Answer]) -> None:
        self.answers = answers
        self.requests: list[Answer] = []

    def invoke(self, *, FunctionName: str, Payload: bytes) -> Answer:
        assert FunctionName == "steps"
        request = json.loads(Payload)
        self.requests.append(request)
        answer = self.answers[request["step"]].pop(0)
        failed = {"FunctionError": "Unhandled"} if "errorMessage" in answer else {}
        return {"Payload": io.BytesIO(json.dumps(answer).encode()), **failed}

    @property
    def steps(self) -> list[str]:
        return [request["step"] for request in self.requests]


def stretch(documents: int, **more: Any) -> Answer:
    return {"documents": documents, "sent": 0, "failed": 0, "failures": [], "waiting": None, "position": None, **more}


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    made: list[float] = []
    monkeypatch.setattr(reindex.time, "sleep", made.append)
    return made


def ragstone(monkeypatch: pytest.MonkeyPatch, functions: Functions, *arguments: str) -> Any:
    class Environment:
        def __init__(self, name: str) -> None:
            self.outputs = {"ReindexFunction": "steps"}

        def client(self, service: str) -> Functions:
            assert service == "lambda"
            return functions

    monkeypatch.setattr(reindex, "Environment", Environment)
    return CliRunner().invoke(app, ["reindex", *arguments])


def test_a_new_index_is_built_and_swapped_in(monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> None:
    here, there = {"after": "m.txt", "page": "cursor"}, {"after": "f.txt", "page": None}
    functions = Functions(
        begin=[BUILDING],
        send=[stretch(200, sent=200, position=here), stretch(5, sent=5)],
        check=[
            stretch(100, waiting="g.txt", position=there),
            stretch(0, waiting="g.txt", position=there),
            stretch(105),
        ],
        swap=[SWAPPED],
    )
    arguments = ("--embedder", "openai:small", "--chunker", "token", "--set", "chunk_size=300", "--set", "ocr=none")
    done = ragstone(monkeypatch, functions, *arguments)
    assert done.stdout.splitlines() == [
        "chunks-2 is begun; chunks-1 goes on answering",
        "200 documents looked at, 200 sent to ingestion",
        "205 documents looked at, 205 sent to ingestion",
        "100 of 205 documents are in chunks-2, waiting for g.txt",
        "205 of 205 documents are in chunks-2",
        "chunks-2 is live; chunks-1 is kept in step: --back returns to it, --drop deletes it",
        "write its settings into the environment's file, so that the next one is built alike:",
        '  chunker = "token"',
        "  chunk_size = 300",
        "  # chunk_overlap is left out",
    ]
    assert done.exit_code == 0
    settings = {"embedder": "openai:small", "chunker": "token", "chunk_size": "300", "ocr": "none"}
    assert functions.requests == [
        {"step": "begin", "settings": settings},
        {"step": "send", "position": {}, "seconds": 30},
        {"step": "send", "position": here, "seconds": 30},
        {"step": "check", "position": {}, "seconds": 30},
        {"step": "check", "position": there, "seconds": 30},
        {"step": "check", "position": there, "seconds": 30},
        {"step": "swap", "name": "chunks-2"},
    ]
    assert pauses == [2.0, 2.0]


def test_a_half_built_index_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(resume=[BUILDING], send=[stretch(9, sent=2)], check=[stretch(9)], swap=[SWAPPED])
    done = ragstone(monkeypatch, functions, "--resume")
    assert functions.steps == ["resume", "send", "check", "swap"]
    assert done.stdout.splitlines()[0] == "9 documents looked at, 2 sent to ingestion"


@pytest.mark.parametrize("found", [ONLY, SWAPPED])
def test_there_has_to_be_one_that_is_half_built(monkeypatch: pytest.MonkeyPatch, found: Answer) -> None:
    done = ragstone(monkeypatch, Functions(resume=[found]), "--resume")
    assert str(done.exception) == "no index is half built; begin one without --resume"


FAILED = stretch(
    9, failed=2, failures=[{"source": "a.pdf", "message": "Throttled."}, {"source": "b.pdf", "message": ""}]
)


def test_nothing_is_swapped_while_documents_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(begin=[BUILDING], send=[stretch(9)], check=[FAILED])
    done = ragstone(monkeypatch, functions)
    assert done.stdout.splitlines()[-2:] == ["failed: a.pdf: Throttled.", "failed: b.pdf: "]
    assert str(done.exception).startswith("2 documents failed, so nothing is swapped. Mend what they failed on")
    assert "swap" not in functions.steps


def test_failures_may_be_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(begin=[BUILDING], send=[stretch(9)], check=[FAILED], swap=[SWAPPED])
    assert ragstone(monkeypatch, functions, "--force").exit_code == 0
    assert functions.steps[-1] == "swap"


def test_the_index_before_is_swapped_in_again_when_it_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(status=[SWAPPED], send=[stretch(9, sent=1)], check=[stretch(9)], swap=[BUILDING])
    done = ragstone(monkeypatch, functions, "--back")
    assert functions.steps == ["status", "send", "check", "swap"]
    assert functions.requests[-1]["name"] == "chunks-1"
    assert done.stdout.splitlines()[-1].startswith("chunks-1 is live; chunks-2 is kept in step")


def test_in_an_emergency_the_index_before_is_swapped_in_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Functions(status=[SWAPPED], swap=[BUILDING])
    ragstone(monkeypatch, functions, "--back", "--force")
    assert functions.steps == ["status", "swap"]


@pytest.mark.parametrize("found", [ONLY, BUILDING])
def test_there_has_to_be_an_index_to_go_back_to(monkeypatch: pytest.MonkeyPatch, found: Answer) -> None:
    done = ragstone(monkeypatch, Functions(status=[found]), "--back")
    assert str(done.exception) == "no index is kept from a swap, so there is none to go back to"


@pytest.mark.parametrize(
    ("dropped", "said"), [("chunks-1", "chunks-1 is deleted\n"), (None, "there is no index but the live one\n")]
)
def test_what_is_not_live_is_dropped(monkeypatch: pytest.MonkeyPatch, dropped: str | None, said: str) -> None:
    assert ragstone(monkeypatch, Functions(drop=[{"dropped": dropped}]), "--drop").stdout == said


def test_what_there_is_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(ragstone(monkeypatch, Functions(status=[BUILDING]), "--status").stdout) == BUILDING


def test_what_the_function_refuses_is_said_as_it_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ragstone(monkeypatch, Functions(begin=[{"error": "chunks-2 is half built"}]))
    assert str(done.exception) == "chunks-2 is half built"


def test_a_function_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ragstone(monkeypatch, Functions(begin=[{"errorMessage": "no layer"}]))
    assert str(done.exception) == "the function steps failed: no layer; its log says more"


@pytest.mark.parametrize(
    "arguments",
    [["--resume", "--back"], ["--drop", "--status"], ["--set", "chunk_size"], ["--resume", "--chunker", "token"]],
)
def test_what_can_t_be_meant_is_refused(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    assert ragstone(monkeypatch, Functions(), *arguments).exit_code == 2
