from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from ragstone.answering.choices import Choices
from ragstone.answering.events import Finished, Found, Released, Started, Status
from ragstone.answering.tracing import STAGES
from ragstone.errors import InvalidQuery, TransientError
from ragstone.types import Answer, Evidence, Query, Span
from tests.unit.answering.runs import FALSE, FOUND, QUERY, TRUE, answering, events

TRACED = replace(QUERY, trace=True)


@dataclass
class Observer:
    failure: Exception | None = None
    seen: list[tuple[Query, Answer, Sequence[Span]]] = field(default_factory=list[tuple[Query, Answer, Sequence[Span]]])

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None:
        self.seen.append((query, answer, trace))
        if self.failure:
            raise self.failure


class Slow:
    """A retriever over an index that wakes up."""

    def retrieve(self, query: Query) -> Evidence:
        from time import sleep

        sleep(0.05)
        return FOUND


async def test_a_trace_has_the_ten_stages_with_times_inputs_and_outcomes() -> None:
    answer = await answering([[f"{TRUE}\n{FALSE}"]]).answer(TRACED)
    spans = {span.stage: span for span in answer.trace}
    assert tuple(spans) == STAGES
    assert spans["cache"].outcome == "skipped: off"
    assert spans["rewrite"].outcome == "skipped: no conversation"
    assert spans["retrieve"].inputs["top_k"] == 5
    assert spans["retrieve"].results["passages"] == 1
    assert spans["verify"].results == {"quote_not_found": 1}
    assert spans["final_gate"].results == {"verified_share": 0.5}
    assert all(span.ms >= 0 and span.started_ms >= 0 for span in answer.trace)
    assert set(STAGES) | {"total"} <= set(answer.telemetry.stages_ms)
    assert answer.telemetry.gates["verified_share"] == 0.5


async def test_a_refusal_s_trace_ends_where_it_was_refused() -> None:
    answer = await answering(found=Evidence(())).answer(TRACED)
    outcomes = {span.stage: span.outcome for span in answer.trace}
    assert outcomes["early_gate"] == "refused: no_evidence"
    assert outcomes["generate"] == outcomes["verify"] == outcomes["final_gate"] == "not reached"
    assert outcomes["finalise"] == "done"


async def test_a_trace_is_given_only_when_asked_for_and_allowed() -> None:
    assert (await answering([[TRUE]]).answer(QUERY)).trace == ()
    with pytest.raises(InvalidQuery, match="Traces are switched off"):
        await answering(choices=Choices(shows_trace=False)).answer(TRACED)


async def test_traces_hold_no_text_of_documents() -> None:
    answer = await answering([[TRUE]]).answer(TRACED)
    assert "Tuesdays" not in repr(answer.trace)


async def test_observers_see_every_answer_with_its_whole_trace() -> None:
    observer = Observer()
    answer = await answering([[TRUE]], observers=(observer,)).answer(QUERY)
    [(query, seen, trace)] = observer.seen
    assert (query.question, seen.text) == (QUERY.question, answer.text)
    assert tuple(span.stage for span in trace) == STAGES


async def test_an_observer_that_fails_for_now_degrades_the_answer_only() -> None:
    answer = await answering([[TRUE]], observers=(Observer(TransientError("table busy")),)).answer(QUERY)
    assert not answer.refused
    assert answer.telemetry.degraded == ("the answer was not recorded: table busy",)


async def test_an_index_that_wakes_up_is_reported() -> None:
    found = await events(answering([[TRUE]], retriever=Slow(), patience_seconds=0.01).stream(QUERY))
    assert found[:2] == [Started("scripted"), Status("warming")]
    assert [type(event) for event in found[2:]] == [Found, Released, Finished]
