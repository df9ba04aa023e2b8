from __future__ import annotations

from threading import Event

import pytest

from ragstone.errors import TransientError
from ragstone.retrieval.models import reply_of
from ragstone.types import Prompt, TokenUsage
from tests.support.scripted_chat import ScriptedChat

PROMPT = Prompt("system", "user")


def test_the_whole_reply_and_its_usage_come_back() -> None:
    reply = reply_of(ScriptedChat([["one ", "two"]]), PROMPT, seconds=5)
    assert reply == ("one two", (TokenUsage("scripted", 100, 20),))


def test_a_model_that_takes_too_long_is_left() -> None:
    model = ScriptedChat([["one", Event()]])
    with pytest.raises(TransientError, match=r"scripted took longer than 0\.05 s"):
        reply_of(model, PROMPT, seconds=0.05)
    assert model.closed == 1
