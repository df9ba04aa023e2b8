"""What the OpenAI SDK raises, for the embedder and the chat model alike."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from json import JSONDecodeError

from ragstone.errors import PermanentError, SettingsError, TransientError
from ragstone.models.failures import Table, translated

TABLE: Table = {
    "insufficient_quota": (PermanentError, "the account has no credit left"),
    "invalid_request_error": (PermanentError, "the provider refuses the request"),
    "408": (TransientError, "the provider took too long; try again"),
    "409": (TransientError, "the provider is busy; try again"),
    "429": (TransientError, "the provider limits the rate; try again in a minute"),
    "AuthenticationError": (PermanentError, "the provider refuses the key; check OPENAI_API_KEY"),
    "PermissionDeniedError": (PermanentError, "the key in OPENAI_API_KEY may not use this model"),
    "NotFoundError": (PermanentError, "unknown model or address; check the model's name and OPENAI_BASE_URL"),
    "InternalServerError": (TransientError, "the provider failed; try again"),
    "APIConnectionError": (TransientError, "the provider can't be reached; check OPENAI_BASE_URL and the network"),
    "APIStatusError": (PermanentError, "the provider refuses the request"),
    "APIError": (TransientError, "the provider broke off the reply; try again"),
    "OpenAIError": (PermanentError, "the provider's client can't be used as it is set up"),
    "HTTPError": (TransientError, "the connection broke; try again"),
    "ValueError": (TransientError, "the reply can't be read; check that OPENAI_BASE_URL is an OpenAI-compatible API"),
}


@contextmanager
def openai_failures(spec: str) -> Generator[None]:
    """Raise the SDK's errors as TransientError or PermanentError."""
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise translated(error, spec=spec, table=TABLE, codes=(error.code, error.status_code)) from error
    except openai.APIError as error:
        raise translated(error, spec=spec, table=TABLE, codes=(error.code, error.type)) from error
    except (openai.OpenAIError, httpx2.HTTPError, JSONDecodeError, UnicodeDecodeError) as error:
        raise translated(error, spec=spec, table=TABLE) from error


@contextmanager
def openai_settings(spec: str) -> Generator[None]:
    """Raise SettingsError for what the SDK misses when a client is made."""
    import openai

    try:
        yield
    except openai.OpenAIError as error:
        raise SettingsError(f"{spec} needs OPENAI_API_KEY (any word for a server without keys)") from error
