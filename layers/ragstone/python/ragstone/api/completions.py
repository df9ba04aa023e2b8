"""OpenAI's chat completions over Ragstone: clients of theirs get checked answers with citations, or refusals."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from ragstone.answering.events import AskedBack, Event, Finished, Refused, Released
from ragstone.api.dependencies import Groups, Owner, only_json
from ragstone.api.presence import unless_left
from ragstone.api.problems import DESCRIPTIONS, error_body
from ragstone.api.queries import ANSWERS, Asking
from ragstone.api.schemas import MAX_QUESTION, QueryBody, Text
from ragstone.api.sse import begun, event_stream
from ragstone.errors import InvalidQuery
from ragstone.observability import logger
from ragstone.types import Answer, Citation, Query, Sentence, Turn, document_id_of

OWN_MODEL = "ragstone"
HISTORY_TURNS = 5


COMPLETIONS: dict[int | str, dict[str, Any]] = {
    **{status: {"description": text, "content": {"application/json": {}}} for status, text in DESCRIPTIONS.items()},
    **ANSWERS,
}
"""Errors have OpenAI's shape here."""


class Part(BaseModel):
    """Of a message's content; only text is read."""

    model_config = ConfigDict(extra="ignore")

    type: str
    text: Text = ""


class Message(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | list[Part] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class CompletionBody(BaseModel):
    """`model` is "ragstone" or one that GET /v1/models lists; settings of a model that writes freely are left aside.

    The last message is the question, earlier ones are what it may refer to. System messages have no say: answers come
    from the documents.
    """

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [{"model": OWN_MODEL, "messages": [{"role": "user", "content": "When does it run?"}]}]
        },
    )

    model: Annotated[Text, Field(max_length=200)] = OWN_MODEL
    messages: Annotated[list[Message], Field(min_length=1, max_length=1_000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None

    def question(self) -> QueryBody:
        """Raises InvalidQuery unless the last message is a user's, with words and not too many."""
        last = self.messages[-1]
        if last.role != "user" or not last.text.strip():
            raise InvalidQuery("no_question", "The last message has to be the user's, with a question in it.")
        if len(last.text) > MAX_QUESTION:
            raise InvalidQuery("question_too_long", f"A question has at most {MAX_QUESTION} characters.")
        return QueryBody(question=last.text, chat_model=None if self.model == OWN_MODEL else self.model)

    def history(self) -> tuple[Turn, ...]:
        """The last questions that were answered, each with its answer."""
        turns: list[Turn] = []
        question = ""
        for message in self.messages[:-1]:
            if message.role == "user":
                question = message.text
            elif message.role == "assistant" and question:
                turns.append(Turn(question, message.text))
                question = ""
        return tuple(turns[-HISTORY_TURNS:])


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRoutes:
    asking: Asking

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1", tags=["questions"], dependencies=[Depends(only_json)])
        router.post("/chat/completions", response_model=None, responses=COMPLETIONS)(self.complete)
        return router

    async def complete(self, body: CompletionBody, request: Request, groups: Groups, owner: Owner) -> Response:
        """For clients of OpenAI's API: citations are `annotations`, a refusal is the message's `refusal`."""
        asked = await self.asking.query(body.question(), groups, owner)
        asked = replace(asked, history=body.history())
        shape = _Shape(asked, body.model, str(request.base_url).rstrip("/"))
        if not body.stream:
            answer = await unless_left(request, self.asking.answering.answer(asked))
            return JSONResponse(shape.completion(answer))
        events = await begun(self.asking.answering.stream(asked))
        with_usage = body.stream_options is not None and body.stream_options.include_usage
        return event_stream(_lines(events, shape, with_usage=with_usage))


async def _lines(events: AsyncGenerator[Event], shape: _Shape, *, with_usage: bool) -> AsyncGenerator[str]:
    async with aclosing(events):
        try:
            yield _data(shape.chunk({"role": "assistant", "content": ""}))
            said = 0
            async for event in events:
                if delta := shape.delta(event, said):
                    said += len(delta.get("content", ""))
                    yield _data(shape.chunk(delta))
                if isinstance(event, Finished):
                    yield _data(shape.chunk({}, finish_reason="stop"))
                    if with_usage:
                        yield _data({**shape.chunk({}), "choices": [], "usage": _usage(event.answer)})
            yield "data: [DONE]\n\n"
        except Exception as error:  # noqa: BLE001 - the stream's edge: nothing after it could still answer
            logger.exception("stream failed", answer_id=shape.asked.answer_id)
            yield _data({"error": {**error_body(error), "type": "server_error", "param": None}})


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one answer looks to a client; `base_url` is where its sources' addresses begin."""

    asked: Query
    model: str
    base_url: str

    def completion(self, answer: Answer) -> dict[str, Any]:
        content = answer.clarification or answer.text or None
        message = {
            "role": "assistant",
            "content": content,
            "refusal": answer.refusal.message if answer.refusal else None,
            "annotations": list(self._annotations(answer.sentences, 0)),
        }
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {**self._head("chat.completion"), "choices": [choice], "usage": _usage(answer)}

    def chunk(self, delta: dict[str, Any], *, finish_reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def delta(self, event: Event, said: int) -> dict[str, Any] | None:
        """What an event adds to a message that has `said` characters already."""
        match event:
            case Released(sentence):
                space = " " if said else ""
                annotations = list(self._annotations([sentence], said + len(space)))
                return {"content": space + sentence.text, "annotations": annotations}
            case Refused(refusal):
                return {"refusal": refusal.message}
            case AskedBack(question):
                return {"content": question}
            case _:
                return None

    def _head(self, kind: str) -> dict[str, Any]:
        identity = f"chatcmpl-{self.asked.answer_id}"
        return {"id": identity, "object": kind, "created": int(time.time()), "model": self.model}

    def _annotations(self, sentences: Sequence[Sentence], start: int) -> Iterator[dict[str, Any]]:
        for sentence in sentences:
            end = start + len(sentence.text)
            for citation in sentence.citations:
                yield {"type": "url_citation", "url_citation": self._citation(citation, start, end)}
            start = end + 1

    def _citation(self, citation: Citation, start: int, end: int) -> dict[str, Any]:
        """The quotation is what the standard has no field for."""
        document_id = document_id_of(citation.chunk_id)
        page = f"#page={citation.page}" if citation.page else ""
        return {
            "start_index": start,
            "end_index": end,
            "title": citation.document,
            "url": f"{self.base_url}/v1/documents/{document_id}{page}",
            "quote": citation.quote,
        }


def _usage(answer: Answer) -> dict[str, int]:
    prompt = sum(call.input_tokens for call in answer.telemetry.usage)
    completion = sum(call.output_tokens for call in answer.telemetry.usage)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _data(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"
