"""Every chat model keeps the port's promises, whatever its provider's stream does."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.errors import PermanentError, RagstoneError, SettingsError, TransientError
from ragstone.models import build_chat_model
from ragstone.ports import ChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage
from tests.support.provider_dialects import Chat, Failure, Raw, Reply
from tests.support.provider_server import ProviderServer

OPENAI, ANTHROPIC, BEDROCK = "openai:gpt-6-luna", "anthropic:claude-haiku-5-5", "bedrock:amazon.nova-lite-v1:0"
PROMPT = Prompt(system="Answer from the passages.", user="When do night fares begin?", max_tokens=100)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    with ProviderServer() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture(params=[OPENAI, ANTHROPIC, BEDROCK])
def model(request: pytest.FixtureRequest, server: ProviderServer) -> ChatModel:
    return build_chat_model(request.param)


async def reply_of(model: ChatModel) -> tuple[list[str], TokenUsage]:
    """The pieces of a reply, and the usage that must come last."""
    *pieces, usage = [item async for item in model.stream(PROMPT)]
    assert isinstance(usage, TokenUsage)
    return [piece.text for piece in pieces if isinstance(piece, TextDelta)], usage


async def pieces_before(error: type[RagstoneError], model: ChatModel) -> list[str]:
    """The pieces that came before the stream raised the error."""
    pieces: list[str] = []
    with pytest.raises(error, match=model.spec):
        async for item in model.stream(PROMPT):
            assert isinstance(item, TextDelta)
            pieces.append(item.text)
    return pieces


async def test_pieces_come_in_order_and_the_provider_s_usage_last(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night ", "fares ", "– 深夜", " 🚇."), input_tokens=123, output_tokens=45))
    pieces, usage = await reply_of(model)
    assert pieces == ["Night ", "fares ", "– 深夜", " 🚇."]
    assert usage == TokenUsage(model.spec, 123, 45)


async def test_pieces_come_while_the_model_still_writes(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Chat(tuple("abcdefgh"), delay=0.1))
    loop = asyncio.get_running_loop()
    times = [loop.time() async for item in model.stream(PROMPT) if isinstance(item, TextDelta)]
    assert len(times) == 8
    assert times[-1] - times[0] >= 0.5


async def test_the_prompt_reaches_the_provider(model: ChatModel, server: ProviderServer) -> None:
    await reply_of(model)
    [request] = server.requests
    sent = str(request.body)
    assert PROMPT.system in sent
    assert PROMPT.user in sent


async def test_a_reply_that_reaches_its_limit_is_a_reply(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night fares",), stop="length"))
    pieces, _ = await reply_of(model)
    assert pieces == ["Night fares"]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_failure_before_the_first_piece_is_retried(
    model: ChatModel, server: ProviderServer, status: int
) -> None:
    server.enqueue(Failure(status, retry_after=0.01))
    pieces, _ = await reply_of(model)
    assert pieces == ["Hello", ", world."]
    assert len(server.requests) == 2


async def test_a_lasting_quota_is_a_transient_error(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(*[Failure(429, retry_after=0.01)] * 3)
    assert await pieces_before(TransientError, model) == []
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_refusal_is_a_permanent_error_at_once(model: ChatModel, server: ProviderServer, status: int) -> None:
    server.enqueue(Failure(status))
    assert await pieces_before(PermanentError, model) == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Chat(("Night",), stop=None), TransientError),
        (Chat(("Night",), stop=None, broken=True), TransientError),
        (Chat(("Night",), stop=None, garbled=True), TransientError),
        (Chat(("Night",), stop=None, error="overloaded"), TransientError),
        (Chat(("Night",), stop=None, error="invalid"), PermanentError),
        (Chat(("Night",), stop="blocked"), PermanentError),
    ],
    ids=["cut", "broken", "garbled", "overloaded", "invalid", "blocked"],
)
async def test_a_stream_that_goes_wrong_raises_after_its_pieces_and_is_not_repeated(
    model: ChatModel, server: ProviderServer, reply: Reply, error: type[RagstoneError]
) -> None:
    server.enqueue(reply)
    assert await pieces_before(error, model) == ["Night"]
    assert len(server.requests) == 1


async def test_a_page_instead_of_a_stream_is_a_transient_error(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Raw("<html>Sign in</html>", "text/html"))
    assert await pieces_before(TransientError, model) == []


async def test_closing_a_stream_hangs_up(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night ",) * 200, delay=0.05))
    stream = model.stream(PROMPT)
    assert await anext(stream) == TextDelta("Night ")
    await stream.aclose()
    assert await asyncio.to_thread(server.requests[0].left.wait, 2)


async def test_cancelling_the_reader_hangs_up(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night ",) * 200, delay=0.05))
    task = asyncio.create_task(reply_of(model))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.requests[0].left.wait, 2)


async def test_streams_run_side_by_side(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(*[Chat(tuple("abcd"), delay=0.1)] * 6)
    loop = asyncio.get_running_loop()
    started = loop.time()
    replies = await asyncio.gather(*[reply_of(model) for _ in range(6)])
    assert [pieces for pieces, _ in replies] == [list("abcd")] * 6
    assert loop.time() - started < 6 * 0.4


def test_one_model_serves_several_event_loops(model: ChatModel, server: ProviderServer) -> None:
    for _ in range(3):
        pieces, _ = asyncio.run(reply_of(model))
        assert pieces == ["Hello", ", world."]
    gc.collect()  # a client left open would warn here


def test_a_loop_that_ends_in_mid_stream_leaves_nothing_open(model: ChatModel, server: ProviderServer) -> None:
    async def read_one_piece() -> None:
        async for _ in model.stream(PROMPT):
            break

    server.enqueue(Chat(("Night ",) * 200, delay=0.05))
    asyncio.run(read_one_piece())
    assert server.requests[0].left.wait(2)
    gc.collect()


# --- what differs between providers ------------------------------------------------------------


async def test_a_reasoning_model_gets_room_to_think_and_no_temperature(server: ProviderServer) -> None:
    await reply_of(build_chat_model("openai:gpt-6-luna"))
    [request] = server.requests
    assert request.body["max_completion_tokens"] > PROMPT.max_tokens
    assert request.body.keys().isdisjoint({"max_tokens", "temperature"})
    assert request.body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("name", ["gpt-4o-mini", "llama3.1:8b", "qwen/qwen3-8b", "olmo-2"])
async def test_other_models_get_the_older_limit_and_temperature_0(server: ProviderServer, name: str) -> None:
    await reply_of(build_chat_model(f"openai:{name}"))
    [request] = server.requests
    assert (request.body["max_tokens"], request.body["temperature"]) == (100, 0)
    assert "max_completion_tokens" not in request.body


async def test_anthropic_gets_no_sampling_parameters(server: ProviderServer) -> None:
    await reply_of(build_chat_model(ANTHROPIC))
    [request] = server.requests
    assert request.body.keys() == {"model", "max_tokens", "system", "messages", "stream"}


@pytest.mark.parametrize(("name", "room"), [("amazon.nova-lite-v1:0", False), ("eu.anthropic.claude-sonnet-5-5", True)])
async def test_bedrock_gives_room_to_think_to_models_that_do(server: ProviderServer, name: str, room: bool) -> None:
    await reply_of(build_chat_model(f"bedrock:{name}"))
    [request] = server.requests
    assert request.body["inferenceConfig"].keys() == {"maxTokens"}
    assert (request.body["inferenceConfig"]["maxTokens"] > PROMPT.max_tokens) is room


async def test_an_openai_account_without_credit_is_a_permanent_error(server: ProviderServer) -> None:
    server.enqueue(*[Failure(429, retry_after=0.01, code="insufficient_quota")] * 3)
    assert await pieces_before(PermanentError, build_chat_model(OPENAI)) == []


@pytest.mark.parametrize(
    ("spec", "variable"),
    [(OPENAI, "OPENAI_API_KEY"), (ANTHROPIC, "ANTHROPIC_API_KEY"), (BEDROCK, "AWS_DEFAULT_REGION")],
)
def test_a_missing_key_or_region_shows_when_the_model_is_built(
    server: ProviderServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spec: str, variable: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where a developer may keep a profile with a key
    monkeypatch.delenv(variable)
    with pytest.raises(SettingsError, match=variable):
        build_chat_model(spec)
