"""Every chat model keeps the port's promises, whatever its provider's stream does."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.errors import ModelRefused, PermanentError, RagstoneError, SettingsError, TransientError
from ragstone.models import FallbackChatModel, Limits, build_chat_model
from ragstone.models.compatible import SERVERS
from ragstone.ports import ChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage
from tests.support.provider_dialects import Chat, Failure, Raw, Reply
from tests.support.provider_server import ProviderServer

OPENAI, ANTHROPIC, BEDROCK = "openai:gpt-6-luna", "anthropic:claude-haiku-5-5", "bedrock:amazon.nova-lite-v1:0"
COMPATIBLE = (
    "azure:our-deployment",
    "compatible:our-model",
    "gemini:gemini-3-flash",
    "glm:glm-5",
    "lmstudio:qwen/qwen3-8b",
    "ollama:llama3.1:8b",
    "openrouter:meta-llama/llama-4",
)
PROMPT = Prompt(system="Answer from the passages.", user="When do night fares begin?", max_tokens=100)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    with ProviderServer() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture(params=[OPENAI, ANTHROPIC, BEDROCK])
def spec(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def model(spec: str, server: ProviderServer) -> ChatModel:
    return build_chat_model(spec)


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


async def test_thoughts_are_not_text(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night ", "fares"), thoughts=("They ask ", "about fares.")))
    pieces, _ = await reply_of(model)
    assert pieces == ["Night ", "fares"]


async def test_what_the_provider_does_not_count_is_estimated_and_says_so(
    model: ChatModel, server: ProviderServer
) -> None:
    server.enqueue(Chat(("Night ", "fares ", "– 深夜"), counted=False))
    _, usage = await reply_of(model)
    assert usage == TokenUsage(model.spec, 13, 6, estimated=True)  # of 52 and 22 bytes


async def test_the_prompt_reaches_the_provider(model: ChatModel, server: ProviderServer) -> None:
    await reply_of(model)
    [request] = server.requests
    sent = str(request.body)
    assert PROMPT.system in sent
    assert PROMPT.user in sent


async def test_a_torn_character_reaches_the_provider_as_a_question_mark(
    model: ChatModel, server: ProviderServer
) -> None:
    _ = [item async for item in model.stream(Prompt("Answer.", "When \ud83d do they begin?"))]
    [request] = server.requests
    assert "When ? do they begin?" in str(request.body)


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


@pytest.mark.parametrize(
    "reply",
    [
        Chat((), stop=None),
        Chat((), stop=None, broken=True),
        Chat((), stop=None, garbled=True),
        Chat((), stop=None, error="overloaded"),
    ],
    ids=["cut", "broken", "garbled", "overloaded"],
)
async def test_a_stream_that_goes_wrong_before_its_first_piece_is_repeated(
    model: ChatModel, server: ProviderServer, reply: Reply
) -> None:
    server.enqueue(reply)
    pieces, _ = await reply_of(model)
    assert pieces == ["Hello", ", world."]
    assert len(server.requests) == 2


async def test_a_retry_waits_as_long_as_the_provider_wishes(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(Failure(429, retry_after=0.7))
    loop = asyncio.get_running_loop()
    started = loop.time()
    await reply_of(model)
    assert 0.7 <= loop.time() - started < 2


async def test_a_wish_to_wait_longer_than_the_first_token_may_take_ends_it_at_once(
    spec: str, server: ProviderServer
) -> None:
    server.enqueue(Failure(429, retry_after=40))
    assert await pieces_before(TransientError, build_chat_model(spec, Limits(first_token_seconds=30))) == []
    assert len(server.requests) == 1


async def test_a_reply_that_does_not_begin_in_time_is_a_transient_error_in_spite_of_signs_of_life(
    spec: str, server: ProviderServer
) -> None:
    server.enqueue(Chat(delay=20, late=True))
    model = build_chat_model(spec, Limits(first_token_seconds=0.4))
    with pytest.raises(TransientError, match=r"no reply began within 0\.4 s"):
        await reply_of(model)
    assert len(server.requests) == 1


async def test_a_reply_that_does_not_go_on_in_time_is_a_transient_error(spec: str, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night ", "fares"), delay=1.5))
    model = build_chat_model(spec, Limits(between_tokens_seconds=0.4))
    with pytest.raises(TransientError, match=r"did not go on within 0\.4 s"):
        await reply_of(model)
    assert len(server.requests) == 1


async def test_thinking_keeps_a_reply_alive(spec: str, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night",), thoughts=("hm ",) * 8, delay=0.15))
    pieces, _ = await reply_of(build_chat_model(spec, Limits(first_token_seconds=0.8, between_tokens_seconds=0.8)))
    assert pieces == ["Night"]


async def test_a_slow_reader_is_no_late_model(spec: str, server: ProviderServer) -> None:
    server.enqueue(Chat(("Night ", "fares")))
    pieces: list[str] = []
    async for item in build_chat_model(spec, Limits(between_tokens_seconds=0.2)).stream(PROMPT):
        await asyncio.sleep(0.3)
        pieces += [item.text] if isinstance(item, TextDelta) else []
    assert pieces == ["Night ", "fares"]


async def test_a_lasting_quota_is_a_transient_error(model: ChatModel, server: ProviderServer) -> None:
    server.enqueue(*[Failure(429, retry_after=0.01)] * 3)
    assert await pieces_before(TransientError, model) == []
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_refused_request_is_a_permanent_error_at_once(
    model: ChatModel, server: ProviderServer, status: int
) -> None:
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
        (Chat(("Night",), stop="blocked"), ModelRefused),
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
    server.enqueue(*[Raw("<html>Sign in</html>", "text/html")] * 3)
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


@pytest.mark.parametrize("name", ["gpt-4o-mini", "llama3.1:8b", "qwen/qwen2.5-7b", "olmo-2"])
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


@pytest.mark.parametrize("spec", COMPATIBLE)
async def test_a_compatible_server_is_asked_at_its_address_with_its_key(server: ProviderServer, spec: str) -> None:
    pieces, usage = await reply_of(build_chat_model(spec))
    assert pieces == ["Hello", ", world."]
    assert usage == TokenUsage(spec, 11, 7)
    provider, _, model = spec.partition(":")
    [request] = server.requests
    assert request.path == f"{SERVERS[provider].path or '/v1'}/chat/completions"
    assert request.headers["authorization"] == "Bearer key"
    assert request.body["model"] == model


@pytest.mark.parametrize("spec", COMPATIBLE)
async def test_a_compatible_server_s_error_names_its_own_variables(server: ProviderServer, spec: str) -> None:
    server.enqueue(Failure(401))
    with pytest.raises(PermanentError, match=f"{spec}.*{SERVERS[spec.partition(':')[0]].key_variable}"):
        await reply_of(build_chat_model(spec))


@pytest.mark.parametrize(
    ("spec", "limit", "room", "temperature"),
    [
        ("azure:our-deployment", "max_completion_tokens", True, False),
        ("gemini:gemini-3-flash", "max_tokens", True, False),
        ("gemini:gemini-2.0-flash", "max_tokens", False, False),
        ("glm:glm-5", "max_tokens", True, False),
        ("openrouter:openai/gpt-6-luna", "max_completion_tokens", True, False),
        ("openrouter:anthropic/claude-haiku-5.5", "max_tokens", True, False),
        ("openrouter:meta-llama/llama-4", "max_tokens", False, True),
        ("ollama:qwen3:8b", "max_tokens", True, False),
        ("lmstudio:openai/gpt-oss-20b", "max_tokens", True, False),
        ("compatible:our-model", "max_tokens", False, True),
    ],
)
async def test_each_family_gets_the_parameters_that_it_takes(
    server: ProviderServer, spec: str, limit: str, room: bool, temperature: bool
) -> None:
    await reply_of(build_chat_model(spec))
    [request] = server.requests
    parameters = request.body.keys() - {"model", "messages", "stream", "stream_options"}
    assert parameters == {limit, "temperature"} if temperature else {limit}
    assert (request.body[limit] > PROMPT.max_tokens) is room


def sse(*chunks: str, end: str = "data: [DONE]") -> Raw:
    """A stream as a server writes it, with its comments, fields of its own and all."""
    return Raw("".join(f"{chunk}\n\n" for chunk in (*chunks, end)), "text/event-stream")


REAL_STREAMS = {
    "openrouter": sse(
        ": OPENROUTER PROCESSING",
        'data: {"id":"gen-1","provider":"X","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"They ask","reasoning_details":'
        '[{"type":"reasoning.text","text":"They ask"}]},"finish_reason":null,"native_finish_reason":null}]}',
        ": OPENROUTER PROCESSING",
        'data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":"At ten."},"finish_reason":null}]}',
        'data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop","native_finish_reason":"STOP"}],'
        '"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"cost":0.00001}}',
    ),
    "ollama": sse(
        'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":'
        '"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"They"},'
        '"finish_reason":null}]}',
        'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":"At ten."},"finish_reason":null}]}',
        'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}',
        'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],'
        '"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}',
    ),
    "lmstudio": sse(
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":"<thi"},"logprobs":null,"finish_reason":null}]}',
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"content":"nk>They ask</th"},"finish_reason":null}]}',
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"content":"ink>At ten."},"finish_reason":null}]}',
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],'
        '"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}',
    ),
    "glm": sse(
        'data: {"id":"1","created":1,"model":"glm-5","choices":[{"index":0,"delta":{"role":"assistant",'
        '"reasoning_content":"They ask"}}]}',
        'data: {"id":"1","created":1,"model":"glm-5","choices":[{"index":0,"delta":{"role":"assistant",'
        '"content":"At ten."}}]}',
        'data: {"id":"1","created":1,"model":"glm-5","choices":[{"index":0,"finish_reason":"stop","delta":'
        '{"role":"assistant","content":""}}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,'
        '"prompt_tokens_details":{"cached_tokens":0}}}',
    ),
    "gemini": sse(
        'data: {"choices":[{"delta":{"content":"At ten.","role":"assistant"},"index":0}],"created":1,"id":"g",'
        '"model":"gemini-3-flash","object":"chat.completion.chunk"}',
        'data: {"choices":[{"delta":{"role":"assistant"},"finish_reason":"stop","index":0}],"created":1,"id":"g",'
        '"model":"gemini-3-flash","object":"chat.completion.chunk","usage":{"completion_tokens":4,"prompt_tokens":9,'
        '"total_tokens":13}}',
    ),
    "azure": sse(
        'data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,'
        '"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}',
        'data: {"choices":[{"content_filter_results":{},"delta":{"content":"","refusal":null,"role":"assistant"},'
        '"finish_reason":null,"index":0,"logprobs":null}],"created":1,"id":"c","model":"m",'
        '"object":"chat.completion.chunk"}',
        'data: {"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":'
        '{"content":"At ten."},"finish_reason":null,"index":0}],"created":1,"id":"c","model":"m",'
        '"object":"chat.completion.chunk"}',
        'data: {"choices":[{"content_filter_results":{},"delta":{},"finish_reason":"stop","index":0}],"created":1,'
        '"id":"c","model":"m","object":"chat.completion.chunk"}',
        'data: {"choices":[],"created":1,"id":"c","model":"m","object":"chat.completion.chunk","usage":'
        '{"completion_tokens":4,"prompt_tokens":9,"total_tokens":13}}',
    ),
}


@pytest.mark.parametrize("provider", sorted(REAL_STREAMS))
async def test_each_server_s_own_way_to_stream_is_understood(server: ProviderServer, provider: str) -> None:
    server.enqueue(REAL_STREAMS[provider])
    pieces, usage = await reply_of(build_chat_model(f"{provider}:m"))
    assert pieces == ["At ten."]
    assert usage == TokenUsage(f"{provider}:m", 9, 4)


def ending(reason: str) -> Raw:
    return sse('data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"' + reason + '"}]}')


@pytest.mark.parametrize(
    ("spec", "reply"),
    [
        ("gemini:gemini-3-flash", ending("SAFETY")),
        ("gemini:gemini-3-flash", ending("content_filter: PROHIBITED_CONTENT")),
        ("glm:glm-5", ending("sensitive")),
        ("openai:gpt-6-luna", sse('data: {"id":"c","choices":[{"index":0,"delta":{"refusal":"I am sorry"}}]}')),
        ("azure:our-deployment", Failure(400, code="content_filter")),
        ("glm:glm-5", Failure(400, code="1301")),
        ("openrouter:m", Failure(403, metadata={"reasons": ["violence"], "flagged_input": "…"})),
    ],
    ids=["gemini", "gemini-word", "glm", "openai", "azure", "glm-prompt", "openrouter"],
)
async def test_what_a_content_filter_stops_is_a_refusal_of_the_model(
    server: ProviderServer, spec: str, reply: Reply
) -> None:
    server.enqueue(reply)
    assert await pieces_before(ModelRefused, build_chat_model(spec)) == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(("spec", "reason"), [("openrouter:m", "error"), ("glm:glm-5", "network_error")])
async def test_an_end_that_the_server_calls_an_error_is_one(server: ProviderServer, spec: str, reason: str) -> None:
    server.enqueue(*[ending(reason)] * 3)
    assert await pieces_before(TransientError, build_chat_model(spec)) == []


async def test_a_fallback_of_another_provider_answers_and_is_named(server: ProviderServer) -> None:
    server.enqueue(*[Failure(500, retry_after=0.01)] * 3)
    model = FallbackChatModel(first=build_chat_model(ANTHROPIC), second=build_chat_model(OPENAI))
    pieces, usage = await reply_of(model)
    assert pieces == ["Hello", ", world."]
    assert usage == TokenUsage(OPENAI, 11, 7, stands_in_for=ANTHROPIC)
    assert [request.path for request in server.requests] == ["/v1/messages"] * 3 + ["/v1/chat/completions"]
