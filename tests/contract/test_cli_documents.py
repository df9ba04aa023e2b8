"""The command's documents, against the real app over fakes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner, Result

from ragstone.cli import documents
from ragstone.cli.environment import Environment
from ragstone.cli.local.running import Running
from ragstone.cli.main import app
from ragstone.errors import UnknownDocument
from ragstone.types import DocumentStatus
from tests.support.builders import chunk
from tests.support.routes import FakeService
from tests.support.serving import served


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeService]:
    """The app that the local environment leads to."""
    fakes = FakeService()
    with served(fakes.app) as url:

        def environment(name: str) -> Environment:
            made = Environment(name)
            made.__dict__["local"] = Running(0, "", url)
            return made

        monkeypatch.setattr(documents, "Environment", environment)
        yield fakes


def ragstone(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def rows(*arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in ragstone(*arguments, "--json").stdout.splitlines()]


def test_documents_are_listed_whole_or_narrowed(service: FakeService) -> None:
    for number in range(120):
        service.add(f"a/{number:03}.txt", status=DocumentStatus.FAILED if number % 2 else DocumentStatus.INDEXED)
    service.add("ü & co/1.txt", status=DocumentStatus.FAILED)
    assert len(rows("documents")) == 121
    assert [row["source"] for row in rows("documents", "--prefix", "ü & co/")] == ["ü & co/1.txt"]
    assert len(rows("documents", "--status", "failed")) == 61
    assert [row["source"] for row in rows("documents", "--status", "indexed", "--prefix", "a/11")] == [
        f"a/{number}.txt" for number in (110, 112, 114, 116, 118)
    ]


def test_an_unknown_status_is_refused_with_the_known_ones(service: FakeService) -> None:
    done = ragstone("documents", "--status", "done")
    assert done.exit_code == 2
    assert all(status in done.output for status in ("processing", "indexed_with_warnings", "deleted"))


@pytest.mark.parametrize("by_id", [True, False])
def test_a_document_is_found_by_its_id_or_source(service: FakeService, by_id: bool) -> None:
    wanted = service.add("a.txt")
    service.add("a.txt.bak")
    (found,) = rows("document", wanted.document_id if by_id else "a.txt")
    assert found["document_id"] == wanted.document_id


@pytest.mark.parametrize("name", ["a", "b.txt", "0" * 32])
def test_what_is_not_there_is_named(service: FakeService, name: str) -> None:
    service.add("a.txt")
    done = ragstone("document", name)
    assert isinstance(done.exception, Exception)
    assert getattr(done.exception, "code", "") == UnknownDocument.code


def test_chunks_and_versions_are_shown(service: FakeService) -> None:
    record = service.add("a.txt")
    for ordinal in range(120):
        made = chunk(f"text [{ordinal}]", document_id=record.document_id, version="v1", ordinal=ordinal)
        service.reader.stored.append(made)
    service.inbox.delete("a.txt")
    assert len(rows("document", "a.txt", "chunks")) == 120
    assert "text [119]" in ragstone("document", "a.txt", "chunks").stdout
    assert [row["is_deletion"] for row in rows("document", "a.txt", "versions")] == [True, False]
    assert "current, deletion" in ragstone("document", "a.txt", "versions").stdout


def test_a_part_that_no_document_has_is_refused_with_those_it_has(service: FakeService) -> None:
    done = ragstone("document", "a.txt", "pages")
    assert done.exit_code == 2
    assert "status, chunks, versions" in done.output


def test_documents_are_deleted_and_read_anew(service: FakeService) -> None:
    service.add("a.txt")
    service.add("b.txt")
    assert ragstone("reingest", "a.txt", "b.txt").exit_code == 0
    assert len(service.inbox.versions("b.txt").versions) == 2
    assert ragstone("delete", "a.txt", "b.txt").stdout == "a.txt is deleted\nb.txt is deleted\n"
    assert list(service.inbox.objects()) == []


def test_nothing_is_deleted_unless_all_are_there(service: FakeService) -> None:
    service.add("a.txt")
    assert ragstone("delete", "a.txt", "typo.txt").exit_code == 1
    assert [found.source for found in service.inbox.objects()] == ["a.txt"]
