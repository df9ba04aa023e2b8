from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from ragstone.errors import Rejected
from ragstone.ingestion import OutOfTime
from ragstone.parsing import parse
from ragstone.parsing.isolated import IsolatedParser, Limits, parse_isolated
from tests.unit.parsing.made import p, tbl, word
from tests.unit.parsing.made_office import CORE, pptx, shape, slide
from tests.unit.parsing.made_pdf import handbook

LIMITS = Limits(seconds=30, memory_mb=200, file_mb=1)
BREAKING = "tests.unit.parsing.breaking_worker"
TEXT = b"Sails at nine."


@pytest.fixture
def parser() -> Iterator[IsolatedParser]:
    with IsolatedParser(LIMITS) as parser:
        yield parser


@pytest.fixture
def breaking() -> Iterator[IsolatedParser]:
    with IsolatedParser(LIMITS, worker=BREAKING) as parser:
        yield parser


def rejection(parser: IsolatedParser, source: str) -> Rejected:
    rejected = rejection_of(parser, TEXT, source)
    assert str(rejected).startswith(source)
    return rejected


def rejection_of(parser: IsolatedParser, content: bytes, source: str) -> Rejected:
    with pytest.raises(Rejected) as rejected:
        parser(content, source=source)
    return rejected.value


@pytest.mark.parametrize(
    ("content", "source"),
    [
        (b"# Fares\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```\n  code\n```\n", "a.md"),
        (word(p("Top", '<w:outlineLvl w:val="0"/>') + tbl(["a", "b"], ["c", "d"])), "a.docx"),
        (pptx(slide(shape("Fähre 横浜 😀", place="title")), slide(shape("x")), core=CORE), "a.pptx"),
        (b"a,b\n1\n", "a.csv"),
        (b"One.\x0cTwo.", "a.txt"),
        (b"", "a.pdf"),
    ],
)
def test_a_document_comes_back_as_it_was_parsed(parser: IsolatedParser, content: bytes, source: str) -> None:
    assert parser(content, source=source) == parse(content, source=source)


def test_a_rejection_comes_back_with_its_reason(parser: IsolatedParser) -> None:
    with pytest.raises(Rejected) as rejected:
        parser(b"\x89PNG\r\n\x1a\n", source="Fähre \udcff.png")
    assert rejected.value.code == "unsupported_type"
    assert "Fähre ?.png is a PNG image" in str(rejected.value)


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        ("abort", "damaged", "SIGABRT"),
        ("exit", "damaged", "exit status 3"),
        ("kill", "too_large", "more memory to read than there is"),
        ("fail", "damaged", "KeyError"),
        ("recurse", "too_large", "more levels than can be followed"),
    ],
)
def test_a_worker_that_breaks_is_a_reason_and_the_next_file_is_read(
    breaking: IsolatedParser, source: str, code: str, said: str
) -> None:
    rejected = rejection(breaking, source)
    assert rejected.code == code
    assert said in str(rejected)
    assert breaking(TEXT, source="fine").text == "Sails at nine."


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
def test_memory_is_bounded(breaking: IsolatedParser) -> None:
    rejected = rejection(breaking, "hoard")
    assert rejected.code == "too_large"
    assert "more memory than it may take" in str(rejected)


def test_time_is_bounded() -> None:
    started = monotonic()
    with IsolatedParser(Limits(seconds=0.5), worker=BREAKING) as parser:
        rejected = rejection(parser, "hang")
    assert rejected.code == "took_too_long"
    assert "within 0.5 seconds" in str(rejected)
    assert monotonic() - started < 10


def test_size_is_bounded_before_anything_is_read(parser: IsolatedParser) -> None:
    with pytest.raises(Rejected, match="larger than 1 MB") as rejected:
        parser(bytes(1_000_001), source="a.txt")
    assert rejected.value.code == "too_large"


def test_what_a_library_prints_is_no_reply(breaking: IsolatedParser) -> None:
    assert breaking(TEXT, source="print").text == "Sails at nine."


def test_files_share_a_worker_until_it_keeps_too_much() -> None:
    with IsolatedParser(LIMITS, worker=BREAKING) as parser:
        pids = {idle_pid(parser, source) for source in ("one", "two")}
        assert len(pids) == 1
        assert idle_pid(parser, "keep") is None
        assert idle_pid(parser, "three") not in pids


def idle_pid(parser: IsolatedParser, source: str) -> int | None:
    """The process that waits after reading a file, if one does."""
    parser(TEXT, source=source)
    return next((worker.pid for worker in parser._idle), None)  # pyright: ignore[reportPrivateUsage]


def test_a_worker_that_died_while_it_waited_is_replaced(parser: IsolatedParser) -> None:
    pid = idle_pid(parser, "a.txt")
    assert pid is not None
    os.kill(pid, 9)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert parser(TEXT, source="b.txt").text == "Sails at nine."


def test_threads_may_share_a_parser(parser: IsolatedParser) -> None:
    with ThreadPoolExecutor(4) as threads:
        texts = list(threads.map(lambda number: parser(f"Line {number}.".encode(), source="a.txt").text, range(12)))
    assert texts == [f"Line {number}." for number in range(12)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows it")
def test_credentials_are_not_for_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with IsolatedParser(LIMITS) as parser:
        pid = idle_pid(parser, "a.txt")
        assert b"AWS_SECRET_ACCESS_KEY" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_a_pdf_of_more_pages_than_go_at_once_is_the_same_document() -> None:
    """Sections and a sentence run over the borders of parts; running heads and page numbers are of all of them."""
    content = handbook(pages=30)
    whole = parse(content, source="handbook.pdf")
    for pages_at_once in (1, 7, 29):
        with IsolatedParser(replace(LIMITS, pages_at_once=pages_at_once)) as parser:
            assert parser(content, source="handbook.pdf") == whole
    assert [section.title for section in whole.sections] == [f"{number} Rules" for number in range(1, 11)]
    assert [page.number for page in whole.pages] == list(range(1, 31))
    assert re.search("[a-z] of berth 8", whole.text)
    assert "Harbour handbook" not in whole.text


@pytest.mark.parametrize("failing_from", [0, 4])
def test_parts_that_are_kept_are_not_read_again(failing_from: int) -> None:
    kept: dict[str, bytes] = {}

    def keep(name: str, make: Callable[[], bytes], *, seconds: float) -> bytes:
        if name not in kept:
            assert seconds == LIMITS.seconds
            if len(kept) == failing_from:
                raise OutOfTime(0)
            kept[name] = make()
        return kept[name]

    content = handbook(pages=9)
    with IsolatedParser(replace(LIMITS, pages_at_once=2)) as parser:
        with pytest.raises(OutOfTime):
            parser(content, source="handbook.pdf", keep=keep)
        assert len(kept) == failing_from
        failing_from = 99
        assert parser(content, source="handbook.pdf", keep=keep) == parse(content, source="handbook.pdf")


def test_a_pdf_of_too_many_pages_is_too_large() -> None:
    with IsolatedParser(replace(LIMITS, pages=8, pages_at_once=2)) as parser:
        rejected = rejection_of(parser, handbook(pages=9), "handbook.pdf")
    assert (rejected.code, str(rejected)) == (
        "too_large",
        "handbook.pdf has 9 pages, more than 8; split it and upload the parts.",
    )


def test_one_file_can_be_parsed_by_itself() -> None:
    assert parse_isolated(TEXT, source="a.txt", limits=LIMITS).text == "Sails at nine."
