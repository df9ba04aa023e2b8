"""What the OpenAI SDK raises, for the embedder and the chat model alike."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from json import JSONDecodeError

from ragstone.errors import PermanentError, SettingsError, TransientError
from ragstone.models.compatible import server_of
from ragstone.models.failures import Table, translated

TABLE: Table = {
    "insufficient_quota": (PermanentError, "the account has no credit left"),
    "invalid_request_error": (PermanentError, "the provider refuses the request"),
    "402": (PermanentError, "the account has no credit left"),
    "408": (TransientError, "the provider took too long; try again"),
    "409": (TransientError, "the provider is busy; try again"),
    "429": (TransientError, "the provider limits the rate; try again in a minute"),
    "AuthenticationError": (PermanentError, "the provider refuses the key; check {key}"),
    "PermissionDeniedError": (PermanentError, "the key in {key} may not use this model"),
    "NotFoundError": (PermanentError, "unknown model or address; check the model's name and {url}"),
    "InternalServerError": (TransientError, "the provider failed; try again"),
    "APIConnectionError": (TransientError, "the provider can't be reached; check {url} and the network"),
    "APIStatusError": (PermanentError, "the provider refuses the request"),
    "APIError": (TransientError, "the provider broke off the reply; try again"),
    "OpenAIError": (PermanentError, "the provider's client can't be used as it is set up"),
    "HTTPError": (TransientError, "the connection broke; try again"),
    "ValueError": (TransientError, "the reply can't be read; check that {url} is an OpenAI-compatible API"),
}
"""`{key}` and `{url}` stand for the variables of the server that the spec names."""


@contextmanager
def openai_failures(spec: str) -> Generator[None]:
    """Raise the SDK's errors as TransientError or PermanentError."""
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise _translated(error, spec, (error.code, error.status_code)) from error
    except openai.APIError as error:
        raise _translated(error, spec, (error.code, error.type)) from error
    except (openai.OpenAIError, httpx2.HTTPError, JSONDecodeError, UnicodeDecodeError) as error:
        raise _translated(error, spec) from error


@contextmanager
def openai_settings(spec: str) -> Generator[None]:
    """Raise SettingsError for what the SDK misses when a client is made."""
    import openai

    try:
        yield
    except openai.OpenAIError as error:
        raise SettingsError(f"{spec} needs OPENAI_API_KEY (any word for a server without keys)") from error


def _translated(error: Exception, spec: str, codes: Iterable[object] = ()) -> TransientError | PermanentError:
    server = server_of(spec)
    names = {"key": server.key_variable, "url": server.url_variable}
    table = {code: (kind, advice.format(**names)) for code, (kind, advice) in TABLE.items()}
    return translated(error, spec=spec, table=table, codes=codes)
