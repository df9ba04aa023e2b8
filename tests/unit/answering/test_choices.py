from __future__ import annotations

from dataclasses import replace

import pytest

from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.choices import Choices
from ragstone.errors import InvalidQuery
from tests.support.scripted_chat import ScriptedChat
from tests.unit.answering.runs import QUERY, TRUE, answering

OTHER = ChatAnswerer(ScriptedChat([[TRUE]], spec="other:model"))
CHOICES = Choices(answerers={"other:model": lambda: OTHER}, max_top_k=10)


async def test_a_request_chooses_a_model_that_is_allowed() -> None:
    answer = await answering(choices=CHOICES).answer(replace(QUERY, chat_model="other:model"))
    assert [usage.model for usage in answer.telemetry.usage] == ["other:model"]


@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        (replace(QUERY, chat_model="dear:model"), "unknown_model", "known are scripted, other:model"),
        (replace(QUERY, top_k=11), "top_k_too_large", "allowed is 1 to 10"),
        (replace(QUERY, top_k=0), "top_k_too_large", "allowed is 1 to 10"),
        (replace(QUERY, language="german"), "unknown_language", "a code such as en or de"),
    ],
)
async def test_a_request_can_t_go_beyond_what_is_allowed(changed: object, code: str, words: str) -> None:
    with pytest.raises(InvalidQuery, match=words) as caught:
        await answering(choices=CHOICES).answer(changed)  # pyright: ignore[reportArgumentType]
    assert caught.value.code == code
