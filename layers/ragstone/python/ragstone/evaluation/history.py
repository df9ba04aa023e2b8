"""The list of all runs, `reports/index.json`.

Reports may finish at the same moment, and the object store has no lock. So each run writes an entry of its own under
`entries/`, and the list is made from the entries: whoever writes it looks at the entries again afterwards, and writes
again if one has come. The last writer has therefore seen every entry, whatever the order of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import TypeAdapter

from ragstone.evaluation.report import Report
from ragstone.evaluation.runs import JSON
from ragstone.ports import ObjectStore
from ragstone.types import ObjectRef

ENTRIES = "entries/"
INDEX = "reports/index.json"


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run in the list: the means by variant and metric, and where the whole report is."""

    run_id: str
    started_at: datetime
    finished_at: datetime
    git_sha: str | None
    passed: bool
    means: Mapping[str, Mapping[str, float | None]]
    report: str


_ENTRY = TypeAdapter(RunEntry)
_ENTRIES = TypeAdapter(list[RunEntry])


@dataclass(frozen=True, slots=True)
class History:
    """The runs whose reports are in one bucket."""

    store: ObjectStore
    bucket: str

    def add(self, report: Report, report_key: str) -> None:
        """Put a run into the list, newest first; a run that is reported again replaces its entry."""
        entry = _entry(report, report_key)
        self._write(f"{ENTRIES}{entry.run_id}.json", _ENTRY.dump_json(entry))
        listed: set[tuple[str, str]] = set()
        while (present := set(self.store.list(self.bucket, ENTRIES))) != listed:
            entries = [entry for key, _ in present if (entry := self._read(key))]
            newest_first = sorted(entries, key=lambda entry: (entry.started_at, entry.run_id), reverse=True)
            self._write(INDEX, _ENTRIES.dump_json(newest_first, indent=2))
            listed = present

    def _read(self, key: str) -> RunEntry | None:
        stored = self.store.read(ObjectRef(self.bucket, key))
        return _ENTRY.validate_json(stored.content) if stored else None

    def _write(self, key: str, content: bytes) -> None:
        self.store.write(ObjectRef(self.bucket, key), content, JSON)


def _entry(report: Report, report_key: str) -> RunEntry:
    run = report.run
    means = {
        name: {metric: summary.mean for metric, summary in variant.metrics.items()}
        for name, variant in report.variants.items()
    }
    return RunEntry(run.run_id, run.started_at, run.finished_at, run.git_sha, report.passed, means, report_key)
