"""The one translation of OpenSearch's errors to Ragstone's."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from ragstone.errors import PermanentError, RagstoneError, TransientError

RETRYABLE = frozenset({408, 429, 502, 503, 504})
_ADVICE = {
    401: "check the user and password in RAGSTONE_INDEX_URL, or RAGSTONE_INDEX_AUTH",
    403: "give the caller's role read and write access to the index, in the domain's or the data access policy",
    413: "the request is larger than this instance type takes",
}


@contextmanager
def translated(action: str) -> Generator[None]:
    """Turn the client's errors into TransientError or PermanentError that say what could not be done."""
    from opensearchpy.exceptions import ConnectionError as Unreachable
    from opensearchpy.exceptions import SSLError, TransportError

    try:
        yield
    except SSLError as error:
        raise PermanentError(f"could not {action}: the server's certificate is not trusted ({error.error})") from error
    except Unreachable as error:
        raise TransientError(f"could not {action}: the server does not answer ({error.error})") from error
    except TransportError as error:
        info = cast(Mapping[str, Any] | str, error.info)
        details = info.get("error", error.error) if isinstance(info, Mapping) else error.error
        raise failure(action, int(error.status_code), details) from error


def failure(action: str, status: int, error: Mapping[str, Any] | str) -> RagstoneError:
    """The error for an HTTP status, be it that of a response or of one part of it."""
    kind = TransientError if status in RETRYABLE else PermanentError
    advice = f"; {_ADVICE[status]}" if status in _ADVICE else ""
    return kind(f"could not {action}: {_reason(error)} (status {status}){advice}")


def _reason(error: Mapping[str, Any] | str) -> str:
    if isinstance(error, str):
        return error
    cause = error.get("caused_by", {}).get("reason")
    return f"{error.get('reason')}: {cause}" if cause else str(error.get("reason"))
