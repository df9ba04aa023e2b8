from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ragstone.cli.environment import Environment
from ragstone.cli.main import app
from ragstone.index.embedded import EmbeddedIndex
from tests.support.index_suite import DIMENSIONS, chunk, embedded


class Lambda:
    """Answers with a query function's environment."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._variables = variables

    def get_function_configuration(self, *, FunctionName: str) -> dict[str, Any]:
        assert FunctionName == "query"
        return {"Environment": {"Variables": self._variables}}


class NoItems:
    """DynamoDB with empty tables."""

    name = ""

    def Table(self, name: str) -> NoItems:
        return self

    def get_item(self, **_: Any) -> dict[str, Any]:
        return {}


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EmbeddedIndex:
    """The index of an environment named dev."""
    variables = {"RAGSTONE_INDEX_URL": f"lancedb://{tmp_path}", "RAGSTONE_EMBEDDER": "openai:text-embedding-3-small"}
    monkeypatch.setattr(Environment, "outputs", {"QueryFunction": "query"})
    monkeypatch.setattr(Environment, "client", lambda self, service: Lambda(variables))
    monkeypatch.setattr(Environment, "resource", lambda self, service: NoItems())
    return EmbeddedIndex(tmp_path, name="chunks", embedder_spec="fake", dimensions=DIMENSIONS)


def run(*arguments: str | Path) -> tuple[int, list[str]]:
    result = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    return result.exit_code, result.stdout.splitlines()


def test_a_file_whose_chunks_are_fine_passes(tmp_path: Path) -> None:
    path = tmp_path / "fares.md"
    path.write_text("# Fares\n\nA tally costs 85 cents.")
    assert run(path) == (0, ["1 chunks, 0 problems, 0 warnings"])


def test_a_file_that_repeats_itself_is_warned_of_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "fares.md"
    path.write_text("# A\n\nThis page is left blank.\n\n# A\n\nThis page is left blank.")
    code, lines = run(path)
    assert (code, lines[-1]) == (0, "2 chunks, 0 problems, 1 warnings")
    assert lines[0].startswith("fares.md: warning: doubled_text: its text is that of ")


def test_chunks_too_long_for_the_embedder_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "fares.md"
    path.write_text("# Fares\n\n" + "A tally costs 85 cents. " * 80)
    monkeypatch.setenv("RAGSTONE_EMBEDDER", "ollama:nomic-embed-text")
    code, lines = run(path)
    assert (code, "too_long" in lines[0]) == (1, True)


def test_a_whole_index_is_read_without_its_embedder(index: EmbeddedIndex) -> None:
    index.add(embedded(*(chunk(f"lamp {number}", number) for number in range(1_500))))
    assert run("--env", "dev") == (0, ["1500 chunks, 0 problems, 0 warnings"])


def test_a_problem_in_an_index_is_a_line_of_json(index: EmbeddedIndex) -> None:
    index.add(embedded(chunk("lamp", 0), chunk("oil", 2)))
    code, lines = run("--env", "dev", "--json")
    assert (code, [json.loads(line)["kind"] for line in lines]) == (1, ["missing"])


@pytest.mark.parametrize("arguments", [[], [".", "--env", "dev"]])
def test_a_file_or_an_environment_has_to_be_named(arguments: list[str]) -> None:
    assert run(*arguments)[0] == 2
