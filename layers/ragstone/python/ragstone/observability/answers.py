"""What the log and the metrics say of each answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from ragstone.observability import logger
from ragstone.observability.metrics import Measured, publish
from ragstone.types import Answer, Query, Span

HITS = frozenset({"hit", "semantic hit"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLog:
    """An AnswerObserver: a line of the log and one of metrics for each answer.

    `strategy` and `chat_model` are the deployment's own, where a query chooses none. Words of people and of documents
    are logged only if `log_texts` says so.
    """

    environment: str
    strategy: str
    chat_model: str
    log_texts: bool = False

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None:
        chosen = {"strategy": query.strategy or self.strategy, "answerer": query.chat_model or self.chat_model}
        facts = {**_facts(answer), **_texts(query, answer)} if self.log_texts else _facts(answer)
        logger.info("answered", answer_id=query.answer_id, **chosen, **facts)
        publish(self.environment, _measured(answer, trace))


def _facts(answer: Answer) -> Mapping[str, Any]:
    telemetry, refusal = answer.telemetry, answer.refusal
    return {
        "outcome": _outcome(answer),
        "refusal": {"stage": refusal.stage, "reason": refusal.reason} if refusal else None,
        "confidence": round(answer.confidence, 4),
        "sentences": len(answer.sentences),
        "dropped_sentences": telemetry.dropped_sentences,
        "stages_ms": {stage: round(ms, 1) for stage, ms in telemetry.stages_ms.items()},
        "usage": [asdict(call) for call in telemetry.usage],
        "cost_usd": telemetry.cost_usd,
        "cache": telemetry.cache,
        "gates": telemetry.gates,
        "degraded": telemetry.degraded,
    }


def _outcome(answer: Answer) -> str:
    if answer.clarification is not None:
        return "asked back"
    return "refused" if answer.refused else "answered"


def _texts(query: Query, answer: Answer) -> Mapping[str, Any]:
    citations = [{"document": citation.document, "quote": citation.quote} for citation in answer.citations]
    return {"question": query.question, "answer": answer.text, "citations": citations}


def _measured(answer: Answer, trace: Sequence[Span]) -> Iterator[Measured]:
    """Zeros are counted too: an average is then a rate. Stages that did not work have no latency."""
    telemetry = answer.telemetry
    yield Measured("Answers", 1)
    yield Measured("Refusals", answer.refused)
    if answer.refusal:
        yield Measured(f"Refusals.{answer.refusal.reason}", 1)
    yield Measured("CacheHits", telemetry.cache in HITS)
    yield Measured("Degraded", bool(telemetry.degraded))
    yield Measured("DroppedSentences", telemetry.dropped_sentences)
    yield Measured("InputTokens", sum(call.input_tokens for call in telemetry.usage))
    yield Measured("OutputTokens", sum(call.output_tokens for call in telemetry.usage))
    if telemetry.cost_usd is not None:
        yield Measured("CostUsd", telemetry.cost_usd, MetricUnit.NoUnit)
    yield Measured("Latency", telemetry.stages_ms.get("total", 0), MetricUnit.Milliseconds)
    for span in trace:
        if span.ms:
            yield Measured(f"Latency.{span.stage}", span.ms, MetricUnit.Milliseconds)
