from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragstone.cli.parse import run
from tests.unit.parsing.made import Drawn, pdf


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.md").write_text("# Fares\n\nA ticket costs 4.20.", encoding="utf-8")
    (tmp_path / "scan.pdf").write_bytes(pdf([Drawn("One.")], []))
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "photo.txt").write_bytes(b"\x89PNG\r\n\x1a\n")
    return tmp_path


def test_each_file_is_a_line_of_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = sorted(folder.iterdir())
    assert run(paths, as_json=True, with_text=True) == 1
    rows = {Path(row["file"]).name: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {name: row["status"] for name, row in rows.items()} == {
        "good.md": "indexed",
        "scan.pdf": "indexed_with_warnings",
        "empty.txt": "empty",
        "photo.txt": "rejected",
    }
    good = rows["good.md"]
    assert (good["text"], good["sections"], good["chars"], good["title"]) == (
        "Fares\n\nA ticket costs 4.20.",
        1,
        27,
        "Fares",
    )
    assert (rows["scan.pdf"]["pages"], len(rows["scan.pdf"]["warnings"])) == (2, 1)
    assert rows["photo.txt"]["reason"].startswith("unsupported_type: photo.txt is a PNG image")


def test_people_get_a_line_a_file_with_its_warnings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([folder / "scan.pdf", folder / "good.md"], as_json=False, with_text=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{folder / 'scan.pdf'}: indexed_with_warnings, application/pdf by pypdf, 2 pages")
    assert lines[1] == "  No text on page 2, so nothing there can be found (a scan needs OCR)."
    assert lines[2].startswith(f"{folder / 'good.md'}: indexed, text/markdown")


def test_a_file_that_isn_t_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([tmp_path / "none.pdf"], as_json=True, with_text=False) == 1
    assert "No such file" in json.loads(capsys.readouterr().out)["reason"]
