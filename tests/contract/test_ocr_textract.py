from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragstone.errors import PermanentError, TransientError
from ragstone.parsing import ocr_textract
from ragstone.parsing.ocr_textract import TextractOcr
from tests.support.textract_server import TextractServer
from tests.unit.parsing.made import Drawn, pdf

NAMES = ("Petrel", "Gannet", "Curlew", "Eider", "Dunlin", "Sanderling", "Heron", "Kestrel")
CONTENT = pdf(*[[Drawn(f"{name} one", y=700), Drawn(f"{name} two", y=680)] for name in NAMES])
JOB = ["PutObject", "StartDocumentTextDetection", "GetDocumentTextDetection"]


@pytest.fixture
def server() -> Iterator[TextractServer]:
    with TextractServer() as server:
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def ocr(server: TextractServer, pauses: list[float]) -> TextractOcr:
    return TextractOcr(server.client("textract"), server.client("s3"), bucket="documents", sleep=pauses.append)


def test_few_pages_are_read_one_by_one_where_they_stand(ocr: TextractOcr, server: TextractServer) -> None:
    found = ocr.read(CONTENT, [2, 5])
    assert {page: [line.text for line in lines] for page, lines in found.items()} == {
        2: ["Gannet one", "Gannet two"],
        5: ["Dunlin one", "Dunlin two"],
    }
    corners = [(round(x), round(y)) for x, y in found[2][0].corners]
    assert corners == [(60, 710), (160, 710), (160, 700), (60, 700)]
    assert server.calls == ["DetectDocumentText"] * 2


def test_many_pages_are_a_job_that_leaves_nothing_behind(
    ocr: TextractOcr, server: TextractServer, pauses: list[float]
) -> None:
    server.slow = 3
    found = ocr.read(CONTENT, [1, 3, 4, 8])
    assert {page: [line.text for line in lines] for page, lines in found.items()} == {
        page: [f"{NAMES[page - 1]} one", f"{NAMES[page - 1]} two"] for page in (1, 3, 4, 8)
    }
    assert server.calls[:3] == JOB
    assert server.calls[-1] == "DeleteObject"
    assert server.objects == {}
    assert pauses == [1.0, 2.0, 4.0]


def test_a_page_that_is_too_large_for_a_call_is_a_job(
    ocr: TextractOcr, server: TextractServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr_textract, "LARGEST_CALL", 100)
    assert [line.text for line in ocr.read(CONTENT, [2])[2]] == ["Gannet one", "Gannet two"]
    assert server.calls[:3] == JOB


def test_a_retry_finds_the_job_that_is_under_way(ocr: TextractOcr, server: TextractServer) -> None:
    server.slow = 10_000
    with pytest.raises(TransientError, match="retry"):
        ocr.read(CONTENT, [1, 2, 3, 4])
    server.slow = 0
    assert len(ocr.read(CONTENT, [1, 2, 3, 4])) == 4
    assert len(server.jobs) == 1
    assert server.objects == {}


@pytest.mark.parametrize("code", ["UnsupportedDocumentException", "BadDocumentException"])
def test_pages_that_textract_can_t_read_cost_nothing_else(code: str, ocr: TextractOcr, server: TextractServer) -> None:
    server.failures = [code]
    assert {page: len(lines) for page, lines in ocr.read(CONTENT, [1, 2]).items()} == {1: 0, 2: 2}
    server.failures = [code]
    assert ocr.read(CONTENT, [1, 2, 3, 4]) == {}
    assert server.objects == {}


def test_a_file_that_can_t_be_opened_has_no_lines(ocr: TextractOcr, server: TextractServer) -> None:
    assert ocr.read(b"no PDF", [1, 2, 3, 4]) == {}
    assert server.calls == []


@pytest.mark.parametrize("code", ["ThrottlingException", "ProvisionedThroughputExceededException"])
def test_what_passes_is_worth_a_retry(code: str, ocr: TextractOcr, server: TextractServer) -> None:
    server.failures = [code]
    with pytest.raises(TransientError, match="try again"):
        ocr.read(CONTENT, [1])


def test_what_does_not_pass_says_what_to_do(ocr: TextractOcr, server: TextractServer) -> None:
    server.failures = ["AccessDeniedException"]
    with pytest.raises(PermanentError, match="grant textract:DetectDocumentText"):
        ocr.read(CONTENT, [1])
