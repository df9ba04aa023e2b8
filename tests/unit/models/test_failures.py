from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ragstone.errors import PermanentError, TransientError
from ragstone.models import anthropic_failures, bedrock_failures, openai_failures
from ragstone.models.failures import Table, retry_after, translated

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


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "9", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, 0),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 -0000"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_a_wish_to_wait_is_read_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_to_wait_for_is_turned_into_seconds() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert retry_after({"retry-after": soon}) == pytest.approx(90, abs=3)


def test_a_transient_error_carries_the_wish_to_wait() -> None:
    error = translated(KeyError(), spec="s", table=TABLE, codes=(429,), headers={"retry-after": "7"})
    assert isinstance(error, TransientError)
    assert error.retry_after == 7
