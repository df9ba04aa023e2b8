"""OpenTelemetry spans of each answer, one a stage, sent over OTLP/HTTP.

Names follow the semantic conventions for generative AI: https://opentelemetry.io/docs/specs/semconv/gen-ai/
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ragstone.errors import TransientError
from ragstone.specs import Spec
from ragstone.types import Answer, Query, Span, SpanValue, TokenUsage

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

PROVIDERS = {"azure": "azure.ai.openai", "bedrock": "aws.bedrock", "gemini": "gcp.gemini"}
"""Providers whose name in the conventions is another than in specs."""

EXPORT_SECONDS = 1.0
NANOSECONDS = 1_000_000
"""Of a millisecond."""

Attributes = Mapping[str, SpanValue]


class AnswerSpans:
    """An AnswerObserver that sends an answer's spans in one request before the response ends.

    Lambda freezes what a function has not sent by then. Raises TransientError when the collector at `endpoint` does not
    take them within `seconds`. Words of people and of documents are sent only if `with_texts` says so.
    """

    def __init__(
        self, *, endpoint: str, environment: str, with_texts: bool = False, seconds: float = EXPORT_SECONDS
    ) -> None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider

        resource = Resource.create({"service.name": "ragstone", "deployment.environment.name": environment})
        self._tracer: Tracer = TracerProvider(resource=resource).get_tracer("ragstone")
        self._exporter = OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=seconds)
        self._with_texts = with_texts

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None:
        from opentelemetry.sdk.trace import ReadableSpan
        from opentelemetry.sdk.trace.export import SpanExportResult

        made = self._spans(query, answer, trace)
        # A sampler that the environment names may have turned them down.
        sampled = [span for span in made if isinstance(span, ReadableSpan)]
        if sampled and self._exporter.export(sampled) is not SpanExportResult.SUCCESS:
            raise TransientError("its trace did not reach the OTLP endpoint")

    def _spans(self, query: Query, answer: Answer, trace: Sequence[Span]) -> Iterator[object]:
        """The answer's own span, and below it one for each stage, back from now."""
        from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context

        ended = time.time_ns()
        began = ended - _ns(answer.telemetry.stages_ms.get("total", 0))
        root = self._tracer.start_span("answer", start_time=began, kind=SpanKind.SERVER)
        root.set_attributes(_of_answer(query, answer))
        for call in answer.telemetry.usage:
            root.add_event("gen_ai.client.operation", _of_call(call), timestamp=ended)
        root.end(ended)
        yield root
        below = set_span_in_context(root)
        for stage in trace:
            started = began + _ns(stage.started_ms)
            conventional = _conventional(stage, answer)
            kind = SpanKind.CLIENT if conventional else SpanKind.INTERNAL
            span = self._tracer.start_span(stage.stage, below, start_time=started, kind=kind)
            span.set_attributes({**self._own(stage), **conventional})
            if stage.outcome == "failed":
                span.set_status(StatusCode.ERROR)
            span.end(started + _ns(stage.ms))
            yield span

    def _own(self, stage: Span) -> Attributes:
        values = {"outcome": stage.outcome, **stage.inputs, **stage.results}
        return {f"ragstone.{n}": v for n, v in values.items() if self._with_texts or not n.endswith("text")}


def _of_answer(query: Query, answer: Answer) -> Attributes:
    telemetry = answer.telemetry
    known: dict[str, SpanValue | None] = {
        "gen_ai.conversation.id": query.conversation_id,
        "ragstone.answer_id": query.answer_id or None,
        "ragstone.confidence": answer.confidence,
        "ragstone.refusal.reason": answer.refusal.reason.value if answer.refusal else None,
        "ragstone.refusal.stage": answer.refusal.stage.value if answer.refusal else None,
        "ragstone.cache": telemetry.cache,
        "ragstone.cost_usd": telemetry.cost_usd,
        "ragstone.dropped_sentences": telemetry.dropped_sentences,
        **{f"ragstone.gate.{name}": score for name, score in telemetry.gates.items()},
    }
    return {name: value for name, value in known.items() if value is not None}


def _conventional(stage: Span, answer: Answer) -> Attributes:
    """What the conventions say of a stage that searches or asks the answer's model, all calls of that together."""
    if stage.stage == "retrieve":
        return {"gen_ai.operation.name": "retrieval"}
    calls = [c for c in answer.telemetry.usage if stage.inputs.get("answerer") in (c.model, c.stands_in_for)]
    if not calls:
        return {}
    together = TokenUsage(
        calls[-1].model,
        sum(call.input_tokens for call in calls),
        sum(call.output_tokens for call in calls),
        stands_in_for=calls[-1].stands_in_for,
    )
    return _of_call(together)


def _of_call(call: TokenUsage) -> Attributes:
    asked, replied = Spec.parse(call.stands_in_for or call.model), Spec.parse(call.model)
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDERS.get(replied.provider, replied.provider),
        "gen_ai.request.model": asked.model or asked.provider,
        "gen_ai.response.model": replied.model or replied.provider,
        "gen_ai.usage.input_tokens": call.input_tokens,
        "gen_ai.usage.output_tokens": call.output_tokens,
    }


def _ns(milliseconds: float) -> int:
    return round(milliseconds * NANOSECONDS)
