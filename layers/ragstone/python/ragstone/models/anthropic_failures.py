"""What the Anthropic SDK raises."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from json import JSONDecodeError

from ragstone.errors import PermanentError, TransientError
from ragstone.models.failures import Table, translated

# The API's own error types come first: an error inside a stream has the stream's status, 200.
TABLE: Table = {
    "rate_limit_error": (TransientError, "Anthropic limits the rate; try again in a minute"),
    "overloaded_error": (TransientError, "Anthropic is overloaded; try again"),
    "timeout_error": (TransientError, "Anthropic took too long; try again"),
    "api_error": (TransientError, "Anthropic failed; try again"),
    "conflict_error": (TransientError, "Anthropic is busy; try again"),
    "authentication_error": (PermanentError, "Anthropic refuses the key; check ANTHROPIC_API_KEY"),
    "billing_error": (PermanentError, "the account can't be billed"),
    "permission_error": (PermanentError, "the key in ANTHROPIC_API_KEY may not use this model"),
    "not_found_error": (PermanentError, "unknown model; check its name"),
    "408": (TransientError, "Anthropic took too long; try again"),
    "409": (TransientError, "Anthropic is busy; try again"),
    "429": (TransientError, "Anthropic limits the rate; try again in a minute"),
    "InternalServerError": (TransientError, "Anthropic failed; try again"),
    "APIConnectionError": (TransientError, "Anthropic can't be reached; check the network"),
    "APIStatusError": (PermanentError, "Anthropic refuses the request"),
    "APIError": (TransientError, "Anthropic's reply can't be read; try again"),
    "AnthropicError": (PermanentError, "the Anthropic client can't be used as it is set up"),
    "HTTPError": (TransientError, "the connection to Anthropic broke; try again"),
    "ValueError": (TransientError, "Anthropic's reply can't be read; try again"),
}


@contextmanager
def anthropic_failures(spec: str) -> Generator[None]:
    """Raise the SDK's errors as TransientError or PermanentError."""
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APIStatusError as error:
        codes = (error.type, error.status_code)
        raise translated(error, spec=spec, table=TABLE, codes=codes, headers=error.response.headers) from error
    except (anthropic.AnthropicError, httpx2.HTTPError, JSONDecodeError, UnicodeDecodeError) as error:
        raise translated(error, spec=spec, table=TABLE) from error
