"""The sample documents say what the demo and the gold questions expect of them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import Rejected
from ragstone.evaluation.gold import GoldEntry, read_gold
from ragstone.evaluation.request import EvaluationRequest
from ragstone.language import content_stems, stems
from ragstone.parsing import parse
from ragstone.text import find_quote
from ragstone.types import ParsedDocument

SAMPLES = Path(__file__).parents[2] / "samples"
DOCUMENTS = SAMPLES / "documents"
DEMO: dict[str, Any] = tomllib.loads((SAMPLES / "demo.toml").read_text(encoding="utf-8"))
GOLD = read_gold((SAMPLES / "gold.jsonl").read_bytes(), "gold.jsonl")
QUOTED = [entry for item in GOLD for entry in item.gold]
INDEXED = [source for source, expected in DEMO["statuses"].items() if expected["status"] == "indexed"]
REJECTED = {
    source: expected["reason"] for source, expected in DEMO["statuses"].items() if expected["status"] == "rejected"
}


@pytest.fixture(scope="module")
def parsed() -> dict[str, ParsedDocument]:
    return {source: parse((DOCUMENTS / source).read_bytes(), source=source) for source in INDEXED}


def readable(document: ParsedDocument, page: int | None) -> str:
    """The text of one page, or of the whole document."""
    if page is None:
        return document.text
    found = document.pages[page - 1]
    return document.text[found.start : found.end]


def test_the_demo_expects_a_status_of_every_document() -> None:
    there = {path.relative_to(DOCUMENTS).as_posix() for path in DOCUMENTS.rglob("*") if path.is_file()}
    assert set(DEMO["statuses"]) == there


def test_names_hold_a_space_and_an_umlaut() -> None:
    assert any(" " in source and "ä" in source for source in INDEXED)


@pytest.mark.parametrize("source", INDEXED)
def test_a_good_document_is_read_without_warnings(source: str, parsed: dict[str, ParsedDocument]) -> None:
    assert len(parsed[source].text) > 1_000
    assert parsed[source].warnings == ()


@pytest.mark.parametrize(("source", "reason"), REJECTED.items())
def test_a_document_that_can_t_be_read_is_rejected_with_its_reason(source: str, reason: str) -> None:
    with pytest.raises(Rejected) as rejection:
        parse((DOCUMENTS / source).read_bytes(), source=source)
    assert rejection.value.code == reason


def test_the_scan_has_a_page_and_no_text() -> None:
    scan = parse((DOCUMENTS / "archive/winter timetable 1987.pdf").read_bytes(), source="scan.pdf")
    assert (scan.text, len(scan.pages)) == ("", 1)
    assert "No text on any page" in scan.warnings[0]


def test_the_pdfs_have_thirty_pages_and_the_handbook_an_outline(parsed: dict[str, ParsedDocument]) -> None:
    handbook = parsed["handbook/Operations Handbook.pdf"]
    assert len(handbook.pages) >= 12
    assert ("2 The network", "2.4 The night ferry") in {section.path[-2:] for section in handbook.sections}
    assert sum(len(document.pages) for document in parsed.values()) >= 30


def test_a_third_of_the_gold_questions_has_no_answer() -> None:
    unanswerable = [item for item in GOLD if not item.answerable]
    assert 3 * len(unanswerable) == len(GOLD)
    assert all(not item.gold and {"off-topic", "missing"} & set(item.tags) for item in unanswerable)


def test_every_answerable_question_has_a_reference_and_a_quote() -> None:
    answerable = [item for item in GOLD if item.answerable]
    assert all(item.reference and item.gold and all(entry.quote for entry in item.gold) for item in answerable)


@pytest.mark.parametrize("entry", QUOTED, ids=lambda entry: entry.quote)
def test_every_gold_quote_stands_in_its_document(entry: GoldEntry, parsed: dict[str, ParsedDocument]) -> None:
    assert entry.quote is not None
    assert find_quote(entry.quote, readable(parsed[entry.document], entry.page))


def test_every_gold_quote_from_a_pdf_names_its_page() -> None:
    assert all(entry.page for entry in QUOTED if entry.document.endswith(".pdf"))


@pytest.mark.parametrize("asked", DEMO["answered"], ids=lambda asked: asked["name"])
def test_what_the_demo_expects_in_an_answer_stands_in_its_document(
    asked: dict[str, Any], parsed: dict[str, ParsedDocument]
) -> None:
    text = readable(parsed[asked["document"]], asked.get("page"))
    assert all(find_quote(expected, text) for expected in asked["contains"])


@pytest.mark.parametrize("refused", DEMO["refused"], ids=lambda refused: refused["name"])
def test_what_the_demo_has_refused_is_mostly_about_words_that_no_document_holds(
    refused: dict[str, Any], parsed: dict[str, ParsedDocument]
) -> None:
    asked = content_stems(refused["question"], "en")
    written = frozenset[str]().union(*(stems(document.text, "en") for document in parsed.values()))
    assert len(set(asked) - written) > len(asked) / 2


def test_the_update_changes_one_line() -> None:
    update = DEMO["update"]
    old = (DOCUMENTS / update["document"]).read_text(encoding="utf-8").splitlines()
    new = (SAMPLES / update["replacement"]).read_text(encoding="utf-8").splitlines()
    changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    assert changed == [(changed[0][0], changed[0][0].replace(update["before"], update["after"]))]


def test_only_the_document_that_is_deleted_answers_its_question(parsed: dict[str, ParsedDocument]) -> None:
    delete = DEMO["delete"]
    asked = content_stems(delete["question"], "en")
    assert find_quote(delete["before"], parsed[delete["document"]].text)
    holders = [source for source, document in parsed.items() if stems(document.text, "en").intersection(asked)]
    assert holders == [delete["document"]]


def test_the_evaluation_input_is_valid_once_its_dataset_is_uploaded() -> None:
    given = json.loads((SAMPLES / "evaluation.json").read_text(encoding="utf-8"))
    assert SAMPLES.parent / given["dataset"] == SAMPLES / "gold.jsonl"
    request = EvaluationRequest.parse({**given, "dataset": "s3://reports/gold.jsonl"})
    assert [variant.changes["chunk_size"] for variant in request.variants] == [400, 1_200]
