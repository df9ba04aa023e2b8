from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ragstone.cli import parse_tree
from ragstone.cli.parse import run
from tests.unit.parsing.made import Drawn, pdf


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.md").write_text(
        "# Fares\n\nA ticket costs 4.20.\n\n| a | b |\n|--|--|\n| 1 | 2 |", encoding="utf-8"
    )
    (tmp_path / "scan.pdf").write_bytes(pdf([Drawn("One.")], []))
    (tmp_path / "images.pdf").write_bytes(pdf([]))
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "photo.txt").write_bytes(b"\x89PNG\r\n\x1a\n")
    return tmp_path


def rows(output: str) -> dict[str, dict[str, object]]:
    return {Path(row["file"]).name: row for row in map(json.loads, output.splitlines())}


def test_each_file_of_a_folder_is_a_line_of_json_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([folder], as_json=True, with_text=True) == 1
    found = rows(capsys.readouterr().out)
    assert {name: row["status"] for name, row in found.items()} == {
        "empty.txt": "empty",
        "good.md": "indexed",
        "images.pdf": "empty",
        "photo.txt": "rejected",
        "scan.pdf": "indexed_with_warnings",
    }
    assert list(found) == sorted(found)
    good = found["good.md"]
    assert good["text"] == "Fares\n\nA ticket costs 4.20.\n\na: 1 | b: 2"
    assert (good["sections"], good["tables"], good["chars"], good["title"], good["reason"]) == (1, 1, 40, "Fares", None)
    assert str(found["images.pdf"]["reason"]).startswith("no_text: No text on")
    assert found["empty.txt"]["reason"] == "The file holds no text."
    assert str(found["photo.txt"]["reason"]).startswith("unsupported_type: photo.txt is a PNG image")


def test_people_get_a_line_a_file_with_its_warnings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([folder / "scan.pdf", folder / "good.md"], as_json=False, with_text=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{folder / 'scan.pdf'}: indexed_with_warnings, application/pdf by pdfium, 2 pages")
    assert lines[1].startswith("  No text on page 2")
    assert lines[2].startswith(f"{folder / 'good.md'}: indexed, text/markdown")
    assert "1 tables" in lines[2]


def test_a_file_that_isn_t_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([tmp_path / "none.pdf"], as_json=True, with_text=False) == 1
    assert "No such file" in json.loads(capsys.readouterr().out)["reason"]


def test_a_name_that_is_no_text_can_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsencode(tmp_path) + b"/f\xe4hre.txt"
    Path(os.fsdecode(name)).write_text("Sails at nine.")
    assert run([tmp_path], as_json=True, with_text=False) == 0
    assert json.loads(capsys.readouterr().out)["file"].endswith("f�hre.txt")


def test_the_tree_shows_sections_with_pages_and_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text("before\n\n# Fares\n\n## Night\n\n- one\n\ntwo\n\nthree\n\n# Annex\n")
    assert parse_tree.run(tmp_path / "a.md") == 0
    assert capsys.readouterr().out == "Fares (1 paragraph)\n  Fares\n    Night (1 list, 2 paragraphs)\n  Annex\n"
    (tmp_path / "a.pdf").write_bytes(pdf([Drawn("One.")], [Drawn("Two.")]))
    assert parse_tree.run(tmp_path / "a.pdf") == 0
    assert capsys.readouterr().out.startswith("a.pdf (pages 1 to 2; 2 paragraphs)")


def test_a_tree_of_what_can_t_be_read_is_a_reason(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_tree.run(folder / "photo.txt") == 1
    assert "rejected, unsupported_type: photo.txt is a PNG image" in capsys.readouterr().out
