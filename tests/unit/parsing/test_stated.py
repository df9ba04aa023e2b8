from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.stated import Moment, iso_date, stated


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        (date(2026, 3, 12), "2026-03-12"),
        (datetime(2026, 3, 12, 14, 30), "2026-03-12T14:30:00"),
        (datetime(2026, 3, 12, 14, 30, tzinfo=timezone(timedelta(hours=2))), "2026-03-12T12:30:00Z"),
        ("2026-03-12", "2026-03-12"),
        (" 2026-03-12T14:30:15.250Z ", "2026-03-12T14:30:15Z"),
        ("Thu, 12 Mar 2026 14:30:00 +0100", "2026-03-12T13:30:00Z"),
        ("12.03.2026", None),
        ("last Tuesday", None),
        ("", None),
        ("0001-01-01T00:00:00Z", None),
        (datetime(1601, 1, 1, tzinfo=UTC), None),
        (None, None),
    ],
)
def test_dates_are_iso_or_nothing(moment: Moment, shown: str | None) -> None:
    assert iso_date(moment) == shown


@given(st.text())
def test_no_text_fails_as_a_date(text: str) -> None:
    assert isinstance(iso_date(text), str | None)


def test_only_what_is_stated_is_metadata() -> None:
    assert stated(author=" Ada\n Okafor ", created="2026", modified=None, subject="") == {"author": "Ada Okafor"}
