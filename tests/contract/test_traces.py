"""What a collector gets of each answer over OTLP/HTTP."""

from __future__ import annotations

import time
from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from ragstone.answering.tracing import STAGES
from ragstone.observability.spans import AnswerSpans
from ragstone.types import Answer, Evidence, Telemetry, TokenUsage
from ragstone.types import Span as StageSpan
from tests.support.observed import FALSE, QUESTION, WORDS, Observed
from tests.support.otlp_receiver import OtlpReceiver, attributes

PATIENCE = 0.3


def spans_to(collector: OtlpReceiver, *, with_texts: bool = False) -> AnswerSpans:
    return AnswerSpans(endpoint=collector.url, environment="test", with_texts=with_texts, seconds=PATIENCE)


def by_name(collector: OtlpReceiver) -> dict[str, Span]:
    return {span.name: span for span in collector.spans}


async def asked(spec: str = "openai:gpt-6-luna", **given: Any) -> OtlpReceiver:
    with OtlpReceiver() as collector:
        answer = await Observed([spans_to(collector)], spec=spec, **given).ask()
        assert answer.telemetry.degraded == ()
    return collector


async def test_the_ten_stages_are_below_the_answer_in_one_request() -> None:
    collector = await asked()
    assert collector.paths == ["/v1/traces"]
    spans = by_name(collector)
    assert tuple(spans) == ("answer", *STAGES)
    assert {span.trace_id for span in spans.values()} == {spans["answer"].trace_id}
    assert {spans[stage].parent_span_id for stage in STAGES} == {spans["answer"].span_id}
    assert collector.resource.items() >= {"service.name": "ragstone", "deployment.environment.name": "test"}.items()


async def test_stages_lie_within_the_answer_in_their_order() -> None:
    before = time.time_ns()
    spans = by_name(await asked())
    root = spans["answer"]
    assert before <= root.start_time_unix_nano < root.end_time_unix_nano <= time.time_ns()
    starts = [spans[stage].start_time_unix_nano for stage in ("validate", "retrieve", "confidence", "generate")]
    assert starts == sorted(starts)
    assert all(root.start_time_unix_nano <= spans[stage].start_time_unix_nano for stage in STAGES)
    assert all(spans[stage].end_time_unix_nano <= root.end_time_unix_nano for stage in STAGES)


async def test_generation_and_retrieval_carry_the_conventions_for_generative_ai() -> None:
    spans = by_name(await asked())
    generate, retrieve = attributes(spans["generate"].attributes), attributes(spans["retrieve"].attributes)
    assert generate["gen_ai.operation.name"] == "chat"
    assert generate["gen_ai.provider.name"] == "openai"
    assert generate["gen_ai.request.model"] == generate["gen_ai.response.model"] == "gpt-6-luna"
    assert (generate["gen_ai.usage.input_tokens"], generate["gen_ai.usage.output_tokens"]) == (100, 20)
    assert retrieve["gen_ai.operation.name"] == "retrieval"
    assert spans["generate"].kind == spans["retrieve"].kind == Span.SPAN_KIND_CLIENT
    assert spans["verify"].kind == Span.SPAN_KIND_INTERNAL


@pytest.mark.parametrize(
    ("spec", "provider", "model"),
    [
        ("bedrock:amazon.nova-lite-v1:0", "aws.bedrock", "amazon.nova-lite-v1:0"),
        ("gemini:gemini-4-flash", "gcp.gemini", "gemini-4-flash"),
        ("azure:answers", "azure.ai.openai", "answers"),
        ("ollama:llama3.1:8b", "ollama", "llama3.1:8b"),
    ],
)
async def test_providers_have_their_conventional_names(spec: str, provider: str, model: str) -> None:
    generate = attributes(by_name(await asked(spec))["generate"].attributes)
    assert (generate["gen_ai.provider.name"], generate["gen_ai.request.model"]) == (provider, model)


async def test_the_answer_s_span_says_what_it_came_to() -> None:
    root = by_name(await asked())["answer"]
    found = attributes(root.attributes)
    assert (found["ragstone.answer_id"], found["gen_ai.conversation.id"]) == ("c1.a1", "c1")
    assert (found["ragstone.cache"], found["ragstone.dropped_sentences"]) == ("off", 1)
    assert found["ragstone.gate.verified_share"] == 0.5
    (call,) = (attributes(event.attributes) for event in root.events)
    assert (call["gen_ai.request.model"], call["gen_ai.usage.input_tokens"]) == ("gpt-6-luna", 100)


async def test_a_refusal_names_its_stage_and_reason_and_what_was_not_reached() -> None:
    spans = by_name(await asked(found=Evidence(())))
    root, generate = attributes(spans["answer"].attributes), attributes(spans["generate"].attributes)
    assert (root["ragstone.refusal.stage"], root["ragstone.refusal.reason"]) == ("retrieval", "no_evidence")
    assert generate == {"ragstone.outcome": "not reached"}


def test_a_model_that_stood_in_is_told_from_the_one_that_was_asked() -> None:
    usage = (TokenUsage("anthropic:claude-haiku-4-5", 7, 3, stands_in_for="openai:gpt-6-luna"),)
    with OtlpReceiver() as collector:
        spans_to(collector).finished(QUESTION, Answer((), None, 0.5, telemetry=Telemetry(usage=usage)), ())
    (call,) = (attributes(event.attributes) for event in by_name(collector)["answer"].events)
    assert (call["gen_ai.request.model"], call["gen_ai.response.model"]) == ("gpt-6-luna", "claude-haiku-4-5")
    assert call["gen_ai.provider.name"] == "anthropic"


@pytest.mark.parametrize("with_texts", [False, True])
async def test_words_are_sent_only_where_the_settings_say_so(*, with_texts: bool) -> None:
    with OtlpReceiver() as collector:
        spans = spans_to(collector, with_texts=with_texts)
        answer = await Observed([spans]).ask()
        rewritten = StageSpan("rewrite", 0, 1, "rewritten", results={"question_text": QUESTION.question})
        spans.finished(QUESTION, answer, (rewritten,))
    sent = str(collector.requests)
    assert [word in sent for word in WORDS] == [with_texts, False, False]


async def test_a_collector_that_fails_or_is_late_or_gone_degrades_the_answer_in_a_short_time() -> None:
    with OtlpReceiver(status=500) as failing, OtlpReceiver() as late, OtlpReceiver() as gone:
        late.gate.clear()
        gone.__exit__()
        for collector in (failing, late, gone):
            began = time.perf_counter()
            answer = await Observed([spans_to(collector)], reply=FALSE).ask()
            assert time.perf_counter() - began < PATIENCE + 1
            assert answer.telemetry.degraded == (
                "the answer was not recorded: its trace did not reach the OTLP endpoint",
            )
            assert collector.requests == []
