"""Conversations and feedback against the deployed stack, and what is left of them after a document is gone."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ragstone.cli.environment import Environment
from ragstone.cli.inbox import Inbox

pytestmark = pytest.mark.e2e
TEXT = "The lantern festival begins at 21:40 at Gannet Quay. It ends when the last lantern has gone out.\n"


@pytest.fixture(scope="module")
def api(environment: Environment) -> Any:
    assert environment.local is not None
    with httpx2.Client(base_url=environment.local.api_url, timeout=60) as client:
        yield client


def asked(api: httpx2.Client, **body: Any) -> dict[str, Any]:
    reply = api.post("/v1/query", json={**body, "stream": False})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_an_answer_is_kept_rated_and_withheld_once_its_document_is_gone(
    environment: Environment, api: httpx2.Client, tmp_path: Path
) -> None:
    path = tmp_path / "festival.txt"
    path.write_text(TEXT, encoding="utf-8")
    inbox = Inbox(environment)
    inbox.wait(inbox.put([(path, "notices/festival.txt")]))
    conversation = api.post("/v1/conversations", json={}).json()["conversation_id"]
    first = asked(api, question="When does the lantern festival begin?", conversation_id=conversation)
    assert "21:40" in first["answer"]
    follow_up = asked(api, question="And when does it end?", conversation_id=conversation)
    assert "last lantern" in follow_up["answer"]

    rated = {"answer_id": first["answer_id"], "rating": "up", "comment": "Right."}
    assert api.post("/v1/feedback", json=rated).status_code == 204
    items = [json.loads(line) for line in api.get("/v1/feedback/export").text.splitlines()]
    assert [item["gold"][0]["document"] for item in items if item["id"] == first["answer_id"]] == [
        "notices/festival.txt"
    ]
    found = api.get("/v1/conversations", params={"q": "lantern festival"}).json()["conversations"]
    assert [each["title"] for each in found] == ["When does the lantern festival begin?"]

    api.delete(f"/v1/documents/{first['citations'][0]['chunk_id'].partition('-')[0]}")
    deadline = time.monotonic() + 60
    while (turns := api.get(f"/v1/conversations/{conversation}").json()["turns"])[0]["answer"]:
        assert time.monotonic() < deadline
        time.sleep(0.5)
    assert turns[0]["withheld_sentences"] >= 1
    assert "21:40" not in api.get(f"/v1/conversations/{conversation}/export").text
    assert api.delete(f"/v1/conversations/{conversation}").status_code == 204
    assert api.get(f"/v1/conversations/{conversation}").status_code == 404


def test_what_answers_need_is_there(api: httpx2.Client) -> None:
    assert api.get("/v1/health/ready").json() == {"status": "ok", "missing": {}}
    assert api.get("/v1/models").json()["data"][0]["id"] == "extractive"
