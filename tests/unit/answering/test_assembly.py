from __future__ import annotations

import pytest

from ragstone.answering.assembly import Parts, assemble
from ragstone.answering.gates import EarlyGate
from ragstone.errors import SettingsError
from ragstone.settings import Settings
from tests.support.fake_embedder import FakeEmbedder
from tests.support.finder import Finder
from tests.support.scripted_chat import ScriptedChat
from tests.unit.answering.runs import FOUND

GATE = EarlyGate(min_confidence=0.0, min_coverage=0.0)


def assembled(**given: object) -> tuple[object, list[str]]:
    made: list[str] = []

    def chat_model(spec: str) -> ScriptedChat:
        made.append(spec)
        return ScriptedChat([], spec=spec)

    settings = Settings.model_validate({"index_url": "lancedb:///index", **given})
    parts = Parts(retriever=Finder(FOUND), gate=GATE, embedder=FakeEmbedder(), chat_model=chat_model)
    return assemble(settings, parts), made


def test_without_models_none_is_made() -> None:
    answering, made = assembled()
    assert made == []
    assert answering.answerer.spec == "extractive"  # pyright: ignore[reportAttributeAccessIssue]
    assert answering.sufficiency is None  # pyright: ignore[reportAttributeAccessIssue]


def test_each_setting_makes_its_stage_and_models_to_choose_wait_until_they_are_chosen() -> None:
    _, made = assembled(
        chat_model="a:big",
        models_allowed=["a:other"],
        reading_model="a:small",
        judge_model="a:judge",
        reasoning_model="a:thinker",
        moderation_model="a:moderator",
    )
    assert sorted(made) == ["a:big", "a:judge", "a:moderator", "a:small", "a:thinker"]


@pytest.mark.parametrize(
    ("written", "patterns"),
    [("salary|wage", ("salary|wage",)), ('["a,b", "c"]', ("a,b", "c"))],
)
def test_blocked_questions_are_one_pattern_or_a_json_list(written: str, patterns: tuple[str, ...]) -> None:
    environment = {"RAGSTONE_INDEX_URL": "lancedb:///index", "RAGSTONE_BLOCKED_QUESTIONS": written}
    assert Settings.from_environment(environment).blocked_questions == patterns


def test_a_pattern_that_is_none_is_named() -> None:
    environment = {"RAGSTONE_INDEX_URL": "lancedb:///index", "RAGSTONE_BLOCKED_QUESTIONS": "(salary"}
    with pytest.raises(SettingsError, match=r"RAGSTONE_BLOCKED_QUESTIONS .*'\(salary' is no regular expression"):
        Settings.from_environment(environment)


def test_a_message_for_no_reason_is_named_with_those_there_are() -> None:
    environment = {"RAGSTONE_INDEX_URL": "lancedb:///index", "RAGSTONE_REFUSAL_MESSAGES": '{"blockd.de": "Nein."}'}
    with pytest.raises(SettingsError, match=r"'blockd.de': write a reason, .* 'blocked'"):
        Settings.from_environment(environment)
