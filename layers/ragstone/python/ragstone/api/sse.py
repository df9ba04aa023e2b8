"""An answer as server-sent events, in this order, ending in one `done` or `error`.

meta, status*, sources, status*, reasoning*, sentence*, clarification or refusal?, telemetry. A refusal withdraws the
sentences that came before it: too little else of the answer could be verified.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

from fastapi.responses import StreamingResponse

from ragstone.answering.events import (
    AskedBack,
    Event,
    Finished,
    Found,
    Reasoning,
    Refused,
    Released,
    Started,
    Status,
)
from ragstone.api.problems import error_body
from ragstone.api.schemas import answer_json, refusal_json, sentence_json, sources_json, telemetry_json
from ragstone.observability import logger
from ragstone.types import Query

HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
HEARTBEAT_SECONDS = 10.0
HEARTBEAT = ": still there\n\n"

LINE_ENDS = str.maketrans({character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"})
"""JSON leaves them as they are, and many clients take them for the end of an event's line."""


async def begun(events: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
    """The same events, once the first is there.

    It comes after retrieval: what fails until then is still answered with a status.
    """
    return _from(await anext(events), events)


async def _from(first: Event, rest: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
    async with aclosing(rest):
        yield first
        async for event in rest:
            yield event


def event_stream(lines: AsyncGenerator[str]) -> StreamingResponse:
    """The response that sends the lines as they come, with heartbeats between them."""
    beating = with_heartbeats(lines, seconds=HEARTBEAT_SECONDS)
    return StreamingResponse(beating, media_type="text/event-stream", headers=HEADERS)


async def server_sent(events: AsyncGenerator[Event], asked: Query, trace_id: str) -> AsyncGenerator[str]:
    """The text of a query's stream. A status can't change after the first byte, so an error becomes the last event."""
    async with aclosing(events):
        try:
            async for event in events:
                for line in _encoded(event, asked, trace_id):
                    yield line
        except Exception as error:  # noqa: BLE001 - the stream's edge: nothing after it could still answer
            logger.exception("stream failed", trace_id=trace_id)
            yield _event("error", {**error_body(error), "trace_id": trace_id})


async def with_heartbeats(lines: AsyncGenerator[str], *, seconds: float) -> AsyncGenerator[str]:
    """The lines, and a comment whenever so many seconds pass without one: proxies close what is silent."""
    async with aclosing(lines):
        following = asyncio.ensure_future(anext(lines, None))
        try:
            while True:
                done, _ = await asyncio.wait({following}, timeout=seconds)
                if not done:
                    yield HEARTBEAT
                elif (line := following.result()) is None:
                    return
                else:
                    yield line
                    following = asyncio.ensure_future(anext(lines, None))
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


def _encoded(event: Event, asked: Query, trace_id: str) -> Iterator[str]:
    match event:
        case Started(answerer):
            yield _event("meta", {"trace_id": trace_id, "answer_id": asked.answer_id, "answerer": answerer})
        case Status(name):
            yield _event("status", {"status": name})
        case Found(passages):
            yield _event("sources", {"sources": sources_json(passages)})
        case Reasoning(text):
            yield _event("reasoning", {"text": text})
        case Released(sentence):
            yield _event("sentence", sentence_json(sentence))
        case AskedBack(question):
            yield _event("clarification", {"question": question})
        case Refused(refusal):
            yield _event("refusal", refusal_json(refusal))
        case Finished(answer):
            yield _event("telemetry", telemetry_json(answer.telemetry))
            yield _event("done", answer_json(answer, asked))


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False).translate(LINE_ENDS)}\n\n"
