from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ragstone.cli.main import app
from ragstone.errors import Rejected, SettingsError

TEXT = "# Fares\n\nA tally costs 85 cents.\n\n## Night\n\n" + "The night ferry costs four tallies more. " * 80


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fares.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def run(*arguments: str | Path) -> list[str]:
    result = CliRunner().invoke(app, ["chunk", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_each_chunk_is_a_line_of_json(file: Path) -> None:
    rows = [json.loads(line) for line in run(file, "--json")]
    assert [(row["kind"], row["parent"], row["fragment"]) for row in rows[:4]] == [
        ("text", None, None),
        ("parent", None, None),
        ("text", 1, 0),
        ("text", 1, 1),
    ]
    assert rows[0]["text"] == "Fares\n\nA tally costs 85 cents."
    assert rows[2]["section_path"] == ["Fares", "Night"]
    assert [row["ordinal"] for row in rows] == list(range(len(rows)))


def test_people_get_each_chunk_s_place_and_text_and_a_summary(file: Path) -> None:
    lines = run(file)
    assert lines[:3] == ["--- 0: text, 0 to 30 (30 characters), Fares", "Fares", ""]
    assert any(line.startswith("--- 2: text, fragment 0 of 1, 32 to ") for line in lines)
    assert lines[-1].endswith("1 parents, 0 dropped")


def test_strategy_size_and_overlap_can_be_chosen(file: Path) -> None:
    sizes = [len(json.loads(line)["text"]) for line in run(file, "--chunker", "fixed", "--size", "100", "--json")]
    assert max(sizes) == 100
    fragments = [json.loads(line) for line in run(file, "--size", "300", "--overlap", "0", "--json")]
    assert max(len(row["text"]) for row in fragments if row["parent"] is not None) <= 300


def test_the_shell_s_own_settings_hold(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSTONE_CHUNKER", "sentence")
    monkeypatch.setenv("RAGSTONE_CHUNK_SIZE", "60")
    assert max(len(json.loads(line)["text"]) for line in run(file, "--json")) <= 60


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--chunker", "magic"], "unknown chunker 'magic'; known are fixed, "),
        (["--chunker", "fixed", "--size", "100", "--overlap", "60"], "0 to 50"),
        (["--size", "5"], "allowed is 100 to 20000"),
    ],
)
def test_what_can_t_be_done_is_said(file: Path, options: list[str], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        run(file, *options)


def test_a_file_that_can_t_be_read_is_rejected_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "photo.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(Rejected, match="PNG"):
        run(path)


def test_an_empty_file_has_no_chunks(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("")
    assert run(path) == ["no chunks: the file holds no text"]
