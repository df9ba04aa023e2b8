"""Every reranker keeps the port's promises; those behind an API also survive what an API does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from ragstone.errors import PermanentError, SettingsError, TransientError
from ragstone.reranking import build_reranker
from ragstone.reranking.dialects import DIALECTS
from tests.support.provider_dialects import Chat, Failure, Raw
from tests.support.provider_server import ProviderServer
from tests.support.rerank_dialects import relevance

QUERY = "what does the night ferry cost"
TEXTS = ("The bell rings at ten.", "The night ferry costs four tallies.", "What the lamp did cost, nobody knows.")
SERVED = tuple(f"{provider}:rank-test" for provider in DIALECTS)
BEDROCK = ("bedrock:amazon.rerank-v1:0", "bedrock:cohere.rerank-v3-5:0")
REMOTE = (*SERVED, *BEDROCK)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    with ProviderServer() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        for provider, dialect in DIALECTS.items():
            version = "/v1" if dialect.server.url.endswith("/v1") else ""
            monkeypatch.setenv(dialect.server.url_variable, f"{server.url}/{provider}{version}")
            monkeypatch.setenv(dialect.server.key_variable, "key")
        yield server


@pytest.mark.parametrize("spec", REMOTE)
def test_scores_come_in_the_order_of_the_texts(server: ProviderServer, spec: str) -> None:
    reranker = build_reranker(spec, seconds=5)
    assert reranker.spec == spec
    reranking = reranker.rerank(QUERY, TEXTS)
    assert reranking.scores == pytest.approx([relevance(QUERY, text) for text in TEXTS])
    assert [usage.model for usage in reranking.usage] == [spec]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("spec", "tokens"), [("voyage:x", 26), ("jina:x", 26), ("vllm:x", 26), ("cohere:x", 0), ("tei:x", 0)]
)
def test_tokens_are_those_that_the_server_counts(server: ProviderServer, spec: str, tokens: int) -> None:
    (usage,) = build_reranker(spec, seconds=5).rerank(QUERY, TEXTS).usage
    assert (usage.input_tokens, usage.output_tokens) == (tokens, 0)


def test_each_server_is_asked_in_its_own_words(server: ProviderServer) -> None:
    for spec in SERVED:
        build_reranker(spec, seconds=5).rerank("q", ["one"])
    asked = {request.path: request.body for request in server.requests}
    documents = {"model": "rank-test", "query": "q", "documents": ["one"]}
    assert asked == {
        "/cohere/v2/rerank": documents,
        "/jina/v1/rerank": {**documents, "return_documents": False},
        "/tei/rerank": {"query": "q", "texts": ["one"], "raw_scores": True, "truncate": True},
        "/vllm/rerank": documents,
        "/voyage/v1/rerank": documents,
    }
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer key"}


@pytest.mark.parametrize("spec", REMOTE)
def test_a_refusal_is_permanent_and_a_busy_server_is_not(server: ProviderServer, spec: str) -> None:
    server.enqueue(Failure(403))
    with pytest.raises(PermanentError, match=spec):
        build_reranker(spec, seconds=5).rerank(QUERY, TEXTS)
    server.enqueue(*[Failure(429)] * 3)
    with pytest.raises(TransientError, match=spec):
        build_reranker(spec, seconds=5).rerank(QUERY, TEXTS)


@pytest.mark.parametrize("spec", REMOTE)
@pytest.mark.parametrize("body", ["", "null", "[]", "{}", '{"results": [{"index": 0}]}', '{"data": 3, "results": 3}'])
def test_a_reply_without_a_score_for_each_text_is_an_error(server: ProviderServer, spec: str, body: str) -> None:
    server.enqueue(Raw(body))
    with pytest.raises(TransientError, match=f"^{spec}: "):
        build_reranker(spec, seconds=5).rerank(QUERY, TEXTS)


def test_a_text_that_is_scored_twice_or_out_of_range_is_an_error(server: ProviderServer) -> None:
    for indices in ((0, 1, 1), (0, 1, 3)):
        results = ", ".join(f'{{"index": {index}, "relevance_score": 1}}' for index in indices)
        server.enqueue(Raw(f'{{"results": [{results}]}}'))
        with pytest.raises(TransientError, match="not for each of 3"):
            build_reranker("cohere:x", seconds=5).rerank(QUERY, TEXTS)


def test_a_server_that_is_not_there_is_a_transient_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(TransientError, match="vllm:x: the server can't be reached"):
        build_reranker("vllm:x", seconds=1).rerank(QUERY, TEXTS)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cohere:x", "cohere:x needs COHERE_API_KEY"),
        ("jina", "reranker 'jina:' names no model; write jina:model"),
        ("bedrock:some-model", "not a known reranker; known are amazon.rerank, cohere.rerank"),
        ("fastembed", "fastembed needs a model, for example fastembed:"),
        ("magic:x", "unknown reranker 'magic'; known are bedrock, cohere, fastembed, jina, llm, tei, vllm, voyage"),
        ("llm:magic:x", "unknown chat model 'magic'"),
    ],
)
def test_what_can_t_be_used_is_refused_at_once(monkeypatch: pytest.MonkeyPatch, spec: str, said: str) -> None:
    monkeypatch.delenv("COHERE_API_KEY", raising=False)
    with pytest.raises(SettingsError, match=said):
        build_reranker(spec, seconds=1)


@pytest.mark.parametrize("chat", ["openai:gpt-test", "anthropic:claude-test", "bedrock:test"])
def test_any_chat_model_ranks_by_listing_numbers(server: ProviderServer, chat: str) -> None:
    server.enqueue(
        Chat(
            pieces=(
                "The order is [2, ",
                "3, 2, 9]",
            )
        )
    )
    reranking = build_reranker(f"llm:{chat}", seconds=5).rerank(QUERY, TEXTS)
    assert reranking.scores == (0.0, 1.0, 0.5)
    assert [(usage.input_tokens, usage.output_tokens) for usage in reranking.usage] == [(11, 7)]
    assert all(text in str(server.requests[0].body) for text in TEXTS)


def test_a_chat_model_may_find_that_no_text_helps(server: ProviderServer) -> None:
    server.enqueue(Chat(pieces=("[]",)))
    assert build_reranker("llm:openai:gpt-test", seconds=5).rerank(QUERY, TEXTS).scores == (0.0, 0.0, 0.0)


def test_a_chat_model_that_lists_nothing_is_an_error(server: ProviderServer) -> None:
    server.enqueue(Chat(pieces=("I can't rank these.",)))
    with pytest.raises(TransientError, match="llm:openai:gpt-test: the reply holds no list of numbers"):
        build_reranker("llm:openai:gpt-test", seconds=5).rerank(QUERY, TEXTS)


class _Encoder:
    """What FastEmbed's cross-encoder looks like."""

    def __init__(self, model: str) -> None:
        if model == "unknown":
            raise ValueError(f"Model {model} is not supported")

    def rerank(self, query: str, documents: list[str]) -> Iterator[float]:
        for text in (query, *documents):
            text.encode()  # its tokenizer takes no lone surrogates
        return (relevance(query, text) for text in documents)


def test_fastembed_s_cross_encoders_rank_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("fastembed.rerank.cross_encoder")
    monkeypatch.setattr(module, "TextCrossEncoder", _Encoder, raising=False)
    for name in ("fastembed", "fastembed.rerank"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    reranker = build_reranker("fastembed:some/model", seconds=1)
    assert reranker.rerank(QUERY, TEXTS).scores == pytest.approx([relevance(QUERY, text) for text in TEXTS])
    assert len(reranker.rerank("torn \ud83d half", ["one", "\ud83d"]).scores) == 2
    with pytest.raises(SettingsError, match="fastembed:unknown can't be loaded: Model unknown is not supported"):
        build_reranker("fastembed:unknown", seconds=1)
