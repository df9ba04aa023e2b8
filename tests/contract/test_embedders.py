"""Every embedder keeps the port's promises; those behind an API also survive what an API does."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from openai import OpenAI

from ragstone.embedding import CachedEmbedder, build_embedder
from ragstone.embedding.openai import OpenAIEmbedder
from ragstone.embedding.patience import Patience
from ragstone.errors import PermanentError, TransientError
from ragstone.models.compatible import SERVERS
from ragstone.ports import Embedder
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_vector_cache import FakeVectorCache
from tests.support.local_packages import local_packages
from tests.support.provider_dialects import Failure, Raw, unit_vector_of, vector_of
from tests.support.provider_server import ProviderServer

TITAN = "bedrock:amazon.titan-embed-text-v2:0"
COHERE = "bedrock:cohere.embed-multilingual-v3"
COMPATIBLE = (
    "azure:our-deployment",
    "compatible:embedding-test",
    "gemini:embedding-test",
    "glm:embedding-test",
    "lmstudio:embedding-test",
    "ollama:embedding-test:latest",
    "openai:text-embedding-test",
    "openrouter:openai/text-embedding-test",
    "voyage:voyage-test",
)
REMOTE = (*COMPATIBLE, TITAN, COHERE, "bedrock:eu.cohere.embed-v4:0")
LOCAL = ("wordllama", "fastembed:some/model", "sentence-transformers:some/model")
SCRIPTS = ("Night fares", "Nachttarife über München", "深夜运费", "🚇🚋🚌", "e\u0301 and \u00e9", "torn \ud83d half")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    with ProviderServer() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        for compatible in SERVERS.values():
            monkeypatch.setenv(compatible.url_variable, f"{server.url}{compatible.path or '/v1'}")
            monkeypatch.setenv(compatible.key_variable, "key")
        yield server


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with local_packages(tmp_path, monkeypatch):
        yield


@pytest.fixture(params=["fake", "cached", *LOCAL, *REMOTE])
def embedder(request: pytest.FixtureRequest, server: ProviderServer, packages: None) -> Embedder:
    match request.param:
        case "fake":
            return FakeEmbedder()
        case "cached":
            return CachedEmbedder(FakeEmbedder(), FakeVectorCache())
        case spec:
            return build_embedder(spec)


@pytest.fixture(params=REMOTE)
def remote(request: pytest.FixtureRequest, server: ProviderServer) -> Embedder:
    return build_embedder(request.param)


def test_the_weight_of_words_is_a_share(embedder: Embedder) -> None:
    assert 0 <= embedder.lexical_weight <= 1


def test_vectors_have_the_announced_dimensions_and_unit_length(embedder: Embedder) -> None:
    vectors = [*embedder.embed_documents(SCRIPTS), embedder.embed_query("When do night fares begin?")]
    assert {len(vector) for vector in vectors} == {embedder.dimensions}
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1] * len(vectors))


def test_vectors_come_in_the_order_of_the_texts_across_batches(embedder: Embedder) -> None:
    texts = [f"Line {number} runs every {number % 60} minutes." for number in range(600)]
    alone = [embedder.embed_documents([texts[position]])[0] for position in (0, 31, 32, 255, 256, 599)]
    together = embedder.embed_documents(texts)
    assert len(together) == 600
    for position, vector in zip((0, 31, 32, 255, 256, 599), alone, strict=True):
        assert together[position] == pytest.approx(vector, abs=1e-6)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_documents([]) == []


@pytest.mark.parametrize("blank", ["", "   ", "\n\t"])
def test_a_blank_text_gets_a_unit_vector_and_leaves_the_others_as_they_are(embedder: Embedder, blank: str) -> None:
    first, odd, last = embedder.embed_documents(["Night fares begin at ten.", blank, "Dogs ride free."])
    assert [first, last] == embedder.embed_documents(["Night fares begin at ten.", "Dogs ride free."])
    assert math.hypot(*odd) == pytest.approx(1)


def test_a_long_text_gets_one_vector(embedder: Embedder) -> None:
    long = "深夜运费 Night fares begin at ten. " * 2_000
    [vector] = embedder.embed_documents([long])
    assert len(vector) == embedder.dimensions
    assert math.hypot(*vector) == pytest.approx(1)


# --- behind an API -----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [*LOCAL, *REMOTE])
def test_an_embedder_goes_by_the_spec_that_built_it(server: ProviderServer, packages: None, spec: str) -> None:
    assert build_embedder(spec).spec == spec


@pytest.mark.parametrize("spec", COMPATIBLE)
def test_a_vector_is_the_provider_s_at_unit_length(server: ProviderServer, spec: str) -> None:
    embedder = build_embedder(spec)
    assert embedder.embed_query("fares") == pytest.approx(unit_vector_of("fares"))


@pytest.mark.parametrize("spec", COMPATIBLE)
def test_a_compatible_server_is_asked_with_its_key_for_the_model_in_its_own_encoding(
    server: ProviderServer, spec: str
) -> None:
    build_embedder(spec).embed_documents(["fares"])
    [request] = server.requests
    assert request.path == ("/openai/v1/embeddings" if spec.startswith("azure") else "/v1/embeddings")
    assert request.headers["authorization"] == "Bearer key"
    assert request.body["model"] == spec.partition(":")[2]
    assert "encoding_format" not in request.body


@pytest.mark.parametrize(
    ("spec", "sizes"),
    [
        ("azure:our-deployment", [256, 256, 88]),
        ("gemini:embedding-test", [100] * 6),
        ("ollama:embedding-test", [32] * 18 + [24]),
        ("openai:text-embedding-3-small", [256, 256, 88]),
        ("voyage:voyage-4", [133] * 4 + [68]),
    ],
)
def test_a_compatible_server_gets_batches_within_its_limits(
    server: ProviderServer, spec: str, sizes: list[int]
) -> None:
    build_embedder(spec).embed_documents(["x" * 900] * 600)
    assert [len(request.body["input"]) for request in server.requests] == sizes


@pytest.mark.parametrize(
    ("spec", "document", "query"),
    [
        ("openai:text-embedding-test", None, None),
        ("gemini:embedding-test", None, None),
        ("openrouter:openai/text-embedding-test", "search_document", "search_query"),
        ("voyage:voyage-4", "document", "query"),
    ],
)
def test_a_provider_is_told_what_texts_are_for_in_its_own_words(
    server: ProviderServer, spec: str, document: str | None, query: str | None
) -> None:
    embedder = build_embedder(spec)
    embedder.embed_documents(["fares"])
    embedder.embed_query("fares")
    assert [request.body.get("input_type") for request in server.requests] == [document, query]


def test_a_model_gets_the_words_that_it_was_trained_with_before_each_piece(server: ProviderServer) -> None:
    embedder = build_embedder("gemini:gemini-embedding-2")
    embedder.embed_documents(["a" * 6_000 + "b"])
    embedder.embed_query("When?")
    pieces, question = (request.body["input"] for request in server.requests)
    assert pieces == ["title: none | text: " + "a" * 6_000, "title: none | text: b"]
    assert question == ["task: search result | query: When?"]


def test_gemini_may_leave_out_the_index_of_the_first_vector(server: ProviderServer) -> None:
    server.enqueue(Raw(json.dumps({"data": [{"embedding": [3.0, 4.0]}, {"embedding": [0.0, 2.0], "index": 1}]})))
    embedder = build_embedder("gemini:gemini-embedding-2")
    assert embedder.embed_documents(["one", "two"]) == [[0.6, 0.8], [0.0, 1.0]]


@pytest.mark.parametrize("vector", ["[0.0, 0.0, 0.0, 0.0]", "[NaN, 1.0, 0.0, 0.0]", "[Infinity, 1.0, 0.0, 0.0]"])
@pytest.mark.parametrize("spec", COMPATIBLE)
def test_a_vector_without_direction_never_leaves_the_embedder(server: ProviderServer, spec: str, vector: str) -> None:
    server.enqueue(Raw(f'{{"data": [{{"index": 0, "embedding": {vector}}}]}}'))
    assert build_embedder(spec).embed_documents(["fares"]) == [[-0.5, 0.5, -0.5, 0.5]]


def test_well_known_models_need_no_request_to_tell_their_dimensions(server: ProviderServer) -> None:
    assert build_embedder("openai:text-embedding-3-large").dimensions == 3_072
    assert build_embedder("voyage:voyage-4").dimensions == 1_024
    assert server.requests == []


def test_an_unknown_model_s_dimensions_are_measured_once(server: ProviderServer) -> None:
    embedder = build_embedder("openai:bge-m3")
    assert (embedder.dimensions, embedder.dimensions) == (8, 8)
    assert len(server.requests) == 1


def test_titan_gets_one_text_a_call(server: ProviderServer) -> None:
    build_embedder(TITAN).embed_documents(["one", "two", "three"])
    assert sorted(request.body["inputText"] for request in server.requests) == ["one", "three", "two"]
    assert all(request.body["dimensions"] == 1_024 and request.body["normalize"] for request in server.requests)


def test_cohere_gets_96_texts_a_call_and_is_told_what_they_are_for(server: ProviderServer) -> None:
    embedder = build_embedder(COHERE)
    embedder.embed_documents([f"text {number}" for number in range(100)])
    embedder.embed_query("a question")
    asked = [(len(request.body["texts"]), request.body["input_type"]) for request in server.requests]
    assert sorted(asked) == [(1, "search_query"), (4, "search_document"), (96, "search_document")]


def test_blank_texts_are_never_sent(remote: Embedder, server: ProviderServer) -> None:
    _ = remote.dimensions
    server.requests.clear()
    assert len(remote.embed_documents(["", "  "])) == 2
    assert server.requests == []


def test_a_long_text_is_embedded_in_pieces_and_averaged(server: ProviderServer) -> None:
    text = "a" * 8_000 + "b" * 2_000
    [vector] = build_embedder("openai:text-embedding-test").embed_documents([text])
    one, other = unit_vector_of("a" * 8_000), unit_vector_of("b" * 2_000)
    mean = [0.8 * a + 0.2 * b for a, b in zip(one, other, strict=True)]
    assert vector == pytest.approx([value / math.hypot(*mean) for value in mean])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_retried(remote: Embedder, server: ProviderServer, status: int) -> None:
    server.enqueue(Failure(status, retry_after=0.01))
    expected = vector_of("fares", remote.dimensions)
    assert remote.embed_query("fares") == pytest.approx([value / math.hypot(*expected) for value in expected])
    assert len(server.requests) >= 2


def test_openai_s_retry_after_is_waited_for(server: ProviderServer) -> None:
    embedder = build_embedder("openai:text-embedding-3-small")
    server.enqueue(Failure(429, retry_after=0.3))
    started = monotonic()
    embedder.embed_query("fares")
    assert 0.3 <= monotonic() - started < 3


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("provider", sorted(SERVERS))
def test_documents_outlast_a_quota_that_the_sdk_s_own_retries_do_not(
    server: ProviderServer, provider: str, status: int
) -> None:
    pauses: list[float] = []
    server.enqueue(*[Failure(status, retry_after=0.01)] * 7)
    with OpenAI(max_retries=2) as client:
        embedder = OpenAIEmbedder(
            client, provider=provider, model="embedding-test", patience=Patience(sleep=pauses.append)
        )
        assert len(embedder.embed_documents(["fares"])) == 1
    assert len(pauses) == 2  # one after every three attempts of the SDK
    assert len(server.requests) == 8


def test_a_quota_that_lasts_ends_in_a_transient_error(server: ProviderServer) -> None:
    server.enqueue(*[Failure(429, retry_after=0.01)] * 3)
    embedder = build_embedder("openai:text-embedding-3-small")
    with pytest.raises(TransientError, match="limits the rate"):
        embedder.embed_query("fares")


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_lasting_failure_is_raised_at_once(remote: Embedder, server: ProviderServer, status: int) -> None:
    _ = remote.dimensions
    server.requests.clear()
    server.enqueue(Failure(status))
    with pytest.raises(PermanentError, match=remote.spec):
        remote.embed_query("fares")
    assert len(server.requests) == 1


@pytest.mark.parametrize("provider", sorted(SERVERS))
def test_a_refused_key_is_answered_with_the_name_of_its_variable(server: ProviderServer, provider: str) -> None:
    server.enqueue(Failure(401))
    with pytest.raises(PermanentError, match=f"refuses the key; check {SERVERS[provider].key_variable}"):
        build_embedder(f"{provider}:embedding-test").embed_query("fares")


def test_an_account_without_credit_is_not_waited_for(server: ProviderServer) -> None:
    server.enqueue(*[Failure(429, retry_after=0.01, code="insufficient_quota")] * 3)
    with pytest.raises(PermanentError, match="no credit"):
        build_embedder("openai:text-embedding-3-small").embed_documents(["fares"])


@pytest.mark.parametrize("body", ["{", "<html>", "{}", "null", '{"data": [], "embeddings": {"float": []}}'])
def test_a_reply_without_embeddings_is_a_transient_error(remote: Embedder, server: ProviderServer, body: str) -> None:
    _ = remote.dimensions
    server.enqueue(Raw(body))
    with pytest.raises(TransientError):
        remote.embed_query("fares")


def test_one_bad_text_among_many_stops_titan_s_other_calls(server: ProviderServer) -> None:
    server.enqueue(*[Failure(401)] * 300)
    with pytest.raises(PermanentError):
        build_embedder(TITAN).embed_documents([f"text {number}" for number in range(300)])
    assert len(server.requests) < 300


def test_a_server_that_is_not_there_is_a_transient_error(
    server: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OLLAMA_BASE_URL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    for spec, advice in (("ollama:bge-m3", "check OLLAMA_BASE_URL"), (TITAN, "try again")):
        with pytest.raises(TransientError, match=f"{spec}: .*{advice}"):
            build_embedder(spec).embed_query("fares")
