from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.xlsx_cells import shown


class Given(NamedTuple):
    value: Any
    number_format: str = "General"


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (None, "General", ""),
        ("Curlew", "General", "Curlew"),
        (True, "General", "TRUE"),
        (4.2, "General", "4.2"),
        (0.1 + 0.2, "General", "0.3"),
        (3.0, "General", "3"),
        (12345678901234567, "General", "12345678901234567"),
        (4.2, "0.00", "4.20"),
        (1200.5, "#,##0.00", "1200.50"),
        (0.255, "0.0%", "25.5%"),
        (1, "0%", "100%"),
        (12.5, '"€" #,##0.00', "€ 12.50"),
        (12.5, "#,##0.00 [$€-407]", "€ 12.50"),
        (12.5, "[$USD] #,##0.00", "USD 12.50"),
        (-3, '#,##0.00;[Red]-#,##0.00" kr"', "-3.00"),
        (0.000001, "0.00E+00", "1e-06"),
        (0.5, "# ?/?", "0.5"),
        (7, "000", "7"),
        (7, "@", "7"),
        (date(2026, 5, 1), "yyyy-mm-dd", "2026-05-01"),
        (datetime(2026, 5, 1), "yyyy-mm-dd hh:mm", "2026-05-01"),
        (datetime(2026, 5, 1, 14, 30), "dd.mm.yyyy hh:mm", "2026-05-01 14:30"),
        (datetime(2026, 5, 1, 14, 30, 5), "dd.mm.yyyy hh:mm:ss", "2026-05-01 14:30:05"),
        (datetime(2026, 5, 1, 14, 30), "dd.mm.yyyy", "2026-05-01"),
        (time(14, 30), "hh:mm", "14:30:00"),
        (timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
        (timedelta(minutes=5, seconds=7), "[h]:mm:ss", "0:05:07"),
        ("#DIV/0!", "General", "#DIV/0!"),
    ],
)
def test_cells_are_shown_as_the_sheet_shows_them(value: object, form: str, text: str) -> None:
    assert shown(Given(value, form)) == text


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(), st.text(max_size=20))
def test_no_format_fails(value: float, form: str) -> None:
    assert shown(Given(value, form))
