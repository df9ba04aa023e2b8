"""How OpenAI, Anthropic and Bedrock write the same replies on the wire."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from zlib import crc32

DIMENSIONS = 8


@dataclass(frozen=True)
class Chat:
    """A streamed reply: its pieces, then how it ends.

    `stop` is `end`, `length`, `blocked`, or None for a stream that just stops; `error` is an error event after the
    pieces (`overloaded` or `invalid`); `broken` drops the connection after the pieces, `garbled` sends half an event.
    `delay` is the time in seconds between two events, and before the first where `late`, with the protocol's signs of
    life meanwhile. `thoughts` come before the pieces; the usage is missing (or zeros) where not `counted`.
    """

    pieces: tuple[str, ...] = ("Hello", ", world.")
    input_tokens: int = 11
    output_tokens: int = 7
    stop: str | None = "end"
    error: str | None = None
    broken: bool = False
    garbled: bool = False
    delay: float = 0
    late: bool = False
    thoughts: tuple[str, ...] = ()
    counted: bool = True


@dataclass(frozen=True)
class Failure:
    """A reply with an error status; `code` and `metadata` are those of OpenAI's API and of its relatives."""

    status: int
    retry_after: float | None = None
    code: str | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Raw:
    """A successful reply with this body, whatever was asked for."""

    body: str
    content_type: str = "application/json"


Reply = Chat | Failure | Raw


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """The vector that the server gives a text: fixed, not of unit length."""
    digest = sha256(text.encode()).digest()
    return [digest[position % 32] / 64 - 2 for position in range(dimensions)]


def unit_vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    vector = vector_of(text, dimensions)
    return [value / math.hypot(*vector) for value in vector]


class OpenAI:
    paths = ("/chat/completions", "/embeddings", "/rerank")
    content_type = "text/event-stream"
    sign_of_life = b": PROCESSING\n\n"
    stops: Mapping[str, str] = {"end": "stop", "length": "length", "blocked": "content_filter"}
    errors: Mapping[str, dict[str, Any]] = {
        "overloaded": {"type": "server_error", "code": "server_error"},
        "invalid": {"type": "invalid_request_error", "code": "invalid_prompt"},
    }

    def events(self, chat: Chat) -> Iterator[bytes]:
        for thought in chat.thoughts:
            yield self._chunk({"choices": [{"index": 0, "delta": {"reasoning_content": thought}}]})
        for piece in chat.pieces:
            yield self._chunk({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
        if chat.error:
            yield self._chunk({"error": {"message": "from the provider", **self.errors[chat.error]}})
        if chat.garbled:
            yield b'data: {"choices": [{"ind\n\n'
        if chat.stop is None:
            return
        yield self._chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": self.stops[chat.stop]}]})
        usage = {"prompt_tokens": chat.input_tokens, "completion_tokens": chat.output_tokens}
        if chat.counted:
            yield self._chunk({"choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"

    def embeddings(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        items = [{"index": index, "embedding": vector_of(text)} for index, text in enumerate(body["input"])]
        return {"object": "list", "data": items[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    def failure(self, failure: Failure) -> tuple[dict[str, str], dict[str, Any]]:
        error = {"message": "from the provider", "type": "some_error", "code": failure.code}
        return {}, {"error": {**error, "metadata": failure.metadata} if failure.metadata else error}

    def _chunk(self, content: Mapping[str, Any]) -> bytes:
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", **content}
        return f"data: {json.dumps(chunk)}\n\n".encode()


class Anthropic:
    paths = ("/v1/messages",)
    content_type = "text/event-stream"
    sign_of_life = b'event: ping\ndata: {"type": "ping"}\n\n'
    stops: Mapping[str, str] = {"end": "end_turn", "length": "max_tokens", "blocked": "refusal"}
    errors: Mapping[str, str] = {"overloaded": "overloaded_error", "invalid": "invalid_request_error"}
    statuses: Mapping[int, str] = {401: "authentication_error", 429: "rate_limit_error", 500: "api_error"}

    def events(self, chat: Chat) -> Iterator[bytes]:
        cached = int(chat.counted)
        read = chat.input_tokens - 1 if chat.counted else 0
        usage = {"input_tokens": read, "cache_read_input_tokens": cached, "output_tokens": cached}
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
        yield self._event("message_start", {"message": message})
        for thought in chat.thoughts:
            delta = {"type": "thinking_delta", "thinking": thought}
            yield self._event("content_block_delta", {"index": 0, "delta": delta})
        for piece in chat.pieces:
            yield self._event("content_block_delta", {"index": 1, "delta": {"type": "text_delta", "text": piece}})
        if chat.error:
            yield self._event("error", {"error": {"type": self.errors[chat.error], "message": "from the provider"}})
        if chat.garbled:
            yield b'event: content_block_delta\ndata: {"type": "cont\n\n'
        if chat.stop is None:
            return
        usage = {"output_tokens": chat.output_tokens}
        yield self._event("message_delta", {"delta": {"stop_reason": self.stops[chat.stop]}, "usage": usage})
        yield self._event("message_stop", {})

    def failure(self, failure: Failure) -> tuple[dict[str, str], dict[str, Any]]:
        error = {"type": self.statuses.get(failure.status, "invalid_request_error"), "message": "from the provider"}
        return {}, {"type": "error", "error": error}

    def _event(self, kind: str, content: Mapping[str, Any]) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **content})}\n\n".encode()


class Bedrock:
    paths = ("/converse-stream", "/invoke")
    content_type = "application/vnd.amazon.eventstream"
    sign_of_life = b""
    stops: Mapping[str, str] = {"end": "end_turn", "length": "max_tokens", "blocked": "guardrail_intervened"}
    errors: Mapping[str, str] = {"overloaded": "throttlingException", "invalid": "validationException"}
    statuses: Mapping[int, str] = {
        401: "UnrecognizedClientException",
        403: "AccessDeniedException",
        429: "ThrottlingException",
        500: "InternalServerException",
    }

    def events(self, chat: Chat) -> Iterator[bytes]:
        yield self._event("messageStart", {"role": "assistant"})
        for thought in chat.thoughts:
            delta = {"reasoningContent": {"text": thought}}
            yield self._event("contentBlockDelta", {"contentBlockIndex": 0, "delta": delta})
        for piece in chat.pieces:
            yield self._event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": piece}})
        if chat.error:
            yield _message({"message": "from the provider"}, kind="exception", name=self.errors[chat.error])
        if chat.garbled:
            yield self._event("contentBlockDelta", {"delta": {}})[:-4] + b"sums"
        if chat.stop is None:
            return
        yield self._event("messageStop", {"stopReason": self.stops[chat.stop]})
        counts = (chat.input_tokens, chat.output_tokens) if chat.counted else (0, 0)
        usage = {"inputTokens": counts[0], "outputTokens": counts[1], "totalTokens": sum(counts)}
        yield self._event("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})

    def embeddings(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        if "titan" in path:
            return {"embedding": vector_of(body["inputText"], 1_024), "inputTextTokenCount": 1}
        dimensions = 1_536 if "embed-v4" in path else 1_024
        return {"embeddings": {"float": [vector_of(text, dimensions) for text in body["texts"]]}}

    def failure(self, failure: Failure) -> tuple[dict[str, str], dict[str, Any]]:
        name = self.statuses.get(failure.status, "ValidationException")
        return {"x-amzn-ErrorType": name}, {"message": "from the provider"}

    def _event(self, name: str, content: Mapping[str, Any]) -> bytes:
        return _message(content, kind="event", name=name)


def _message(content: Mapping[str, Any], *, kind: str, name: str) -> bytes:
    """One message of AWS's event stream: prelude, its checksum, headers, payload, checksum of it all."""
    fields = {":message-type": kind, f":{kind}-type": name, ":content-type": "application/json"}
    headers = b"".join(
        bytes([len(key)]) + key.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
        for key, value in fields.items()
    )
    payload = json.dumps(content).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack(">I", crc32(prelude)) + headers + payload
    return message + struct.pack(">I", crc32(message))


Dialect = OpenAI | Anthropic | Bedrock
DIALECTS: tuple[Dialect, ...] = (OpenAI(), Anthropic(), Bedrock())


def dialect_of(path: str) -> Dialect:
    return next(dialect for dialect in DIALECTS if path.endswith(dialect.paths))
