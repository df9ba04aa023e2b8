"""`ragstone ask` against the real app."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner, Result

from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.tracing import STAGES
from ragstone.api.app import make_app
from ragstone.cli.environment import Environment
from ragstone.cli.local.running import Running
from ragstone.cli.main import app
from tests.support.builders import evidence, passage
from tests.support.finder import Finder
from tests.support.routes import asking_of
from tests.support.scripted_chat import ScriptedChat
from tests.support.serving import served

TRUE = '{"sentence": "It runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
FOUND = evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8, page_to=4))


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Finder]:
    """What the local environment's app searches in; its model tells the truth."""
    made = Finder(FOUND)
    with served(make_app(asking_of(made, ChatAnswerer(ScriptedChat([[TRUE]]))))) as url:
        monkeypatch.setattr(Environment, "local", Running(0, "", url))
        yield made


def ask(*options: str) -> Result:
    return CliRunner().invoke(app, ["ask", "When does the night ferry run?", *options])


@pytest.mark.usefixtures("finder")
def test_the_answer_is_printed_with_its_citation_and_telemetry() -> None:
    lines = ask().output.splitlines()
    assert lines[0] == "  It runs on Tuesdays. [1]"
    assert lines[1] == "    [1] handbook.pdf, page 3 to 4: “night ferry runs on Tuesdays”"
    assert "120 tokens · price unknown · cache off" in lines[2]


@pytest.mark.usefixtures("finder")
def test_trace_prints_the_ten_stages() -> None:
    rows = [line.split() for line in ask("--trace").output.splitlines()[-len(STAGES) :]]
    assert [(row[0], row[1]) for row in rows] == [(str(number), name) for number, name in enumerate(STAGES, 1)]


@pytest.mark.usefixtures("finder")
def test_json_is_the_whole_result() -> None:
    assert json.loads(ask("--json").output)["answer"] == "It runs on Tuesdays."


def test_options_become_the_query(finder: Finder) -> None:
    assert ask("--top-k", "3", "--strategy", "dense", "--reranker", "x", "--language", "de").exit_code == 0
    [asked] = finder.asked
    assert (asked.top_k, asked.strategy, asked.reranker, asked.language) == (3, "dense", "x", "de")
