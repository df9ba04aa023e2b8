from __future__ import annotations

from ragstone.types import Query, TokenUsage
from tests.unit.answering.runs import run_of


def test_a_model_that_stood_in_for_another_degrades_the_answer_once() -> None:
    run = run_of(Query("When does the night ferry run?"))
    stood_in = TokenUsage("glm:glm-5", 10, 5, stands_in_for="openai:gpt-6-luna")
    run.usage += [TokenUsage("openai:gpt-6-luna", 10, 5), stood_in, stood_in]
    assert run.answer().telemetry.degraded == ("glm:glm-5 stood in for openai:gpt-6-luna",)
