"""A chat model that lies in every way it can: nothing is released that its source doesn't hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.answering import Answering
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.events import Finished, Refused, Released
from ragstone.answering.final_gate import FinalGate
from ragstone.answering.gates import EarlyGate
from ragstone.errors import ModelRefused, TransientError
from ragstone.types import Answer, Query, Refusal, RefusalReason, RefusalStage, Sentence
from tests.support.finder import Finder
from tests.support.liar import DECLINED, INSUFFICIENT, LIES, Lie, Reply, World, lie, tell_truth
from tests.support.scripted_chat import Part, ScriptedChat

ANSWERS = 25 * settings().max_examples  # ten thousand in a thorough run
WORLDS = 50
QUERY = Query("Who steers the ferry to the pier, when, and what does a crossing cost?")
TYPED = {
    (RefusalStage.GROUNDING, RefusalReason.UNCITED),
    (RefusalStage.GROUNDING, RefusalReason.UNSUPPORTED),
    (RefusalStage.GROUNDING, RefusalReason.INSUFFICIENT_EVIDENCE),
    (RefusalStage.POLICY, RefusalReason.BLOCKED),
}


async def answered(
    world: World, parts: list[Part], *, min_verified_share: float = 0.5
) -> tuple[list[Sentence], list[Refusal], Answer | None]:
    """What was released and refused on the way, and the result, None if the model broke off."""
    answering = Answering(
        retriever=Finder(world.found),
        gate=EarlyGate(min_confidence=0.0, min_coverage=0.0),
        answerer=ChatAnswerer(ScriptedChat([parts], piece=200)),
        final_gate=FinalGate(min_verified_share),
    )
    released, refused, answer = list[Sentence](), list[Refusal](), None
    try:
        async with aclosing(answering.stream(QUERY)) as events:
            async for event in events:
                match event:
                    case Released(sentence):
                        released.append(sentence)
                    case Refused(refusal):
                        refused.append(refusal)
                    case Finished(result):
                        answer = result
                    case _:
                        pass
    except TransientError:
        assert any(isinstance(part, TransientError) for part in parts)
    return released, refused, answer


def check(world: World, reply: Reply, released: list[Sentence], refused: list[Refusal], answer: Answer | None) -> None:
    for sentence in released:
        held = reply.truths.get(sentence.text)
        assert held, f"released a lie: {sentence.text!r} of {reply.lines}"
        assert sentence.citations
        assert all(any(citation.quote in text for text in held) for citation in sentence.citations)
        for citation in sentence.citations:
            [chunk] = [p.chunk for p in world.found.passages if p.chunk.chunk_id == citation.chunk_id]
            assert chunk.text[citation.start - chunk.char_from : citation.end - chunk.char_from] == citation.quote
    numbers = [citation.number for sentence in released for citation in sentence.citations]
    assert list(dict.fromkeys(numbers)) == list(range(1, len(set(numbers)) + 1))
    if answer is None:
        return
    assert answer.refused == bool(refused) == (not answer.sentences)
    if answer.refusal:
        assert (answer.refusal.stage, answer.refusal.reason) in TYPED
        assert answer.refusal.message
        assert answer.citations == ()
    else:
        assert list(answer.sentences) == released


def drawn(random: Random, world: World) -> Reply:
    reply = Reply()
    for _ in range(random.randint(1, 4)):
        (tell_truth if random.random() < 0.3 else lie)(random, world, reply)
    if random.random() < 0.1:
        reply.lines.insert(random.randint(0, len(reply.lines)), random.choice((*INSUFFICIENT, *DECLINED)))
    return reply


def streamed(random: Random, reply: Reply) -> list[Part]:
    """The reply whole, in a fence, cut anywhere, or broken off by an error."""
    text = "\n".join(reply.lines)
    match random.randrange(8):
        case 0:
            return [f"```json\n{text}\n```"]
        case 1:
            return [text[: random.randint(0, len(text))]]
        case 2:
            return [text[: random.randint(0, len(text))], TransientError("the connection broke")]
        case 3:
            return [text, ModelRefused("filtered")]
        case _:
            return [text]


def worlds() -> Iterator[tuple[Random, World]]:
    made = [World.make(Random(seed)) for seed in range(WORLDS)]
    for seed in range(ANSWERS):
        yield Random(seed), made[seed * WORLDS // ANSWERS]


async def test_of_many_answers_no_unverified_sentence_is_released_and_each_refusal_is_typed() -> None:
    lies, truths, withheld, kinds = 0, 0, 0, set[Lie]()
    for random, world in worlds():
        reply = drawn(random, world)
        released, refused, answer = await answered(world, streamed(random, reply))
        check(world, reply, released, refused, answer)
        lies += reply.lies
        truths += len(released)
        withheld += len(refused)
        kinds |= reply.kinds
    assert lies > ANSWERS
    assert truths > ANSWERS / 4
    assert withheld > ANSWERS / 4
    assert kinds == set(LIES)


async def test_what_is_true_is_released() -> None:
    for seed in range(200):
        random = Random(seed)
        world, reply = World.make(random), Reply()
        for _ in range(3):
            tell_truth(random, world, reply)
        released, refused, _ = await answered(world, ["\n".join(reply.lines)])
        assert {sentence.text for sentence in released} == set(reply.truths)
        assert refused == []


@pytest.mark.parametrize(
    ("prose", "stage", "reason"),
    [
        *((prose, RefusalStage.GROUNDING, RefusalReason.INSUFFICIENT_EVIDENCE) for prose in INSUFFICIENT),
        *((prose, RefusalStage.POLICY, RefusalReason.BLOCKED) for prose in DECLINED),
    ],
)
async def test_a_refusal_in_prose_becomes_a_typed_one(prose: str, stage: RefusalStage, reason: RefusalReason) -> None:
    released, [refusal], answer = await answered(World.make(Random(0)), [prose])
    assert (released, refusal.stage, refusal.reason) == ([], stage, reason)
    assert answer is not None
    assert prose not in answer.text


async def test_a_true_sentence_among_too_many_lies_is_withdrawn() -> None:
    random = Random(1)
    world, reply = World.make(random), Reply()
    tell_truth(random, world, reply)
    while reply.lies < 4:
        lie(random, world, reply)
    released, [refusal], answer = await answered(world, ["\n".join(reply.lines)])
    assert len(released) == 1
    assert (refusal.stage, refusal.reason) == (RefusalStage.GROUNDING, RefusalReason.UNSUPPORTED)
    assert answer is not None
    assert (answer.sentences, answer.text, answer.citations) == ((), "", ())


@given(st.text(max_size=200), st.lists(st.integers(-2, 5), max_size=3), st.lists(st.text(max_size=60), max_size=3))
async def test_whatever_is_made_up_is_not_released(sentence: str, passages: list[int], quotes: list[str]) -> None:
    world, reply = World.make(Random(2)), Reply()
    reply.claim(sentence, passages, quotes)
    check(world, reply, *await answered(world, ["\n".join(reply.lines)]))
