from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from ragstone import composition
from ragstone.answering.calibration import Calibration
from ragstone.answering.confidence import LogisticModel, plain_sum
from ragstone.answering.memory_cache import MemoryAnswerCache
from ragstone.aws.answer_cache import DynamoAnswerCache
from ragstone.budgets import Spending
from ragstone.composition import answering, calibration, callers, ingestion, observers, resources, retrieval
from ragstone.conversations.recording import Recording
from ragstone.embedding import CachedEmbedder
from ragstone.errors import SettingsError
from ragstone.evaluation.benchmark_corpus import AllCurrent
from ragstone.ingestion import CachedParse
from ragstone.models import FallbackChatModel
from ragstone.observability.answers import AnswerLog
from ragstone.observability.spans import AnswerSpans
from ragstone.parsing.isolated import IsolatedParser
from ragstone.parsing.pdf_scans import WithOcr
from ragstone.ports import ChatModel
from ragstone.settings import Settings
from tests.support.fake_registry import FakeRegistry
from tests.support.fake_store import FakeStore


def settings(**given: str) -> Settings:
    return Settings(index_url="lancedb:///index", **given)  # pyright: ignore[reportArgumentType] - all are texts here


def test_without_a_table_ingestion_uses_the_embedder_of_the_process() -> None:
    assert composition.build_ingestion_embedder(settings()) is composition.build_embedder_for(settings())


def test_with_a_table_ingestion_uses_it_behind_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion, "dynamodb", object)
    cached = composition.build_ingestion_embedder(settings(embedding_cache_table="vectors"))
    assert isinstance(cached, CachedEmbedder)
    assert cached.spec == "wordllama"
    assert cached.embed_query("fares") == composition.build_embedder_for(settings()).embed_query("fares")


def test_each_way_to_read_scans_reads_documents_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (resources, ingestion):
        monkeypatch.setattr(module, "client", lambda _: object())
    monkeypatch.setattr(ingestion, "build_registry", lambda _: FakeRegistry())
    found = {ocr: composition.build_ingestion(settings(ocr=ocr)) for ocr in ("none", "textract", "rapidocr")}
    assert len({each.fingerprint for each in found.values()}) == 3
    parses = {ocr: each.parse for ocr, each in found.items() if isinstance(each.parse, CachedParse)}
    assert len({parse.generation for parse in parses.values()}) == 3
    assert isinstance(parses["none"].parse, IsolatedParser)
    for ocr in ("textract", "rapidocr"):
        with_ocr = parses[ocr].parse
        assert isinstance(with_ocr, WithOcr)
        assert with_ocr.ocr.name == ocr


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")


@pytest.mark.usefixtures("keys")
def test_a_chat_model_is_built_once_for_the_same_time_outs() -> None:
    first = composition.build_chat_model_for(settings(), "openai:gpt-6-luna")
    assert composition.build_chat_model_for(settings(), "openai:gpt-6-luna") is first
    assert composition.build_chat_model_for(settings(first_token_seconds="9"), "openai:gpt-6-luna") is not first


@pytest.mark.usefixtures("keys")
def test_a_fallback_stands_behind_every_chat_model_but_itself() -> None:
    given = settings(fallback_model="ollama:llama3.1:8b")
    model = composition.build_chat_model_for(given, "gpt-6-luna")
    assert isinstance(model, FallbackChatModel)
    assert model.spec == "openai:gpt-6-luna"
    assert not isinstance(composition.build_chat_model_for(given, "ollama:llama3.1:8b"), FallbackChatModel)


@pytest.fixture
def no_aws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "dynamodb", Mock)
    for module in (callers, answering):
        monkeypatch.setattr(module, "build_registry", lambda _: FakeRegistry())
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)


@pytest.mark.usefixtures("no_aws")
def test_answers_are_cached_where_the_settings_say() -> None:
    assert composition.build_answer_cache(settings()) is None
    alone = composition.build_answer_cache(settings(answer_cache="exact"))
    shared = composition.build_answer_cache(settings(answer_cache="semantic", conversations_table="conversations"))
    assert alone and shared and shared.likeness
    assert isinstance(alone.entries, MemoryAnswerCache)
    assert isinstance(shared.entries, DynamoAnswerCache)
    assert (alone.likeness, shared.likeness.at_least) == (None, 0.95)
    assert alone.settings != shared.settings


@pytest.mark.usefixtures("no_aws")
def test_answers_are_logged_recorded_and_counted() -> None:
    def kinds(**given: str) -> list[type]:
        return [type(observer) for observer in composition.build_observers(settings(**given))]

    assert kinds() == [AnswerLog]
    assert kinds(conversations_table="conversations") == [AnswerLog, Spending, Recording]


@pytest.mark.usefixtures("no_aws")
def test_traces_are_sent_where_an_endpoint_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    named = composition.build_observers(settings(otlp_endpoint="http://collector:4318"))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318")
    for found in (named, composition.build_observers(settings())):
        assert [type(observer) for observer in found] == [AnswerLog, AnswerSpans]


FITTED = Calibration("wordllama", 0.55, 0.42, 0.2, LogisticModel(-1.0, {"match": 2.0}))


@pytest.fixture
def fitted(tmp_path: Path) -> str:
    path = tmp_path / "calibration.json"
    path.write_bytes(FITTED.to_json())
    return str(path)


def test_a_calibration_sets_weight_gate_and_confidence(fitted: str) -> None:
    gate = composition.build_answering(settings(calibration=fitted), registry=AllCurrent()).gate
    assert (gate.min_confidence, gate.min_coverage) == (0.42, 0.2)
    assert gate.confidence == FITTED.model
    retriever = composition.build_retriever(settings(calibration=fitted), registry=AllCurrent())
    assert "lexical_weight=0.55" in repr(retriever.strategies["hybrid"])


def test_without_a_calibration_confidence_is_the_plain_sum() -> None:
    assert composition.build_answering(settings(), registry=AllCurrent()).gate.confidence is plain_sum


def test_a_calibration_is_read_from_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    store = FakeStore()
    store.put("reports", "calibrations/a.json", FITTED.to_json())
    monkeypatch.setattr(calibration, "build_store", lambda given: store)
    assert composition.build_calibration(settings(calibration="s3://reports/calibrations/a.json")) == FITTED
    with pytest.raises(SettingsError, match="nothing is there"):
        composition.build_calibration(settings(calibration="s3://reports/calibrations/b.json"))


def test_a_calibration_for_another_embedder_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(replace(FITTED, embedder="openai:text-embedding-3-small").to_json())
    with pytest.raises(SettingsError, match="Calibrate again"):
        composition.build_retriever(settings(calibration=str(other)), registry=AllCurrent())


def test_a_retriever_has_what_the_settings_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHERE_API_KEY", "key")
    given = settings(strategy="hierarchical", strategies_allowed="lexical, graph", reranker="cohere:rerank-test")
    retriever = composition.build_retriever(given, registry=AllCurrent())
    assert list(retriever.strategies) == ["hierarchical", "lexical", "graph"]
    assert list(retriever.rerankers) == ["cohere:rerank-test"]


@pytest.mark.usefixtures("keys")
def test_a_chat_model_that_reranks_has_the_settings_time_outs_and_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    built = list[tuple[Settings, str]]()

    def build(given: Settings, spec: str) -> ChatModel:
        built.append((given, spec))
        return composition.build_chat_model_for(given, spec)

    monkeypatch.setattr(retrieval, "build_chat_model_for", build)
    given = settings(reranker="llm:openai:gpt-6-luna", fallback_model="ollama:llama3.1:8b", first_token_seconds="9")
    retriever = composition.build_retriever(given, registry=AllCurrent())
    assert list(retriever.rerankers) == ["llm:openai:gpt-6-luna"]
    assert built == [(given, "openai:gpt-6-luna")]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"strategy": "magic"}, "unknown strategy 'magic'; known are agentic, dense"),
        ({"strategy": "agentic"}, "set RAGSTONE_RETRIEVAL_MODEL"),
        ({"reranker": "magic:x"}, "unknown reranker 'magic'; known are bedrock, cohere"),
    ],
)
def test_a_retriever_that_can_t_be_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        composition.build_retriever(settings(**given), registry=AllCurrent())


def test_models_that_only_retrieval_needs_are_among_the_settings_models() -> None:
    given = settings(
        reranker="llm:anthropic:a", rerankers_allowed="bedrock:amazon.rerank-v1:0", retrieval_model="openai:b"
    )
    assert {"anthropic:a", "bedrock:amazon.rerank-v1:0", "openai:b"} <= set(given.models)


@pytest.mark.usefixtures("no_aws")
def test_an_endpoint_without_opentelemetry_s_packages_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observers, "find_spec", lambda _: None)
    found = composition.build_observers(settings(otlp_endpoint="http://collector:4318"))
    assert [type(observer) for observer in found] == [AnswerLog]
