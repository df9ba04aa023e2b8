"""Another index against the deployed stack, by the command, while questions are asked."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from ragstone.cli.api import Api
from ragstone.cli.environment import Environment
from ragstone.cli.live import live_settings
from ragstone.cli.local.script import Script
from ragstone.composition import build_index_for
from tests.support.command import run_ragstone

pytestmark = pytest.mark.e2e


def ragstone(*arguments: str, code: int = 0) -> str:
    """What the command prints."""
    done = run_ragstone(*arguments, codes=(code,))
    return done.stdout + done.stderr


def generations() -> dict[str, Any]:
    return json.loads(ragstone("reindex", "--status"))


def test_the_index_is_replaced_and_taken_back_while_questions_are_answered(
    environment: Environment, statuses: dict[str, Any], demo_script: Script
) -> None:
    case, over = demo_script.answered[0], Event()

    def ask_on() -> list[str]:
        answers: list[str] = []
        while not over.is_set():
            answers.append(dict(Api(environment).ask({"question": case.question}))["done"]["answer"])
        return answers

    first = generations()["live"]["name"]
    chunks = build_index_for(live_settings(environment)).count()
    with ThreadPoolExecutor(1) as threads:
        asking = threads.submit(ask_on)
        try:
            told = ragstone("reindex", "--chunker", "token", "--set", "chunk_size=120")
            second = generations()["live"]["name"]
            again = ragstone("reindex", "--back")
        finally:
            over.set()
    assert f"{second} is live; {first} is kept in step" in told
    assert 'chunker = "token"' in told
    assert f"{first} is live; {second} is kept in step" in again
    answers = asking.result()
    assert answers
    assert all(words in answer for words in case.contains for answer in answers)
    found = generations()
    assert (found["live"]["name"], found["other"]["name"], found["role"]) == (first, second, "previous")
    assert build_index_for(live_settings(environment)).count() == chunks
    assert f"queries may still read {second}" in ragstone("reindex", "--drop", code=1)
