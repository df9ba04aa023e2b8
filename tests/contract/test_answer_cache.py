"""What every answer cache keeps to: the one in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from ragstone.answering.memory_cache import MemoryAnswerCache
from ragstone.aws.answer_cache import DynamoAnswerCache
from ragstone.aws.owner_items import OwnerItems
from ragstone.ports import AnswerCache
from ragstone.types import Answer, CachedAnswer, Citation, Passage, Sentence, Telemetry, TokenUsage, Vector
from tests.support.builders import passage
from tests.support.fixtures_ministack import Account
from tests.support.tables import CONVERSATIONS_TABLE, create_conversations_table

Make = Callable[..., AnswerCache]

CITATION = Citation(1, "handbook.pdf", "on Tuesdays", 22, 33, "doc-v1-000000", page=3)
ANSWER = Answer(
    sentences=(Sentence("The night ferry runs on Tuesdays.", (CITATION,)),),
    refusal=None,
    confidence=0.75,
    passages=(passage("The night ferry runs on Tuesdays.", metadata={"year": 2026}, acl=("staff",)),),
    telemetry=Telemetry(usage=(TokenUsage("openai:gpt-6-luna", 100, 20),), cost_usd=0.001, gates={"confidence": 0.75}),
)


def entry(key: str = "k", *, scope: str = "s", vector: Vector = (), answer: Answer = ANSWER) -> CachedAnswer:
    return CachedAnswer(key, scope, f"When does {key} run?", vector, answer, {"doc": "v1"})


@pytest.fixture(params=["memory", "dynamodb"])
def make(request: pytest.FixtureRequest) -> Make:
    if request.param == "memory":
        return lambda *, seconds=60: MemoryAnswerCache(seconds=seconds)
    account: Account = request.getfixturevalue("account")
    create_conversations_table(account)
    items = OwnerItems(account.resource("dynamodb"), table=CONVERSATIONS_TABLE, ttl_days=1)
    return lambda *, seconds=60: DynamoAnswerCache(items, seconds=seconds)


@pytest.fixture
def answers(make: Make) -> AnswerCache:
    return make()


def test_an_answer_comes_back_whole(answers: AnswerCache) -> None:
    answers.put(entry())
    assert answers.get("k") == entry()


def test_what_was_not_kept_is_not_there(answers: AnswerCache) -> None:
    answers.put(entry())
    assert answers.get("another") is None


def test_the_last_answer_to_a_question_holds(answers: AnswerCache) -> None:
    answers.put(entry())
    answers.put(entry(answer=replace(ANSWER, confidence=0.5)))
    found = answers.get("k")
    assert found is not None
    assert found.answer.confidence == 0.5


def test_a_removed_answer_is_gone_by_key_and_by_nearness(answers: AnswerCache) -> None:
    answers.put(entry(vector=[1.0, 0.0]))
    answers.remove("k")
    answers.remove("never kept")
    assert answers.get("k") is None
    assert answers.nearest("s", [1.0, 0.0], at_least=0.9) is None


def test_an_answer_is_gone_once_its_time_is_over(make: Make) -> None:
    answers = make(seconds=-1)
    answers.put(entry(vector=[1.0, 0.0]))
    assert answers.get("k") is None
    assert answers.nearest("s", [1.0, 0.0], at_least=0.9) is None


def test_the_nearest_question_of_the_scope_is_found(answers: AnswerCache) -> None:
    answers.put(entry("near", vector=[0.8, 0.6]))
    answers.put(entry("nearer", vector=[0.96, 0.28]))
    answers.put(entry("elsewhere", scope="t", vector=[1.0, 0.0]))
    answers.put(entry("without"))
    found = answers.nearest("s", [1.0, 0.0], at_least=0.9)
    assert found is not None
    assert found.key == "nearer"
    assert answers.nearest("s", [1.0, 0.0], at_least=0.97) is None


def test_the_second_nearest_stands_in_for_a_removed_one(answers: AnswerCache) -> None:
    answers.put(entry("near", vector=[0.8, 0.6]))
    answers.put(entry("nearer", vector=[0.96, 0.28]))
    answers.remove("nearer")
    found = answers.nearest("s", [1.0, 0.0], at_least=0.7)
    assert found is not None
    assert found.key == "near"


def test_an_answer_with_long_passages_is_kept(answers: AnswerCache) -> None:
    long = replace(ANSWER, passages=tuple(_passages(20, words=20)))
    answers.put(entry(answer=long))
    assert answers.get("k") == entry(answer=long)


def test_an_answer_too_large_for_an_item_is_not_kept_and_no_error(account: Account) -> None:
    create_conversations_table(account)
    items = OwnerItems(account.resource("dynamodb"), table=CONVERSATIONS_TABLE, ttl_days=1)
    answers = DynamoAnswerCache(items, seconds=60)
    answers.put(entry(vector=[1.0, 0.0], answer=replace(ANSWER, passages=tuple(_passages(50, words=3_000)))))
    assert answers.get("k") is None
    assert answers.nearest("s", [1.0, 0.0], at_least=0.5) is None


def test_an_answer_that_another_release_kept_is_no_answer(account: Account) -> None:
    create_conversations_table(account)
    items = OwnerItems(account.resource("dynamodb"), table=CONVERSATIONS_TABLE, ttl_days=1)
    items.put("answer#k", "answer#", {"body": zlib.compress(b'{"key": "k", "words": []}')})
    assert DynamoAnswerCache(items, seconds=60).get("k") is None


def _passages(count: int, *, words: int) -> list[Passage]:
    """Of words that no compression makes much shorter."""
    random = Random(1)
    texts = (" ".join(f"{random.getrandbits(64):x}" for _ in range(words)) for _ in range(count))
    return [passage(text, ordinal=n) for n, text in enumerate(texts)]
