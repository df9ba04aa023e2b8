"""Spreadsheet cells as the sheet shows them: dates in ISO 8601, numbers with the decimals of their format."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any, Protocol

_SECTION = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*)')
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.')
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.([#0?]+))?")
_CURRENCY = re.compile(r"[$€£¥₣₹₽₩]|[A-Z]{3}|Fr\.|kr|zł|Kč")
_MOST_DECIMALS = 10


class Cell(Protocol):
    """The part of openpyxl's cells that is used here; its types call the format a descriptor, not a text."""

    @property
    def value(self) -> Any: ...
    @property
    def number_format(self) -> Any: ...


def shown(cell: Cell) -> str:
    """A cell's value as text; an empty one is empty."""
    value, form = cell.value, cell.number_format or ""
    match value:
        case None:
            text = ""
        case bool():
            text = "TRUE" if value else "FALSE"
        case int() | float():
            text = _number(value, form)
        case datetime():
            text = _moment(value, form)
        case date() | time():
            text = value.isoformat()
        case timedelta():
            text = _hours(value)
        case _:
            text = str(value)
    return text


def _moment(value: datetime, form: str) -> str:
    """Without a time of day where the format has none, or where it is midnight."""
    if (value.hour, value.minute, value.second) == (0, 0, 0) or not re.search("[hs]", form, re.I):
        return value.date().isoformat()
    return value.isoformat(sep=" ", timespec="seconds" if value.second else "minutes")


def _hours(value: timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")


def _number(value: float, form: str) -> str:
    """With the decimals, the percent sign and the currency of its format; 15 digits where it has none."""
    section = _SECTION.match(form)
    pattern = _LITERAL.sub("", section[1] if section else form)
    digits = _DIGITS.search(pattern)
    if digits is None or "E+" in pattern or "/" in pattern:
        return str(value) if isinstance(value, int) else f"{value:.15g}"
    percent = "%" in pattern
    decimals = min(len(digits[1] or ""), _MOST_DECIMALS)
    written = f"{value * (100 if percent else 1):.{decimals}f}" + ("%" if percent else "")
    currency = _currency(section[1] if section else form)
    return f"{currency} {written}" if currency else written


def _currency(section: str) -> str:
    literals = " ".join(filter(None, (match[1] or match[2] or match[3] for match in _LITERAL.finditer(section))))
    found = _CURRENCY.search(literals) or _CURRENCY.search(_LITERAL.sub("", section))
    return found[0] if found else ""
