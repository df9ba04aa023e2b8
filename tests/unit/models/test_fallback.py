import pytest

from ragstone.errors import ModelRefused, PermanentError, RagstoneError, TransientError
from ragstone.models import FallbackChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage
from tests.support.scripted_chat import Part, ScriptedChat

PROMPT = Prompt("system", "user")


def models(*parts: Part) -> tuple[FallbackChatModel, ScriptedChat]:
    """A model that says these parts, and the one that stands in for it."""
    second = ScriptedChat([["second"]], spec="second")
    return FallbackChatModel(first=ScriptedChat([parts], spec="first"), second=second), second


async def test_the_first_model_answers_while_it_can() -> None:
    model, second = models("first")
    items = [item async for item in model.stream(PROMPT)]
    assert items == [TextDelta("first"), TokenUsage("first", 100, 20)]
    assert not second.prompts


@pytest.mark.parametrize("error", [TransientError("down"), PermanentError("unknown model")])
async def test_the_second_answers_the_same_prompt_when_the_first_fails(error: RagstoneError) -> None:
    model, second = models(error)
    items = [item async for item in model.stream(PROMPT)]
    assert items == [TextDelta("second"), TokenUsage("second", 100, 20, stands_in_for="first")]
    assert second.prompts == [PROMPT]


async def test_what_was_said_is_never_said_again_by_another_model() -> None:
    model, second = models("one ", TransientError("down"))
    with pytest.raises(TransientError, match="down"):
        _ = [item async for item in model.stream(PROMPT)]
    assert not second.prompts


async def test_a_refusal_stands() -> None:
    model, second = models(ModelRefused("no"))
    with pytest.raises(ModelRefused):
        _ = [item async for item in model.stream(PROMPT)]
    assert not second.prompts


async def test_the_last_error_is_raised_when_both_fail() -> None:
    failing = ScriptedChat([[TransientError("second is down")]], spec="second")
    model = FallbackChatModel(first=ScriptedChat([[PermanentError("no key")]], spec="first"), second=failing)
    with pytest.raises(TransientError, match="second is down"):
        _ = [item async for item in model.stream(PROMPT)]


async def test_leaving_closes_the_model_that_speaks() -> None:
    model, second = models(TransientError("down"))
    second.piece = 2
    stream = model.stream(PROMPT)
    await anext(stream)
    await stream.aclose()
    assert second.closed == 1


def test_it_goes_by_the_first_model_s_spec() -> None:
    assert models("first")[0].spec == "first"
