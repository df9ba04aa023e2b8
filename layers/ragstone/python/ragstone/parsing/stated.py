"""What files say of themselves, under the names and in the form that filters expect."""

from __future__ import annotations

from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

from ragstone.parsing.cleaning import one_line
from ragstone.types import MetadataValue

Moment = datetime | date | str | None

_LONGEST = 500
_EARLIEST, _LATEST = 1970, 2200
"""What lies outside is a clock that was never set."""


def stated(
    *, author: str | None = None, created: Moment = None, modified: Moment = None, **more: str | None
) -> dict[str, MetadataValue]:
    """Metadata of those values that are there: texts on one line, dates in ISO 8601, moments with a zone in UTC."""
    texts = {name: one_line(value or "")[:_LONGEST] for name, value in {"author": author, **more}.items()}
    dates = {"created": iso_date(created), "modified": iso_date(modified)}
    return {name: value for name, value in {**texts, **dates}.items() if value}


def iso_date(moment: Moment) -> str | None:
    """A date in ISO 8601; None where a text is no date that can be read without guessing."""
    parsed = _parsed(moment.strip()) if isinstance(moment, str) else moment
    if parsed is None or not _EARLIEST <= parsed.year <= _LATEST:
        return None
    if isinstance(parsed, datetime) and parsed.tzinfo is not None:
        return f"{parsed.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()}Z"
    return parsed.replace(microsecond=0).isoformat() if isinstance(parsed, datetime) else parsed.isoformat()


def _parsed(text: str) -> datetime | date | None:
    for read in (date.fromisoformat, datetime.fromisoformat, parsedate_to_datetime):
        try:
            return read(text)
        except (ValueError, TypeError, IndexError):  # parsedate_to_datetime raises all three
            continue
    return None
