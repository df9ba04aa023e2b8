"""The use case: every row of a table becomes a document in the inbox, and gone ones go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from ragstone.ports import Inbox
from ragstone.structured.documents import SUFFIX, RowDocument, row_document
from ragstone.structured.proposal import Plan
from ragstone.structured.rows import BadRow, Row
from ragstone.types import SIDECAR_SUFFIX

WRITERS = 16
BATCH = 256
MOST_NAMED = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that is not of its column's type: it stands in the row's text, but is no metadata."""

    number: int
    column: str


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of a table; `bad` and `misfits` name the first of them, the counts tell of all.

    `pruned` is None where nothing was to be removed, or nothing could be because rows were bad.
    """

    folder: str
    written: int
    bad_count: int
    misfit_count: int
    bad: tuple[BadRow, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    pruned: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCommit:
    """Writes rows below `inbox/<folder>/`, some at a time and each sidecar before its document.

    A file that is committed again overwrites its rows; ingestion sees what did not change. Whatever fails can be
    committed again.
    """

    inbox: Inbox
    folder: str
    plan: Plan

    def run(self, rows: Iterable[Row | BadRow], *, prune: bool = False) -> Committed:
        """`prune` then removes the folder's other rows, unless rows were bad: theirs might be among them."""
        reading = _Reading(self.plan, self.folder)
        pruned: int | None = None
        with ThreadPoolExecutor(WRITERS) as threads:
            written = _for_each(threads, self._write, reading.documents(rows))
            if prune and not reading.bad_count:
                pruned = _for_each(threads, self.inbox.delete, self._others(reading.names))
        return Committed(
            folder=self.folder,
            written=written,
            bad_count=reading.bad_count,
            misfit_count=reading.misfit_count,
            bad=tuple(reading.bad),
            misfits=tuple(reading.misfits),
            pruned=pruned,
        )

    def _write(self, document: RowDocument) -> None:
        self.inbox.write(document.source + SIDECAR_SUFFIX, document.sidecar, "application/json")
        self.inbox.write(document.source, document.text.encode(), "text/markdown; charset=utf-8")

    def _others(self, names: dict[str, int]) -> Iterator[str]:
        """The folder's own row documents that this table has no row for; folders below it are not its own."""
        prefix = f"{self.folder}/"
        for found in self.inbox.objects(prefix):
            is_row = found.source.endswith(SUFFIX) and "/" not in found.source.removeprefix(prefix)
            if is_row and found.source not in names:
                yield found.source


@dataclass(slots=True)
class _Reading:
    """Turns rows into documents, and keeps what it has seen: names with their rows, bad rows, misfits."""

    plan: Plan
    folder: str
    names: dict[str, int] = field(default_factory=dict[str, int])
    bad_count: int = 0
    misfit_count: int = 0
    bad: list[BadRow] = field(default_factory=list[BadRow])
    misfits: list[Misfit] = field(default_factory=list[Misfit])

    def documents(self, rows: Iterable[Row | BadRow]) -> Iterator[RowDocument]:
        for row in rows:
            made = self._checked(row_document(row, self.plan, self.folder) if isinstance(row, Row) else row, row.number)
            if isinstance(made, BadRow):
                self.bad_count += 1
                self.bad += [made] if len(self.bad) < MOST_NAMED else []
            else:
                self.names[made.source] = row.number
                self.misfit_count += len(made.misfits)
                room = MOST_NAMED - len(self.misfits)
                self.misfits += [Misfit(row.number, column) for column in made.misfits[:room]]
                yield made

    def _checked(self, made: RowDocument | BadRow, number: int) -> RowDocument | BadRow:
        if isinstance(made, RowDocument) and made.source in self.names:
            return BadRow(number, f"it has the same id as row {self.names[made.source]}")
        return made


def _for_each(threads: ThreadPoolExecutor, action: Callable[[T], object], items: Iterator[T]) -> int:
    """Act on all items, a batch at a time in memory; how many there were. The first failure is raised."""
    count = 0
    while batch := list(islice(items, BATCH)):
        count += sum(1 for _ in threads.map(action, batch))
    return count
