from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from ragstone.answering import Answering
from ragstone.answering.cache import AnswerCaching, Likeness
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.answering.memory_cache import MemoryAnswerCache
from ragstone.errors import TransientError
from ragstone.types import (
    CachedAnswer,
    DocumentRecord,
    DocumentStatus,
    Evidence,
    Filter,
    FilterOp,
    Query,
    Turn,
    Vector,
)
from tests.support.builders import CHUNK, evidence, passage
from tests.support.fake_registry import FakeRegistry
from tests.support.scripted_chat import ScriptedChat

DOCUMENT = CHUNK.document_id
TRUE = (
    '{"sentence": "The night ferry runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
)
QUESTION = Query("When does the night ferry run?", groups=("crew",))


@dataclass
class Service:
    """Answers in full, over one document whose registry record tests change."""

    settings: str = "one"
    entries: MemoryAnswerCache = field(default_factory=MemoryAnswerCache)
    likeness: Likeness | None = None
    replies: int = 9
    registry: FakeRegistry = field(default_factory=FakeRegistry)
    found: Evidence = field(default_factory=lambda: evidence(passage("The night ferry runs on Tuesdays.", cosine=0.8)))

    def __post_init__(self) -> None:
        self.change(version="v1")
        self.model = ScriptedChat([[TRUE]] * self.replies)

    def change(self, **changes: object) -> None:
        record = DocumentRecord(DOCUMENT, "inbox", "inbox/handbook.pdf", "1", DocumentStatus.INDEXED)
        self.registry.records[DOCUMENT] = replace(record, **changes)  # pyright: ignore[reportArgumentType]

    def retrieve(self, query: Query) -> Evidence:
        return self.found

    @property
    def answering(self) -> Answering:
        caching = AnswerCaching(
            entries=self.entries, registry=self.registry, settings=self.settings, likeness=self.likeness
        )
        gate = EarlyGate(min_confidence=0.3, min_coverage=0.0)
        return Answering(retriever=self, gate=gate, answerer=ChatAnswerer(self.model), cache=caching)

    async def ask(self, query: Query = QUESTION) -> str:
        """What the cache look-up came to."""
        answer = await self.answering.answer(query)
        assert answer.text == "The night ferry runs on Tuesdays."
        assert [citation.quote for citation in answer.citations] == ["night ferry runs on Tuesdays"]
        return answer.telemetry.cache


@pytest.fixture
def service() -> Service:
    return Service()


async def test_the_same_question_is_answered_once(service: Service) -> None:
    assert [await service.ask() for _ in range(3)] == ["miss", "hit", "hit"]
    assert len(service.model.prompts) == 1


async def test_spaces_and_case_make_no_other_question(service: Service) -> None:
    await service.ask()
    assert await service.ask(replace(QUESTION, question="when does the  NIGHT ferry run?")) == "hit"


@pytest.mark.parametrize(
    "other",
    [
        replace(QUESTION, groups=("crew", "captains")),
        replace(QUESTION, groups=()),
        replace(QUESTION, strategy="dense"),
        replace(QUESTION, reranker="llm"),
        replace(QUESTION, top_k=3),
        replace(QUESTION, language="de"),
        replace(QUESTION, question="When does the day ferry run?"),
    ],
)
async def test_whatever_shapes_an_answer_is_in_its_key(service: Service, other: Query) -> None:
    await service.ask()
    assert await service.ask(other) == "miss"


async def test_other_settings_have_answers_of_their_own(service: Service) -> None:
    await service.ask()
    assert await Service(settings="two", entries=service.entries).ask() == "miss"


@pytest.mark.parametrize(
    "change",
    [
        {"version": "v2"},
        {"version": None, "status": DocumentStatus.DELETED},
        {"version": "v1", "acl": ("captains",)},
    ],
)
async def test_a_changed_deleted_or_closed_document_makes_its_answers_stale(
    service: Service, change: dict[str, object]
) -> None:
    assert [await service.ask(), await service.ask()] == ["miss", "hit"]
    service.change(**change)
    assert await service.ask() == "miss"


@pytest.mark.parametrize(
    "other",
    [
        replace(QUESTION, filters=(Filter("source", FilterOp.EQ, "handbook.pdf"),)),
        replace(QUESTION, conversation_id="c"),
    ],
)
async def test_filters_and_conversations_go_without_the_cache(service: Service, other: Query) -> None:
    await service.ask()
    assert [await service.ask(other), await service.ask(other)] == ["skipped", "skipped"]


async def test_a_history_goes_without_the_cache(service: Service) -> None:
    await service.ask()
    service.model.replies.insert(0, ["When does the night ferry run?"])
    asked = replace(QUESTION, history=(Turn("Which ferries are there?", "A night ferry."),))
    assert (await service.answering.answer(asked)).telemetry.cache == "skipped"


async def test_refusals_are_not_kept() -> None:
    service = Service(replies=0)
    service.model.replies.extend([["I don't know."], ["I don't know."]])
    assert [(await service.answering.answer(QUESTION)).refused for _ in range(2)] == [True, True]
    assert len(service.model.prompts) == 2


async def test_an_answer_that_something_was_left_out_of_is_not_kept(service: Service) -> None:
    service.found = replace(service.found, degraded=("the reranker was late",))
    assert [await service.ask(), await service.ask()] == ["miss", "miss"]


class _Broken(MemoryAnswerCache):
    def get(self, key: str) -> CachedAnswer | None:
        raise TransientError("throttled")


class _Full(MemoryAnswerCache):
    def put(self, entry: CachedAnswer) -> None:
        raise TransientError("throttled")


@pytest.mark.parametrize(("entries", "look_up"), [(_Broken(), "failed"), (_Full(), "miss")])
async def test_a_cache_that_fails_degrades_the_answer_only(entries: MemoryAnswerCache, look_up: str) -> None:
    answer = await Service(entries=entries).answering.answer(QUESTION)
    assert answer.text
    assert answer.telemetry.cache == look_up
    assert [said.partition(":")[2] for said in answer.telemetry.degraded] == [" throttled"]


class _OneDirection:
    """Says that all questions are alike."""

    spec, dimensions, lexical_weight = "one", 2, 0.5

    def embed_query(self, text: str) -> Vector:
        return [1.0, 0.0]

    def embed_documents(self, texts: object) -> list[Vector]:
        raise AssertionError("only questions are asked for")


@pytest.fixture
def alike() -> Service:
    return Service(likeness=Likeness(_OneDirection(), at_least=0.9))


async def test_a_question_in_other_words_shares_the_answer(alike: Service) -> None:
    await alike.ask()
    assert await alike.ask(replace(QUESTION, question="When is it that the night ferry runs?")) == "semantic hit"


@pytest.mark.parametrize(
    "other",
    [
        "When does the night ferry 3 run?",
        "When does the night ferry not run?",
        "When does the night ferry to Oslo run?",
    ],
)
async def test_numbers_names_and_denials_have_to_match(alike: Service, other: str) -> None:
    await alike.ask()
    assert await alike.ask(replace(QUESTION, question=other)) == "miss"
