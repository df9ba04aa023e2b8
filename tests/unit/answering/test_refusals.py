from __future__ import annotations

import pytest

from ragstone.answering.refusals import Wording, refuse
from ragstone.types import Query, RefusalReason, RefusalStage
from tests.support.builders import evidence, passage
from tests.unit.answering.runs import answering

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja", "ko")
REFUSAL = refuse(RefusalStage.RETRIEVAL, RefusalReason.LOW_CONFIDENCE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words_of_its_own_in_every_language(language: str) -> None:
    said = {Wording().localised(refuse(RefusalStage.POLICY, reason), language).message for reason in RefusalReason}
    assert len(said) == len(RefusalReason)
    if language != "en":
        assert said.isdisjoint(refuse(RefusalStage.POLICY, reason).message for reason in RefusalReason)


def test_a_language_without_words_gets_english() -> None:
    assert Wording().localised(REFUSAL, "sv").message == REFUSAL.message


@pytest.mark.parametrize(
    ("own", "language", "message"),
    [
        ({"low_confidence": "Ask the desk."}, "de", "Ask the desk."),
        ({"low_confidence": "Ask the desk.", "low_confidence.de": "Fragen Sie am Schalter."}, "de", "Fragen Sie am"),
        ({"low_confidence.de": "Fragen Sie am Schalter."}, "en", "The documents don't seem"),
    ],
)
def test_wording_is_a_setting(own: dict[str, str], language: str, message: str) -> None:
    assert Wording(own).localised(REFUSAL, language).message.startswith(message)


def test_a_refusal_names_the_nearest_documents_once_each_and_never_their_text() -> None:
    found = evidence(*(passage("secret", source=source) for source in ("a", "b", "a", "c", "d")))
    refusal = refuse(RefusalStage.RETRIEVAL, RefusalReason.LOW_CONFIDENCE, found)
    assert refusal.nearest == ("a", "b", "c")
    assert "secret" not in repr(refusal)


@pytest.mark.parametrize(
    ("question", "language", "begin"),
    [
        ("Wann fährt die Fähre?", None, "Eine Antwort war entworfen"),
        ("渡船何时开？", None, "已拟出答案"),
        ("When does it run?", "fr", "Une réponse a été rédigée"),
    ],
)
async def test_a_refusal_speaks_the_question_s_language_or_the_one_asked_for(
    question: str, language: str | None, begin: str
) -> None:
    lie = '{"sentence": "It runs on Fridays.", "passages": [1], "quotes": ["runs on Fridays"]}'
    answer = await answering([[lie]]).answer(Query(question, language=language))
    assert answer.refusal is not None
    assert answer.refusal.message.startswith(begin)
