from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragstone.cli.environment import Environment
from ragstone.cli.evaluations import Evaluations
from ragstone.errors import RagstoneError


def run(file: Path, content: str) -> None:
    file.write_text(content, encoding="utf-8")
    Evaluations(Environment("local"), file.parent / "reports").run(file, print)


def test_a_dataset_that_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(RagstoneError, match=r"gold\.jsonl was found neither here nor beside the evaluation's file"):
        run(tmp_path / "evaluation.json", json.dumps({"dataset": "gold.jsonl"}))


@pytest.mark.parametrize("content", ["", "{", "dataset: gold.jsonl"])
def test_a_file_that_is_not_json_is_named(tmp_path: Path, content: str) -> None:
    with pytest.raises(RagstoneError, match=r"evaluation\.json is not JSON"):
        run(tmp_path / "evaluation.json", content)


@pytest.mark.parametrize("content", ["{}", '{"dataset": null}', '{"dataset": []}', "[]", "5"])
def test_a_file_without_a_dataset_is_told_so(tmp_path: Path, content: str) -> None:
    with pytest.raises(RagstoneError, match=r'evaluation\.json names no dataset; write \{"dataset": "gold\.jsonl"'):
        run(tmp_path / "evaluation.json", content)


@pytest.mark.parametrize("place", ["beside", "here"])
def test_a_dataset_is_found_beside_the_file_and_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """What follows is the upload, which needs an environment."""
    for folder in ("beside", "here"):
        (tmp_path / folder).mkdir()
    (tmp_path / place / "gold.jsonl").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(RagstoneError, match="start it with: make local"):
        run(tmp_path / "beside" / "evaluation.json", json.dumps({"dataset": "gold.jsonl"}))
