"""The samples' questions on each real index: parsed, chunked, embedded, found, quoted or refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from ragstone import parsing
from ragstone.answering import Answering
from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.cli.inbox import files_under
from ragstone.cli.local import script
from ragstone.cli.local.places import SAMPLES
from ragstone.composition import build_chunking
from ragstone.embedding import build_embedder
from ragstone.index import build_index, build_reader
from ragstone.ingestion import Ingestion
from ragstone.ports import ChunkIndex, ChunkReader
from ragstone.reranking import build_reranker
from ragstone.retrieval import Candidates, Tools, staged_retriever
from ragstone.settings import Settings
from ragstone.types import ChangeKind, DocumentStatus, Filter, FilterOp, ObjectChange, ObjectRef, Query
from tests.support.fake_registry import FakeRegistry
from tests.support.fake_store import FakeStore, etag_of
from tests.support.parsing import parse

SCRIPT = script.read(SAMPLES / "demo.toml")
EMBEDDER = build_embedder("wordllama")


class Service:
    """Ingestion and answering over one index, composed as the functions compose them."""

    def __init__(self, index: ChunkIndex, reader: ChunkReader) -> None:
        settings = Settings(index_url="-")
        self.index = index
        self.store, self.registry, self.clock = FakeStore(), FakeRegistry(), 0
        self.ingestion = Ingestion(
            store=self.store,
            registry=self.registry,
            index=index,
            embedder=EMBEDDER,
            chunking=build_chunking(settings),
            parse=parse,
        )
        self.answering = Answering(
            retriever=staged_retriever(settings, self._tools(settings, reader), build_reranker),
            gate=EarlyGate(min_confidence=settings.min_confidence, min_coverage=settings.min_coverage),
            answerer=ExtractiveAnswerer(EMBEDDER),
        )

    def _tools(self, settings: Settings, reader: ChunkReader) -> Tools:
        depth = settings.candidate_depth
        candidates = Candidates(embedder=EMBEDDER, index=self.index, registry=self.registry, depth=depth)
        weight = EMBEDDER.lexical_weight
        return Tools(candidates=candidates, reader=reader, model=lambda: None, lexical_weight=weight)

    def put(self, path: Path, source: str) -> None:
        content = path.read_bytes()
        self.store.put("bucket", f"inbox/{source}", content)
        self._apply(ChangeKind.CREATED, source, etag_of(content))

    def delete(self, source: str) -> None:
        del self.store.objects[ObjectRef("bucket", f"inbox/{source}")]
        self._apply(ChangeKind.DELETED, source)

    def _apply(self, kind: ChangeKind, source: str, etag: str = "") -> None:
        self.clock += 1
        change = ObjectChange(kind, ObjectRef("bucket", f"inbox/{source}"), f"{self.clock:04X}", etag)
        assert self.ingestion.apply(change) is not None


@pytest.fixture(scope="module", params=["embedded", pytest.param("opensearch", marks=pytest.mark.opensearch)])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    name = f"samples-{uuid4().hex[:8]}"
    if request.param == "embedded":
        settings = Settings(index_url=f"lancedb://{tmp_path_factory.mktemp('index')}", index_name=name)
    else:
        url: str = request.getfixturevalue("opensearch_url")
        settings = Settings(index_url=url, index_name=name, index_profile="lucene")
    index = build_index(settings, EMBEDDER)
    made = Service(index, build_reader(settings))
    for path, source in files_under(SAMPLES / SCRIPT.documents):
        made.put(path, source)
    yield made
    index.drop()


def test_statuses_are_as_expected(service: Service) -> None:
    found = {record.source: (record.status.value, record.reason) for record in service.registry.records.values()}
    assert found == {source: (expected.status, expected.reason) for source, expected in SCRIPT.statuses.items()}
    assert service.index.count() == sum(record.chunks for record in service.registry.records.values())


@pytest.mark.parametrize("case", SCRIPT.answered, ids=lambda case: case.name)
async def test_questions_are_answered_from_the_right_place(service: Service, case: script.Answered) -> None:
    answer = await service.answering.answer(Query(case.question))
    assert all(words in answer.text for words in case.contains), answer.text
    assert (case.document, case.page) in [(citation.document, citation.page) for citation in answer.citations]


@pytest.mark.parametrize("strategy", ["lexical", "hierarchical", "neighbours", "graph"])
async def test_every_strategy_cites_the_document_s_own_words(service: Service, strategy: str) -> None:
    answered = 0
    for case in SCRIPT.answered:
        answer = await service.answering.answer(Query(case.question, strategy=strategy))
        answered += case.document in {citation.document for citation in answer.citations}
        for citation in answer.citations:
            content = (SAMPLES / SCRIPT.documents / citation.document).read_bytes()
            document = parsing.parse(content, source=citation.document)
            assert document.text[citation.start : citation.end] == citation.quote
    assert answered >= len(SCRIPT.answered) - 1


@pytest.mark.parametrize("case", SCRIPT.refused, ids=lambda case: case.name)
async def test_what_is_written_nowhere_is_refused(service: Service, case: script.Refused) -> None:
    answer = await service.answering.answer(Query(case.question))
    assert answer.refused, answer.text


async def test_citations_are_the_document_s_own_words(service: Service) -> None:
    for case in SCRIPT.answered:
        for citation in (await service.answering.answer(Query(case.question))).citations:
            content = (SAMPLES / SCRIPT.documents / citation.document).read_bytes()
            document = parsing.parse(content, source=citation.document)
            assert document.text[citation.start : citation.end] == citation.quote


async def test_a_filter_keeps_other_documents_out(service: Service) -> None:
    case = SCRIPT.answered[0]
    elsewhere = Filter("source", FilterOp.NE, case.document)
    answer = await service.answering.answer(Query(case.question, filters=(elsewhere,)))
    assert case.document not in {passage.chunk.source for passage in answer.passages}


async def test_overwriting_and_deleting_change_the_answers(service: Service) -> None:
    update, delete = SCRIPT.update, SCRIPT.delete
    assert update.before in (await service.answering.answer(Query(update.question))).text
    assert delete.before in (await service.answering.answer(Query(delete.question))).text
    service.put(SAMPLES / update.replacement, update.document)
    service.delete(delete.document)
    assert update.after in (await service.answering.answer(Query(update.question))).text
    assert (await service.answering.answer(Query(delete.question))).refused
    assert service.index.count(ObjectRef("bucket", f"inbox/{delete.document}").document_id) == 0


def test_a_deleted_record_hides_chunks_that_the_index_still_has(service: Service) -> None:
    case = SCRIPT.answered[0]
    document_id = ObjectRef("bucket", f"inbox/{case.document}").document_id
    record = service.registry.records.pop(document_id)
    retriever = service.answering.retriever
    try:
        found = retriever.retrieve(Query(case.question))
        assert service.index.count(document_id) == record.chunks
        assert case.document not in {passage.chunk.source for passage in found.pool}
        assert record.status is DocumentStatus.INDEXED
    finally:
        service.registry.records[document_id] = record
