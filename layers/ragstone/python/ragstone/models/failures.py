"""Providers' failures as Ragstone's errors: one table an SDK, one way to look it up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ragstone.errors import PermanentError, TransientError

Outcome = tuple[type[TransientError] | type[PermanentError], str]
Table = Mapping[str, Outcome]
"""From an error code, an HTTP status or the name of an exception class to an error and what to do about it."""

QUOTED = 300  # characters of the provider's own words: a gateway may answer with a whole page


def translated(
    error: Exception, *, spec: str, table: Table, codes: Iterable[object] = (), headers: Mapping[str, str] | None = None
) -> TransientError | PermanentError:
    """The error for a provider's failure: the first of its codes, then of its classes, that the table knows."""
    classes = (cls.__name__ for cls in type(error).__mro__)
    kind, advice = next(table[key] for key in (*map(str, codes), *classes) if key in table)
    message = f"{spec}: {advice} ({str(error)[:QUOTED]})"
    if issubclass(kind, TransientError):
        return kind(message, retry_after=retry_after(headers or {}))
    return kind(message)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks callers to wait: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, (parsedate_to_datetime(headers["retry-after"]) - datetime.now(UTC)).total_seconds())
    except (KeyError, ValueError, TypeError):  # no such header, no date, or one without a time zone
        return None
