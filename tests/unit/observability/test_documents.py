from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ragstone.observability.documents import ingested
from ragstone.types import ChangeKind, DocumentRecord, DocumentStatus, ObjectChange, ObjectRef

CHANGE = ObjectChange(ChangeKind.CREATED, ObjectRef("bucket", "inbox/a.txt"), "1")
RECORD = DocumentRecord("d", "bucket", "inbox/a.txt", "1", DocumentStatus.INDEXED_WITH_WARNINGS, chunks=7)


def test_an_outcome_is_a_line_of_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    timed = replace(RECORD, timings_ms={"parse": 12, "embed": 30})
    ingested("test", CHANGE, timed)
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    names = ("Documents", "Documents.indexed_with_warnings", "Chunks", "DocumentLatency.parse", "DocumentLatency.embed")
    assert [metrics[name] for name in names] == [[1.0], [1.0], [7.0], [12.0], [30.0]]
    assert metrics["environment"] == "test"


def test_a_change_that_came_to_nothing_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    ingested("test", CHANGE, None)
    assert "_aws" not in capsys.readouterr().out
