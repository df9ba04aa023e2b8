"""What every registry's listing keeps to: the fake's in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from dataclasses import replace

import pytest

from ragstone.aws import document_listing
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.errors import InvalidQuery
from ragstone.ports import EVERYTHING, DocumentRegistry
from ragstone.types import ChangeKind, DocumentFilter, DocumentStatus, ObjectChange, ObjectRef
from tests.support.fake_registry import FakeRegistry
from tests.support.fixtures_ministack import Account
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table

INDEXED, FAILED = DocumentStatus.INDEXED, DocumentStatus.FAILED


@pytest.fixture
def dynamodb(account: Account) -> DynamoDocumentRegistry:
    create_documents_table(account)
    return DynamoDocumentRegistry(account.resource("dynamodb"), table=DOCUMENTS_TABLE, namespace="chunks")


@pytest.fixture(params=["fake", "dynamodb"])
def registry(request: pytest.FixtureRequest) -> DocumentRegistry:
    return FakeRegistry() if request.param == "fake" else request.getfixturevalue("dynamodb")


def add(
    registry: DocumentRegistry, source: str, *, acl: tuple[str, ...] = (), status: DocumentStatus = INDEXED
) -> None:
    change = ObjectChange(ChangeKind.CREATED, ObjectRef("bucket", f"inbox/{source}"), "0A")
    record = registry.begin(change)
    assert record is not None
    assert registry.finish(replace(record, status=status, version="v1", acl=acl))


def listed(registry: DocumentRegistry, where: DocumentFilter = EVERYTHING, *, limit: int = 100) -> list[list[str]]:
    """The sources of each page."""
    pages: list[list[str]] = []
    cursor: str | None = None
    while True:
        page = registry.page(limit=limit, cursor=cursor, where=where)
        pages.append([record.source for record in page.documents])
        cursor = page.cursor
        if cursor is None:
            return pages


def test_documents_are_listed_by_the_bytes_of_their_sources(registry: DocumentRegistry) -> None:
    for source in ("é", "b/2", "b/10", "Z", "a", "\uffee", "🚢"):
        add(registry, source)
    assert listed(registry) == [["Z", "a", "b/10", "b/2", "é", "\uffee", "🚢"]]


def test_a_prefix_shows_what_lies_below_it(registry: DocumentRegistry) -> None:
    for source in ("a/1", "b/1", "b/2", "b", "c/1"):
        add(registry, source)
    assert listed(registry, DocumentFilter(prefix="b/")) == [["b/1", "b/2"]]
    assert listed(registry, DocumentFilter(prefix="d")) == [[]]


def test_a_status_shows_the_documents_that_have_it(registry: DocumentRegistry) -> None:
    for number in range(6):
        add(registry, f"{number}", status=FAILED if number % 2 else INDEXED)
    assert listed(registry, DocumentFilter(status=FAILED)) == [["1", "3", "5"]]
    assert listed(registry, DocumentFilter(status=DocumentStatus.EMPTY)) == [[]]


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (None, ["board", "both", "crew", "open"]),
        ((), ["open"]),
        (("crew",), ["both", "crew", "open"]),
        (("board", "crew"), ["board", "both", "crew", "open"]),
        (("cre",), ["open"]),
    ],
)
def test_a_listing_shows_what_the_groups_may_read(
    registry: DocumentRegistry, groups: tuple[str, ...] | None, expected: list[str]
) -> None:
    add(registry, "open")
    add(registry, "crew", acl=("crew",))
    add(registry, "board", acl=("board",))
    add(registry, "both", acl=("crew", "board"))
    assert listed(registry, DocumentFilter(groups=groups)) == [expected]


def test_conditions_hold_together(registry: DocumentRegistry) -> None:
    add(registry, "a/open", status=FAILED)
    add(registry, "a/hidden", status=FAILED, acl=("board",))
    add(registry, "a/fine")
    add(registry, "b/open", status=FAILED)
    assert listed(registry, DocumentFilter(prefix="a/", status=FAILED, groups=("crew",))) == [["a/open"]]


def test_filtered_pages_are_full(registry: DocumentRegistry) -> None:
    for number in range(12):
        add(registry, f"{number:02}", status=FAILED if number % 3 == 0 else INDEXED)
    assert listed(registry, DocumentFilter(status=INDEXED), limit=3) == [
        ["01", "02", "04"],
        ["05", "07", "08"],
        ["10", "11"],
    ]


def test_a_page_takes_as_many_reads_as_it_needs(
    dynamodb: DynamoDocumentRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_listing, "READ_AT_ONCE", 2)
    for number in range(12):
        add(dynamodb, f"{number:02}", status=FAILED if number in (5, 10, 11) else INDEXED)
    assert listed(dynamodb, DocumentFilter(status=FAILED), limit=2) == [["05", "10"], ["11"]]


def test_a_rare_match_leaves_a_page_short_and_goes_on(
    dynamodb: DynamoDocumentRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_listing, "READ_AT_ONCE", 2)
    monkeypatch.setattr(document_listing, "MOST_READS", 2)
    for number in range(10):
        add(dynamodb, f"{number}", status=FAILED if number == 8 else INDEXED)
    assert listed(dynamodb, DocumentFilter(status=FAILED)) == [[], [], ["8"]]


@pytest.mark.parametrize(
    "content",
    [
        b'{"pk": "chunks#1", "namespace": "other", "source": "a.txt"}',
        b'{"pk": "chunks#1", "namespace": "chunks", "source": "b.txt"}',
        b'{"source": "a.txt"}',
        b"nonsense",
        b"[]",
    ],
)
def test_a_cursor_from_elsewhere_is_refused(dynamodb: DynamoDocumentRegistry, content: bytes) -> None:
    with pytest.raises(InvalidQuery, match="start without one"):
        dynamodb.page(cursor=urlsafe_b64encode(content).decode(), where=DocumentFilter(prefix="a"))
