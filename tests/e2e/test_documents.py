"""Documents against the deployed stack: uploads, histories, tables, dead letters, and what is out of step."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ragstone.aws.change_queue import event_of
from ragstone.cli.api import Api
from ragstone.cli.documents import find
from ragstone.cli.environment import Environment
from ragstone.cli.inbox import Inbox
from ragstone.cli.live import live_settings
from ragstone.composition import build_index_for
from ragstone.errors import UnknownDocument
from ragstone.types import ChangeKind, ObjectChange, ObjectRef
from tests.support.command import RAGSTONE, run_ragstone

pytestmark = pytest.mark.e2e
STOPS = """\
id,name,description,zone
K1,Kelp Pier,The tide bell of Kelp Pier is rung by the harbour master.,A
H1,Heron Yard,The sand silo of Heron Yard holds ninety tons.,B
"""


def ragstone(*arguments: str, codes: Collection[int] = (0,)) -> str:
    """What the command prints."""
    return run_ragstone(*arguments, codes=codes).stdout


def rows(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ragstone(*arguments, "--json").splitlines()]


def drop(environment: Environment, tmp_path: Path, source: str, text: str) -> dict[str, Any]:
    path = tmp_path / "file.txt"
    path.write_text(text, encoding="utf-8")
    inbox = Inbox(environment)
    return inbox.wait(inbox.put([(path, source)]))[0]


def status_of(environment: Environment, source: str) -> str | None:
    try:
        return find(Api(environment), source)["status"]
    except UnknownDocument:
        return None


def eventually(condition: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.3)


def answer(environment: Environment, question: str, **more: Any) -> dict[str, Any]:
    return dict(Api(environment).ask({"question": question, **more}))["done"]


def test_a_document_is_shown_with_its_chunks_and_versions(environment: Environment, tmp_path: Path) -> None:
    source = "shown/Glühwein rota.txt"
    drop(environment, tmp_path, source, "The mulled wine rota begins in November.")
    drop(environment, tmp_path, source, "The mulled wine rota begins in December.")
    (shown,) = rows("document", source)
    assert (shown["source"], shown["status"], shown["chunks"]) == (source, "indexed", 1)
    assert rows("document", shown["document_id"]) == [shown]
    (chunk,) = rows("document", source, "chunks")
    assert chunk["text"] == "The mulled wine rota begins in December."
    newest, oldest = rows("document", source, "versions")
    assert (newest["is_current"], oldest["is_current"]) == (True, False)
    assert [row["source"] for row in rows("documents", "--prefix", "shown/", "--status", "indexed")] == [source]
    assert "December" in ragstone("document", source, "chunks")
    assert newest["version_id"] in ragstone("document", source, "versions")


def test_an_unknown_document_is_named(environment: Environment) -> None:
    done = subprocess.run([RAGSTONE, "document", "none.txt"], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (1, "ragstone: there is no document 'none.txt'; see: ragstone documents\n")


def test_a_file_is_uploaded_past_the_api(environment: Environment) -> None:
    body = {"files": [{"source": "uploads/lantern.txt"}, {"source": "uploads/buoy.txt"}]}
    given = httpx2.post(f"{environment.api_url}/v1/documents", json=body).json()["uploads"]
    for upload in given:
        httpx2.put(upload["url"], content=b"The green lantern hangs at pier nine.", headers=upload["headers"])
    eventually(lambda: all(status_of(environment, upload["source"]) == "indexed" for upload in given))
    assert find(Api(environment), "uploads/lantern.txt")["document_id"] == given[0]["document_id"]


def test_deleting_and_reingesting_by_the_command(environment: Environment, tmp_path: Path) -> None:
    before = drop(environment, tmp_path, "brief.txt", "The otter survey is done at dawn.")
    assert "brief.txt" in ragstone("reingest", "brief.txt")
    eventually(lambda: find(Api(environment), "brief.txt")["updated_at"] > before["updated_at"])
    eventually(lambda: status_of(environment, "brief.txt") == "indexed")
    assert ragstone("delete", "brief.txt") == "brief.txt is deleted\n"
    eventually(lambda: status_of(environment, "brief.txt") == "deleted")
    assert answer(environment, "When is the otter survey done?")["refused"]


def test_a_table_s_rows_are_asked_filtered_and_pruned(environment: Environment, tmp_path: Path) -> None:
    table = tmp_path / "stops.csv"
    table.write_text(STOPS, encoding="utf-8")
    assert json.loads(ragstone("structured", "preview", str(table), "--json"))["proposal"]["id"] == "id"
    assert ragstone("structured", "commit", str(table)) == "2 rows are documents in stops/\n"
    eventually(lambda: {status_of(environment, f"stops/{name}.md") for name in ("K1", "H1")} == {"indexed"})
    found = answer(environment, "Who rings the tide bell of Kelp Pier?")
    assert "harbour master" in found["answer"]
    assert found["citations"][0]["document"] == "stops/K1.md"
    elsewhere = [{"field": "metadata.zone", "op": "eq", "value": "B"}]
    assert answer(environment, "Who rings the tide bell of Kelp Pier?", filters=elsewhere)["refused"]
    table.write_text(STOPS.partition("H1")[0] + "bad row\n", encoding="utf-8")
    assert "nothing was pruned" in ragstone("structured", "commit", str(table), "--prune", codes=(1,))
    table.write_text(STOPS.partition("H1")[0], encoding="utf-8")
    assert "1 rows pruned" in ragstone("structured", "commit", str(table), "--prune")
    eventually(lambda: status_of(environment, "stops/H1.md") == "deleted")


def test_a_table_is_one_document_if_that_is_wanted(environment: Environment, tmp_path: Path) -> None:
    table = tmp_path / "whole.csv"
    table.write_text(STOPS, encoding="utf-8")
    assert "whole.csv is in the inbox" in ragstone("structured", "commit", str(table), "--mode", "file")
    eventually(lambda: status_of(environment, "whole.csv") == "indexed")


def test_dead_letters_are_sent_back(environment: Environment, tmp_path: Path) -> None:
    before = drop(environment, tmp_path, "letters.txt", "The post boat leaves at six.")
    place = ObjectRef(environment.outputs["DocumentsBucket"], "inbox/letters.txt")
    change = ObjectChange(ChangeKind.CREATED, place, f"{time.time_ns() * 2:X}")
    sqs, dead = environment.client("sqs"), environment.outputs["IngestDlqUrl"]
    sqs.send_message(QueueUrl=dead, MessageBody=json.dumps(event_of(change)))
    time.sleep(0.1)
    assert "moved: Object Created inbox/letters.txt\n" in ragstone("replay")
    eventually(lambda: find(Api(environment), "letters.txt")["updated_at"] > before["updated_at"])


def test_what_is_out_of_step_is_found_and_mended(environment: Environment, tmp_path: Path) -> None:
    row = drop(environment, tmp_path, "lost.txt", "The heron census is taken in week nine.")
    index = build_index_for(live_settings(environment))
    index.remove(row["document_id"])
    line = "lost.txt: chunks_differ. The index has 0 of its chunks, and the registry says 1."
    assert line in ragstone("reconcile", codes=(1,))
    assert line in ragstone("reconcile", "--fix")
    eventually(lambda: index.count(row["document_id"]) == 1)
    assert "week nine" in answer(environment, "When is the heron census taken?")["answer"]
    assert "lost.txt" not in ragstone("reconcile", codes=(0, 1))
