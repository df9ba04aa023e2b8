"""An answer as server-sent events: meta, sources, sentence*, refusal?, telemetry, then one `done` or `error`."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

from ragstone.answering.events import Event, Finished, Refused, Released, Started
from ragstone.api.problems import error_body
from ragstone.api.schemas import answer_json, refusal_json, sentence_json, sources_json, telemetry_json
from ragstone.observability import logger

LINE_ENDS = str.maketrans({character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"})
"""JSON leaves them as they are, and many clients take them for the end of an event's line."""


async def server_sent(first: Event, rest: AsyncGenerator[Event], trace_id: str) -> AsyncGenerator[str]:
    """The stream's text. A status can't change after the first byte, so an error becomes the last event."""
    async with aclosing(rest):
        try:
            for line in _encoded(first, trace_id):
                yield line
            async for event in rest:
                for line in _encoded(event, trace_id):
                    yield line
        except Exception as error:  # noqa: BLE001 - the stream's edge: nothing after it could still answer
            logger.exception("stream failed", trace_id=trace_id)
            yield _event("error", {**error_body(error), "trace_id": trace_id})


def _encoded(event: Event, trace_id: str) -> Iterator[str]:
    match event:
        case Started(answerer, passages):
            yield _event("meta", {"trace_id": trace_id, "answerer": answerer})
            yield _event("sources", {"sources": sources_json(passages)})
        case Released(sentence):
            yield _event("sentence", sentence_json(sentence))
        case Refused(refusal):
            yield _event("refusal", refusal_json(refusal))
        case Finished(answer):
            yield _event("telemetry", telemetry_json(answer.telemetry))
            yield _event("done", answer_json(answer))


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False).translate(LINE_ENDS)}\n\n"
