"""What the OpenAI SDK raises, for the embedder and the chat model alike."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from json import JSONDecodeError
from typing import Any, cast

from ragstone.errors import ModelRefused, PermanentError, TransientError
from ragstone.models.compatible import server_of
from ragstone.models.failures import Table, translated

_WITHHELD = (ModelRefused, "the provider's content filter stops this prompt")

TABLE: Table = {
    "content_filter": _WITHHELD,  # Azure
    "content_policy_violation": _WITHHELD,
    "flagged_input": _WITHHELD,  # OpenRouter
    "1301": _WITHHELD,  # GLM, as the next
    "1113": (PermanentError, "the account has no credit left"),
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
        codes = (error.code, *_flags(error.body), error.status_code)
        raise _translated(error, spec, codes, error.response.headers) from error
    except openai.APIError as error:
        raise _translated(error, spec, (error.code, error.type)) from error
    except (openai.OpenAIError, httpx2.HTTPError, JSONDecodeError, UnicodeDecodeError) as error:
        raise _translated(error, spec) from error


def _translated(
    error: Exception, spec: str, codes: Iterable[object] = (), headers: Mapping[str, str] | None = None
) -> TransientError | PermanentError:
    server = server_of(spec)
    names = {"key": server.key_variable, "url": server.url_variable}
    table = {code: (kind, advice.format(**names)) for code, (kind, advice) in TABLE.items()}
    return translated(error, spec=spec, table=table, codes=codes, headers=headers)


def _flags(body: object) -> Iterable[str]:
    """What an error's metadata are about: OpenRouter says there that a prompt was flagged."""
    known = cast("Mapping[str, Any]", body if isinstance(body, Mapping) else {})
    return known.get("metadata") or ()
