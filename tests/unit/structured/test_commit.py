from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from ragstone.errors import TransientError
from ragstone.structured.commit import BATCH, MOST_NAMED, Committed, Misfit, RowCommit
from ragstone.structured.preview import preview
from ragstone.structured.proposal import Choices, plan
from ragstone.structured.reading import read_table
from ragstone.structured.rows import BadRow
from ragstone.types import INBOX, SIDECAR_SUFFIX, ObjectRef
from tests.support.fake_inbox import FakeInbox

STOPS = "id,name,fare\nK1,Kelp Pier,3\nH1,Heron Yard,4\n"


def commit(inbox: FakeInbox, content: str, *, prune: bool = False, **choices: Any) -> Committed:
    found = preview(read_table(io.BytesIO(content.encode())))
    made = plan(found.columns, found.proposal, Choices(**choices))
    return RowCommit(inbox=inbox, folder="stops", plan=made).run(found.rest, prune=prune)


def sources(inbox: FakeInbox) -> list[str]:
    return [found.source for found in inbox.objects()]


def text_of(inbox: FakeInbox, source: str) -> str:
    return inbox.store.objects[ObjectRef(inbox.bucket, INBOX + source)].decode()


def test_each_row_is_a_document_with_its_sidecar() -> None:
    inbox = FakeInbox()
    done = commit(inbox, STOPS)
    assert (done.written, done.bad_count, done.pruned) == (2, 0, None)
    assert sources(inbox) == ["stops/H1.md", "stops/K1.md"]
    assert text_of(inbox, "stops/K1.md") == "Kelp Pier  \nid: K1  \nfare: 3\n"
    sidecar = json.loads(text_of(inbox, "stops/K1.md" + SIDECAR_SUFFIX))
    assert sidecar == {"title": "Kelp Pier", "metadata": {"fare": 3}}


def test_a_sidecar_is_written_before_its_document() -> None:
    inbox = FakeInbox()
    commit(inbox, STOPS)
    for name in ("stops/K1.md", "stops/H1.md"):
        (document,) = inbox.versions(name).versions
        (sidecar,) = inbox.versions(name + SIDECAR_SUFFIX).versions
        assert sidecar.modified_at < document.modified_at


def test_committing_again_overwrites() -> None:
    inbox = FakeInbox()
    commit(inbox, STOPS)
    commit(inbox, STOPS.replace("Kelp Pier", "Kelp Quay"))
    assert sources(inbox) == ["stops/H1.md", "stops/K1.md"]
    assert text_of(inbox, "stops/K1.md").startswith("Kelp Quay")


def test_pruning_removes_the_rows_that_are_gone_and_nothing_else() -> None:
    inbox = FakeInbox()
    commit(inbox, STOPS)
    for other in ("stops/notes.pdf", "stops/deeper/K9.md", "stops2/K9.md", "zoo.md"):
        inbox.write(other, b"text", "text/plain")
    done = commit(inbox, "id,name,fare\nH1,Heron Yard,4\n", prune=True)
    assert done.pruned == 1
    assert sources(inbox) == ["stops/H1.md", "stops/deeper/K9.md", "stops/notes.pdf", "stops2/K9.md", "zoo.md"]
    assert inbox.versions("stops/K1.md" + SIDECAR_SUFFIX).versions[0].is_deletion


def test_without_pruning_gone_rows_stay() -> None:
    inbox = FakeInbox()
    commit(inbox, STOPS)
    commit(inbox, "id,name,fare\nH1,Heron Yard,4\n")
    assert sources(inbox) == ["stops/H1.md", "stops/K1.md"]


def test_bad_rows_are_reported_and_the_rest_is_written() -> None:
    inbox = FakeInbox()
    done = commit(inbox, "id,name\nK1,Kelp\n,Nobody\nK1,Again\nH1\nH2,Heron\n", id_column="id")
    assert (done.written, done.bad_count) == (2, 3)
    assert done.bad == (
        BadRow(2, "it has no value in its id column 'id'"),
        BadRow(3, "it has the same id as row 1"),
        BadRow(4, "it has 1 cells, and the header has 2", None),
    )
    assert sources(inbox) == ["stops/H2.md", "stops/K1.md"]


def test_nothing_is_pruned_while_rows_are_bad() -> None:
    inbox = FakeInbox()
    commit(inbox, STOPS)
    done = commit(inbox, "id,name,fare\nH1,Heron Yard,4\nK1\n", prune=True)
    assert done.pruned is None
    assert "stops/K1.md" in sources(inbox)


def test_only_the_first_of_many_bad_rows_are_named() -> None:
    done = commit(FakeInbox(), "a,b\n1,2\n" + "3\n" * 250)
    assert (done.written, done.bad_count, len(done.bad)) == (1, 250, MOST_NAMED)


def test_values_beyond_the_preview_that_don_t_fit_their_type_are_reported() -> None:
    rows = "".join(f"stop {n},{n}\n" for n in range(1_000))
    done = commit(FakeInbox(), f"name,fare\n{rows}last,free\n")
    assert (done.written, done.misfit_count, done.misfits) == (1_001, 1, (Misfit(1_001, "fare"),))


def test_more_rows_than_a_batch_are_written() -> None:
    inbox = FakeInbox()
    count = 2 * BATCH + 1
    assert commit(inbox, "name\n" + "".join(f"stop {n}\n" for n in range(count))).written == count
    assert len(sources(inbox)) == count


class Failing(FakeInbox):
    def write(self, source: str, content: bytes, content_type: str) -> None:
        if source.startswith("stops/H1"):
            raise TransientError("the bucket is throttled")
        super().write(source, content, content_type)


def test_what_fails_is_raised_and_prunes_nothing() -> None:
    inbox = Failing()
    inbox.write("stops/old.md", b"text", "text/markdown")
    with pytest.raises(TransientError):
        commit(inbox, STOPS, prune=True)
    assert "stops/old.md" in sources(inbox)


def test_rows_are_taken_a_batch_at_a_time() -> None:
    taken = 0
    inbox = FakeInbox()

    def rows() -> Iterator[Any]:
        nonlocal taken
        for row in found.rest:
            taken += 1
            assert taken <= inbox.changes / 2 + BATCH
            yield row

    found = preview(read_table(io.BytesIO(("name\n" + "".join(f"stop {n}\n" for n in range(2_000))).encode())))
    made = plan(found.columns, found.proposal, Choices())
    RowCommit(inbox=inbox, folder="stops", plan=made).run(rows())
    assert taken == 2_000
