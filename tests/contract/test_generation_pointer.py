"""What every generation pointer keeps to: the fake in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.generation_pointer import DynamoGenerationPointer
from ragstone.errors import PermanentError
from ragstone.ports import GenerationPointer
from ragstone.types import Generation, Generations, Role
from tests.support.fake_pointer import FakePointer
from tests.support.fixtures_ministack import Account
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table

SETTINGS = {
    "embedder": "wordllama",
    "chunk_size": 400,
    "chunk_overlap": None,
    "max_dot_share": 0.15,
    "breadcrumb": True,
}
OLD = Generation("chunks-aaaaaaaaaaaa-20260101120000", SETTINGS, 256, "2026-01-01T12:00:00+00:00")
NEW = Generation(
    "chunks-bbbbbbbbbbbb-20260201120000", {**SETTINGS, "chunker": "token"}, 1024, "2026-02-01T12:00:00+00:00"
)
FIRST = Generations(OLD, changed_at="2026-01-01T12:00:00+00:00")
SECOND = Generations(OLD, NEW, Role.BUILDING, "2026-02-01T12:00:00+00:00", revision=2)


@pytest.fixture(params=["fake", "dynamodb"])
def pointer(request: pytest.FixtureRequest) -> GenerationPointer:
    if request.param == "fake":
        return FakePointer()
    account: Account = request.getfixturevalue("account")
    create_documents_table(account)
    return DynamoGenerationPointer(account.resource("dynamodb"), table=DOCUMENTS_TABLE, name="chunks")


def test_before_the_first_write_there_is_nothing(pointer: GenerationPointer) -> None:
    assert pointer.read() is None


def test_what_is_written_is_read_back_whole(pointer: GenerationPointer) -> None:
    for generations in (FIRST, SECOND):
        assert pointer.write(generations)
        assert pointer.read() == generations


def test_a_write_that_does_not_follow_the_last_is_refused(pointer: GenerationPointer) -> None:
    assert not pointer.write(SECOND)
    assert pointer.write(FIRST)
    assert not pointer.write(replace(FIRST, live=NEW))
    assert not pointer.write(replace(SECOND, revision=3))
    assert pointer.write(SECOND)
    assert not pointer.write(replace(SECOND, live=NEW))
    assert pointer.read() == SECOND


def test_of_many_at_once_one_is_faster(pointer: GenerationPointer) -> None:
    wanted = [replace(FIRST, live=replace(OLD, name=f"chunks-{number}")) for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        written = list(threads.map(pointer.write, wanted))
    assert sum(written) == 1
    assert pointer.read() == wanted[written.index(True)]


def test_the_pointer_is_no_document(account: Account) -> None:
    create_documents_table(account)
    resource = account.resource("dynamodb")
    assert DynamoGenerationPointer(resource, table=DOCUMENTS_TABLE, name="chunks").write(FIRST)
    assert DynamoGenerationPointer(resource, table=DOCUMENTS_TABLE, name="others").read() is None
    registry = DynamoDocumentRegistry(resource, table=DOCUMENTS_TABLE, namespace="chunks")
    assert registry.page().documents == ()


def test_a_table_that_is_not_there_is_said_to_be_so(account: Account) -> None:
    pointer = DynamoGenerationPointer(account.resource("dynamodb"), table="elsewhere", name="chunks")
    with pytest.raises(PermanentError, match="the table elsewhere can't be used: it is not there in this region"):
        pointer.read()
