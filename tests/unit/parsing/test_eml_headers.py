from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.eml_headers import attachment_name, header, sent_at


def read(*lines: str) -> EmailMessage:
    content = "\n".join((*lines, "", "text")).encode()
    return BytesParser(_class=EmailMessage, policy=default).parsebytes(content)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Subject: =?iso-8859-1?q?F=E4hre?= late", "Fähre late"),
        ("Subject: =?utf-8?b?5qiq5rWc?=", "横浜"),
        ("subject: folded\n\tover two lines", "folded over two lines"),
        ("Subject: =?x-unknown?q?abc?=", "abc"),
        ("Subject: =?utf-8?b?not base64!?=", "=?utf-8?b?not base64!?="),
        ("Subject:", ""),
        ("X-Other: x", ""),
    ],
)
def test_headers_are_decoded_and_on_one_line(raw: str, shown: str) -> None:
    assert header(read(raw), "Subject") == shown


def test_headers_in_raw_bytes_are_read_in_the_encoding_that_they_have() -> None:
    content = "Subject: Fähre nach Tamsey\n\ntext".encode("cp1252")
    message = BytesParser(_class=EmailMessage, policy=default).parsebytes(content)
    assert header(message, "Subject") == "Fähre nach Tamsey"


def test_the_first_of_equal_headers_counts() -> None:
    assert header(read("Subject: one", "Subject: two"), "Subject") == "one"


def test_dates_that_are_none_are_left_out() -> None:
    assert sent_at(read("Date: soon")) is None
    assert sent_at(read("X: y")) is None
    assert sent_at(read("Date: Thu, 12 Mar 2026 14:30:00 +0100")) == datetime(
        2026, 3, 12, 14, 30, tzinfo=timezone(timedelta(hours=1))
    )


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ('Content-Disposition: attachment; filename="fares 2026.csv"', "fares 2026.csv"),
        ("Content-Disposition: attachment; filename=fares.csv", "fares.csv"),
        ('Content-Type: text/csv; name="=?utf-8?q?F=C3=A4hre=2Ecsv?="', "Fähre.csv"),
        ('Content-Disposition: attachment; filename="../../etc/passwd"', "passwd"),
        ('Content-Disposition: attachment; filename="C:\\\\docs\\\\fares.csv"', "fares.csv"),
        ("Content-Type: text/csv", "unnamed.csv"),
        ("Content-Type: application/x-nobody-knows", "unnamed"),
    ],
)
def test_attachments_have_a_file_name(raw: str, name: str) -> None:
    assert attachment_name(read(raw)) == name


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=60))
def test_no_header_fails(raw: str) -> None:
    message = read(f"Subject: {raw}", f"Date: {raw}", f"Content-Disposition: {raw}")
    assert isinstance(header(message, "Subject"), str)
    assert sent_at(message) is None or raw
    assert attachment_name(message)
