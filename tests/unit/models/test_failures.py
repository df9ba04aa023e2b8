import pytest

from ragstone.errors import PermanentError, TransientError
from ragstone.models import anthropic_failures, bedrock_failures, openai_failures
from ragstone.models.failures import Table, check_end, translated

TABLE: Table = {
    "429": (TransientError, "wait"),
    "no_credit": (PermanentError, "pay"),
    "LookupError": (PermanentError, "look elsewhere"),
    "Exception": (TransientError, "try again"),
}


def test_a_code_goes_before_a_class() -> None:
    error = translated(KeyError("it said"), spec="openai:gpt", table=TABLE, codes=(None, 429))
    assert isinstance(error, TransientError)
    assert str(error) == "openai:gpt: wait ('it said')"


def test_the_first_known_code_decides() -> None:
    assert isinstance(translated(KeyError(), spec="s", table=TABLE, codes=("no_credit", 429)), PermanentError)


def test_the_nearest_known_class_decides() -> None:
    assert "look elsewhere" in str(translated(KeyError(), spec="s", table=TABLE))
    assert "try again" in str(translated(OSError(), spec="s", table=TABLE))


@pytest.mark.parametrize(
    ("table", "caught"),
    [
        (openai_failures.TABLE, ("APIStatusError", "APIError", "OpenAIError", "HTTPError", "ValueError")),
        (anthropic_failures.TABLE, ("APIStatusError", "AnthropicError", "HTTPError", "ValueError")),
        (bedrock_failures.TABLE, ("ClientError", "BotoCoreError", "HTTPError", "ParserError", "ValueError")),
    ],
)
def test_a_table_knows_every_class_that_its_adapter_catches(table: Table, caught: tuple[str, ...]) -> None:
    assert set(caught) <= set(table)


def test_a_page_in_an_error_is_quoted_in_part() -> None:
    assert len(str(translated(OSError("<html>" * 1_000), spec="s", table=TABLE))) < 400


def test_a_stream_that_ended_is_left_alone() -> None:
    check_end("openai:gpt", "stop", blocked={"content_filter"})


def test_a_stream_without_an_end_was_cut() -> None:
    with pytest.raises(TransientError, match="openai:gpt: the reply was cut short"):
        check_end("openai:gpt", None, blocked=())


def test_a_blocked_stream_says_by_what() -> None:
    with pytest.raises(PermanentError, match="content_filter"):
        check_end("openai:gpt", "content_filter", blocked={"content_filter"})
