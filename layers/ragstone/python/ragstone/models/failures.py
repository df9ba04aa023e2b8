"""Providers' failures as Ragstone's errors: one table an SDK, one way to look it up."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from ragstone.errors import PermanentError, TransientError

Outcome = tuple[type[TransientError] | type[PermanentError], str]
Table = Mapping[str, Outcome]
"""From an error code, an HTTP status or the name of an exception class to an error and what to do about it."""

QUOTED = 300  # characters of the provider's own words: a gateway may answer with a whole page


def translated(
    error: Exception, *, spec: str, table: Table, codes: Iterable[object] = ()
) -> TransientError | PermanentError:
    """The error for a provider's failure: the first of its codes, then of its classes, that the table knows."""
    classes = (cls.__name__ for cls in type(error).__mro__)
    kind, advice = next(table[key] for key in (*map(str, codes), *classes) if key in table)
    return kind(f"{spec}: {advice} ({str(error)[:QUOTED]})")


def check_end(spec: str, reason: str | None, *, blocked: Container[str]) -> None:
    """Raise unless a stream came to its end: TransientError if it was cut, PermanentError if it was blocked."""
    if reason is None:
        raise TransientError(f"{spec}: the reply was cut short; try again")
    if reason in blocked:
        raise PermanentError(f"{spec}: the provider withheld the reply ({reason})")
