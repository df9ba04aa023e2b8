"""The command's tables, read from disk and written to S3 on MiniStack."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner, Result

from ragstone.cli import structured
from ragstone.cli.main import app
from ragstone.structured.reading import read_table
from tests.support.buckets import versioned_bucket
from tests.support.fixtures_ministack import Account

STOPS = "id,name,fare\nK1,Kelp Pier,3\nH1,Heron Yard,free\n"


@dataclass
class Bucket:
    """The documents bucket that the command's environment names."""

    s3: Any
    name: str

    def keys(self) -> list[str]:
        return [entry["Key"] for entry in self.s3.list_objects_v2(Bucket=self.name).get("Contents", [])]

    def text(self, key: str) -> str:
        return self.s3.get_object(Bucket=self.name, Key=key)["Body"].read().decode()


@pytest.fixture
def bucket(account: Account, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    name = f"documents-{uuid4().hex}"
    versioned_bucket(account, name)

    class Environment:
        def __init__(self, name_: str) -> None:
            self.outputs = {"DocumentsBucket": name}

        def client(self, service: str) -> Any:
            return account.client(service)

    monkeypatch.setattr(structured, "Environment", Environment)
    return Bucket(account.client("s3"), name)


@pytest.fixture
def table(tmp_path: Path) -> Callable[[str], str]:
    """Writes a table; its path."""

    def write(content: str, name: str = "stops.csv") -> str:
        (tmp_path / name).write_text(content, encoding="utf-8")
        return str(tmp_path / name)

    return write


def ragstone(*arguments: str) -> Result:
    return CliRunner().invoke(app, ("structured", *arguments))


def test_a_preview_shows_columns_and_proposal(table: Callable[[str], str]) -> None:
    shown = ragstone("preview", table("id,name,fare\nK1,Kelp [Pier],3\n1\n"))
    assert shown.exit_code == 0
    for words in ("csv, utf-8", "Kelp [Pier]", "id: id", "title: name", "metadata: fare", "  {name}", "row 2 is bad"):
        assert words in shown.stdout
    as_json = json.loads(ragstone("preview", table(STOPS), "--json").stdout)
    assert (as_json["proposal"]["id"], as_json["rows_looked_at"]) == ("id", 2)


def test_rows_are_written_below_the_file_s_name(bucket: Bucket, table: Callable[[str], str]) -> None:
    done = ragstone("commit", table(STOPS))
    assert (done.exit_code, done.stdout) == (0, "2 rows are documents in stops/\n")
    assert bucket.keys() == [
        "inbox/stops/H1.md",
        "inbox/stops/H1.md.metadata.json",
        "inbox/stops/K1.md",
        "inbox/stops/K1.md.metadata.json",
    ]


def test_choices_win_over_the_proposal(bucket: Bucket, table: Callable[[str], str]) -> None:
    options = ["--name", "a/b", "--template", "{name}!", "--metadata", "id", "--metadata", "fare", "--id", ""]
    done = ragstone("commit", table(STOPS), *options, "--title", "id", "--acl", "crew", "--acl", "board", "--json")
    assert json.loads(done.stdout)["written"] == 2
    assert bucket.text("inbox/a/b/1.md") == "Kelp Pier!\n"
    assert json.loads(bucket.text("inbox/a/b/1.md.metadata.json")) == {
        "title": "K1",
        "metadata": {"id": "K1", "fare": "3"},
        "acl": ["crew", "board"],
    }


@pytest.mark.parametrize(("said", "kept"), [([], ["crew"]), (["--acl", "board"], ["board"]), (["--acl", ""], None)])
def test_rows_keep_the_access_list_of_those_that_they_replace(
    bucket: Bucket, table: Callable[[str], str], said: list[str], kept: list[str] | None
) -> None:
    ragstone("commit", table(STOPS), "--acl", "crew")
    ragstone("commit", table(STOPS), *said)
    sidecar = json.loads(bucket.text("inbox/stops/K1.md.metadata.json"))
    assert sidecar.get("acl") == kept


def test_no_metadata_can_be_chosen(bucket: Bucket, table: Callable[[str], str]) -> None:
    ragstone("commit", table(STOPS), "--metadata", "")
    assert json.loads(bucket.text("inbox/stops/K1.md.metadata.json")) == {"title": "Kelp Pier"}


def test_bad_rows_are_named_and_fail_the_command(bucket: Bucket, table: Callable[[str], str]) -> None:
    done = ragstone("commit", table(STOPS + "K2\n"), "--prune")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "2 rows are documents in stops/",
        "row 3 was left out: it has 1 cells, and the header has 3",
        "nothing was pruned, since rows were bad",
    ]


def test_gone_rows_are_pruned(bucket: Bucket, table: Callable[[str], str]) -> None:
    ragstone("commit", table(STOPS))
    assert "1 rows pruned" in ragstone("commit", table(STOPS.partition("H1")[0]), "--prune").stdout
    assert bucket.keys() == ["inbox/stops/K1.md", "inbox/stops/K1.md.metadata.json"]


def test_a_file_is_one_document_if_that_is_wanted(bucket: Bucket, table: Callable[[str], str]) -> None:
    ragstone("commit", table(STOPS), "--mode", "file", "--name", "tables/stops.csv", "--acl", "crew")
    assert bucket.keys() == ["inbox/tables/stops.csv", "inbox/tables/stops.csv.metadata.json"]
    assert bucket.text("inbox/tables/stops.csv") == STOPS
    assert json.loads(bucket.text("inbox/tables/stops.csv.metadata.json")) == {"acl": ["crew"]}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--name", "../x"], "'../x' has '.' or '..'"),
        (["--template", "{colour}"], "no column 'colour'"),
        (["--mode", "file", "--name", "x/"], "names a folder"),
    ],
)
def test_what_can_t_be_written_says_why_and_writes_nothing(
    bucket: Bucket, table: Callable[[str], str], options: list[str], words: str
) -> None:
    done = ragstone("commit", table(STOPS), *options)
    assert words in str(done.exception)
    assert bucket.keys() == []


def test_a_file_is_read_row_by_row(tmp_path: Path) -> None:
    """50 MB of rows pass through less than 5 MB of memory."""
    path = tmp_path / "large.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("id,text\n")
        file.writelines(f"{number},{'x' * 490}\n" for number in range(100_000))
    tracemalloc.start()
    with path.open("rb") as content:
        count = sum(1 for _ in read_table(content).rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 100_000
    assert peak < 5_000_000
