from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragstone.cli import show

CITATION = {"number": 1, "document": "fares [2024].pdf", "page": 3, "quote": "half price [/b]", "start": 0, "end": 5}
DONE: dict[str, Any] = {"answer": "Half price.", "refused": False, "citations": [CITATION]}


def test_an_answer_is_printed_with_its_citations(capsys: pytest.CaptureFixture[str]) -> None:
    events = [
        ("meta", {"trace_id": "1"}),
        ("sources", {"sources": []}),
        ("sentence", {"text": "Children pay half [bold]price[/].", "citations": [CITATION, {**CITATION, "number": 2}]}),
        ("telemetry", {}),
        ("done", DONE),
    ]
    assert show.answer(events) == DONE
    assert capsys.readouterr().out.splitlines() == [
        "  Children pay half [bold]price[/]. [1][2]",
        "    [1] fares [2024].pdf, page 3: “half price [/b]”",
    ]


def test_a_citation_without_a_page_names_none(capsys: pytest.CaptureFixture[str]) -> None:
    show.answer([("done", {**DONE, "citations": [{**CITATION, "page": None}]})])
    assert capsys.readouterr().out == "    [1] fares [2024].pdf: “half price [/b]”\n"


def test_a_refusal_is_printed_with_the_nearest_documents(capsys: pytest.CaptureFixture[str]) -> None:
    refusal = {"stage": "retrieval", "reason": "no_evidence", "message": "Nothing [here].", "nearest": ["a[1].md"]}
    show.answer([("refusal", refusal), ("done", {**DONE, "refused": True, "citations": []})])
    assert capsys.readouterr().out.splitlines() == [
        "  refused (retrieval: no_evidence) Nothing [here].",
        "    nearest: a[1].md",
    ]


def test_documents_are_a_table_with_remarks(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"source": "a[1].pdf", "status": "indexed", "pages": 3, "chunks": 12, "message": None, "warnings": []}
    warned = {**row, "source": "b.pdf", "status": "indexed_with_warnings", "warnings": ["page 2 has no text", "x"]}
    rejected = {**row, "status": "rejected", "pages": 0, "chunks": 0, "message": "Remove the password [first]."}
    show.documents([row, warned, rejected])
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        ["a[1].pdf", "indexed", "3", "12"],
        ["b.pdf", "indexed_with_warnings", "3", "12", "page", "2", "has", "no", "text;", "x"],
        ["a[1].pdf", "rejected", "Remove", "the", "password", "[first]."],
    ]


def test_progress_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    show.progress("3 of 7 [done]")
    assert capsys.readouterr().out == "  · 3 of 7 [done]\n"


def test_a_report_s_place_is_relative_to_here(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def table(found: object) -> str:
        return "the table"

    monkeypatch.setattr(show, "render", table)
    monkeypatch.chdir(tmp_path)
    show.report({}, "s3://reports/reports/run-1/", tmp_path / "reports" / "run-1")
    assert capsys.readouterr().out.splitlines() == [
        "the table",
        "report.json and report.html: s3://reports/reports/run-1/ and reports/run-1/",
    ]
