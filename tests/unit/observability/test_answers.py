from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ragstone.observability import logger
from ragstone.observability.answers import AnswerLog
from ragstone.types import Answer, Evidence, Telemetry, TokenUsage
from tests.support.observed import FALSE, QUESTION, TRUE, WORDS, Observed


@dataclass
class Written:
    """What the log and the metrics have come to."""

    log: io.StringIO
    captured: pytest.CaptureFixture[str]

    def lines(self) -> tuple[dict[str, Any], dict[str, Any]]:
        (line,) = self.log.getvalue().splitlines()
        (metrics,) = self.captured.readouterr().out.splitlines()
        return json.loads(line), json.loads(metrics)


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Iterator[Written]:
    log, handler = io.StringIO(), logger.registered_handler
    before = handler.setStream(log)  # pyright: ignore[reportAttributeAccessIssue]
    yield Written(log, capsys)
    handler.setStream(before)  # pyright: ignore[reportAttributeAccessIssue]


def log_of(*, log_texts: bool = False) -> AnswerLog:
    return AnswerLog(environment="test", strategy="hybrid", chat_model="openai:gpt-6-luna", log_texts=log_texts)


async def test_an_answer_is_one_line_of_the_log(written: Written) -> None:
    answer = await Observed([log_of()]).ask()
    line, _ = written.lines()
    assert line["message"] == line["outcome"] == "answered"
    assert (line["answer_id"], line["strategy"], line["answerer"]) == ("c1.a1", "hybrid", "openai:gpt-6-luna")
    assert "refusal" not in line
    assert line["confidence"] == pytest.approx(answer.confidence, abs=1e-4)
    assert (line["sentences"], line["dropped_sentences"], line["cache"]) == (1, 1, "off")
    assert line["usage"][0]["input_tokens"] == 100
    assert line["stages_ms"].keys() == answer.telemetry.stages_ms.keys()
    assert line["gates"] == answer.telemetry.gates
    assert line["degraded"] == []


def test_what_a_query_chose_is_logged_in_place_of_the_deployment_s_own(written: Written) -> None:
    asked = replace(QUESTION, strategy="dense", chat_model="extractive")
    log_of().finished(asked, Answer((), None, 0.5), ())
    line, _ = written.lines()
    assert (line["strategy"], line["answerer"]) == ("dense", "extractive")


@pytest.mark.parametrize("reply", [TRUE + FALSE, FALSE, "The night ferry runs on Tuesdays, I think."])
async def test_words_of_people_and_documents_are_not_logged(written: Written, reply: str) -> None:
    await Observed([log_of()], reply=reply).ask()
    captured = written.log.getvalue() + written.captured.readouterr().out
    assert "c1.a1" in captured
    assert not [word for word in WORDS if word in captured]


async def test_words_are_logged_where_the_settings_say_so(written: Written) -> None:
    await Observed([log_of(log_texts=True)]).ask()
    line, metrics = written.lines()
    assert line["question"] == QUESTION.question
    assert line["answer"] == "The night ferry runs on Tuesdays."
    assert line["citations"] == [{"document": "handbook.pdf", "quote": "night ferry runs on Tuesdays"}]
    assert not [word for word in WORDS if word in json.dumps(metrics)]


async def test_metrics_are_in_cloudwatch_s_embedded_format(written: Written) -> None:
    answer = await Observed([log_of()]).ask()
    _, metrics = written.lines()
    (declared,) = metrics["_aws"]["CloudWatchMetrics"]
    assert (declared["Namespace"], declared["Dimensions"]) == ("Ragstone", [["environment"]])
    assert metrics["environment"] == "test"
    units = {metric["Name"]: metric["Unit"] for metric in declared["Metrics"]}
    assert units["Latency"] == units["Latency.retrieve"] == units["Latency.generate"] == "Milliseconds"
    assert 0 < metrics["Latency"][0] <= answer.telemetry.stages_ms["total"]
    counted = ("Answers", "Refusals", "CacheHits", "Degraded", "DroppedSentences", "InputTokens", "OutputTokens")
    assert [metrics[name] for name in counted] == [[1.0], [0.0], [0.0], [0.0], [1.0], [100.0], [20.0]]


async def test_a_refusal_is_counted_by_its_reason_and_has_no_latency_of_stages_it_did_not_reach(
    written: Written,
) -> None:
    await Observed([log_of()], found=Evidence(())).ask()
    line, metrics = written.lines()
    assert (line["outcome"], line["refusal"]) == ("refused", {"stage": "retrieval", "reason": "no_evidence"})
    assert metrics["Refusals"] == metrics["Refusals.no_evidence"] == [1.0]
    assert "Latency.generate" not in metrics


@pytest.mark.parametrize(("cost", "expected"), [(0.25, [0.25]), (0.0, [0.0]), (None, None)])
def test_an_unknown_cost_is_no_cost_of_zero(written: Written, cost: float | None, expected: list[float] | None) -> None:
    telemetry = Telemetry(cost_usd=cost, usage=(TokenUsage("m", 1, 2),), cache="semantic hit", degraded=("late",))
    log_of().finished(QUESTION, Answer((), None, 0.5, telemetry=telemetry, clarification="Which ferry?"), ())
    line, metrics = written.lines()
    assert line["outcome"] == "asked back"
    assert metrics.get("CostUsd") == expected
    assert metrics["CacheHits"] == metrics["Degraded"] == [1.0]
