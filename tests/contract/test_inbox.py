"""What every inbox keeps to: the fake in memory and S3's, on MiniStack."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import boto3
import httpx2
import pytest
from botocore.stub import Stubber

from ragstone.aws.clients import PRESIGNING
from ragstone.aws.inbox import S3Inbox
from ragstone.errors import InvalidQuery, PermanentError, RagstoneError, TransientError
from ragstone.ports import Inbox
from ragstone.types import SIDECAR_SUFFIX
from tests.support.buckets import versioned_bucket
from tests.support.fake_inbox import FakeInbox
from tests.support.fake_store import etag_of
from tests.support.fixtures_ministack import Account

ODD_NAMES = ["mit Leerzeichen.txt", "Fährordnung.pdf", "a+b&c=d%20e.txt", "渡し船 🚢.txt"]


@pytest.fixture
def s3_inbox(account: Account) -> S3Inbox:
    bucket = f"documents-{uuid4().hex}"
    versioned_bucket(account, bucket)
    return S3Inbox(account.client("s3", config=PRESIGNING), bucket=bucket)


@pytest.fixture(params=["fake", "s3"])
def inbox(request: pytest.FixtureRequest) -> Inbox:
    return FakeInbox() if request.param == "fake" else request.getfixturevalue("s3_inbox")


def write(inbox: Inbox, *sources: str) -> None:
    for source in sources:
        inbox.write(source, source.encode(), "text/plain")


def sources(inbox: Inbox, prefix: str = "", *, after: str = "") -> list[str]:
    return [found.source for found in inbox.objects(prefix, after=after)]


def test_what_is_written_is_listed_with_its_etag(inbox: Inbox) -> None:
    inbox.write("a.txt", b"first", "text/plain")
    inbox.write("a.txt", b"second", "text/plain")
    (found,) = inbox.objects()
    assert (found.source, found.etag) == ("a.txt", etag_of(b"second"))
    assert found.modified_at.tzinfo is not None


def test_documents_are_listed_by_the_bytes_of_their_sources(inbox: Inbox) -> None:
    write(inbox, "é", "b/2", "b/10", "Z", "a", "\uffee", "🚢")
    assert sources(inbox) == ["Z", "a", "b/10", "b/2", "é", "\uffee", "🚢"]


def test_sidecars_and_folders_are_no_documents(inbox: Inbox) -> None:
    write(inbox, "a.txt", "a.txt" + SIDECAR_SUFFIX, "folder/")
    assert sources(inbox) == ["a.txt"]


def test_a_listing_begins_after_a_source_below_a_prefix(inbox: Inbox) -> None:
    write(inbox, "a/1", "b/1", "b/2", "b/3", "c/1")
    assert sources(inbox, "b/") == ["b/1", "b/2", "b/3"]
    assert sources(inbox, "b/", after="b/1") == ["b/2", "b/3"]
    assert sources(inbox, after="b/2") == ["b/3", "c/1"]
    assert sources(inbox, "d/") == []


def test_a_document_goes_with_its_sidecar(inbox: Inbox) -> None:
    write(inbox, "a.txt", "a.txt" + SIDECAR_SUFFIX, "a.txt.bak")
    inbox.delete("a.txt")
    assert sources(inbox) == ["a.txt.bak"]
    assert inbox.versions("a.txt" + SIDECAR_SUFFIX).versions[0].is_deletion


def test_deleting_what_is_not_there_leaves_no_trace(inbox: Inbox) -> None:
    inbox.delete("none.txt")
    assert inbox.versions("none.txt").versions == ()


def test_touching_makes_a_version_with_the_same_content(inbox: Inbox) -> None:
    inbox.write("a.txt", b"text", "text/plain")
    assert inbox.touch("a.txt")
    first, second = inbox.versions("a.txt").versions
    assert (first.etag, first.size) == (second.etag, second.size) == (etag_of(b"text"), 4)
    assert first.version_id != second.version_id


def test_what_is_gone_can_t_be_touched(inbox: Inbox) -> None:
    inbox.write("a.txt", b"text", "text/plain")
    inbox.delete("a.txt")
    assert not inbox.touch("a.txt")
    assert len(inbox.versions("a.txt").versions) == 2


def test_a_history_has_every_version_newest_first(inbox: Inbox) -> None:
    inbox.write("a.txt", b"1", "text/plain")
    inbox.delete("a.txt")
    inbox.write("a.txt", b"333", "text/plain")
    write(inbox, "a.txt.bak")
    found = inbox.versions("a.txt")
    assert [(v.size, v.is_deletion, v.is_current) for v in found.versions] == [
        (3, False, True),
        (0, True, False),
        (1, False, False),
    ]
    assert [v.etag for v in found.versions] == [etag_of(b"333"), "", etag_of(b"1")]
    assert found.cursor is None


def test_a_deleted_object_is_deleted_in_its_newest_version(inbox: Inbox) -> None:
    inbox.write("a.txt", b"1", "text/plain")
    inbox.delete("a.txt")
    newest = inbox.versions("a.txt").versions[0]
    assert (newest.is_current, newest.is_deletion) == (True, True)


def test_a_history_comes_in_pages(inbox: Inbox) -> None:
    for size in range(1, 6):
        inbox.write("a.txt", b"x" * size, "text/plain")
    sizes: list[int] = []
    cursor: str | None = None
    while True:
        page = inbox.versions("a.txt", limit=2, cursor=cursor)
        assert len(page.versions) <= 2
        sizes += [version.size for version in page.versions]
        cursor = page.cursor
        if cursor is None:
            break
    assert sizes == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("source", ODD_NAMES)
def test_any_name_survives(inbox: Inbox, source: str) -> None:
    inbox.write(source, b"text", "text/plain")
    assert inbox.touch(source)
    assert sources(inbox) == [source]
    assert len(inbox.versions(source).versions) == 2


@pytest.mark.parametrize("source", ["b.pdf", *ODD_NAMES])
def test_an_upload_url_takes_the_file(s3_inbox: S3Inbox, source: str) -> None:
    url = s3_inbox.upload_url(source, content_type="application/pdf", seconds=60)
    response = httpx2.put(url, content=b"%PDF-", headers={"Content-Type": "application/pdf"})
    assert response.status_code == 200
    (found,) = s3_inbox.objects()
    assert (found.source, found.etag) == (source, etag_of(b"%PDF-"))


def test_an_upload_url_names_the_bucket_s_region_and_ends(account: Account) -> None:
    """The default would be us-east-1's endpoint, which redirects; a redirected PUT loses its signature."""
    client: Any = boto3.client(  # pyright: ignore[reportUnknownMemberType]
        "s3", region_name="eu-south-2", aws_access_key_id="k", aws_secret_access_key="s", config=PRESIGNING
    )
    url = S3Inbox(client, bucket="documents").upload_url("a b.pdf", content_type="application/pdf", seconds=900)
    assert url.startswith("https://documents.s3.eu-south-2.amazonaws.com/inbox/a%20b.pdf?")
    assert "X-Amz-Expires=900" in url
    assert "X-Amz-SignedHeaders=content-type%3Bhost" in url


def test_touching_keeps_what_s3_knows_of_the_object(account: Account, s3_inbox: S3Inbox) -> None:
    s3, place = account.client("s3"), {"Bucket": s3_inbox.bucket, "Key": "inbox/a.txt"}
    kept = {
        "ContentType": "text/x-odd",
        "CacheControl": "no-store",
        "ContentLanguage": "de",
        "Metadata": {"department": "Harbour"},
    }
    s3.put_object(**place, Body=b"text", Tagging="kind=rota", **kept)
    assert s3_inbox.touch("a.txt")
    found = s3.head_object(**place)
    assert {name: found[name] for name in kept} == kept
    assert s3.get_object_tagging(**place)["TagSet"] == [{"Key": "kind", "Value": "rota"}]


def test_a_missing_bucket_is_named(account: Account) -> None:
    inbox = S3Inbox(account.client("s3"), bucket="no-such-bucket")
    with pytest.raises(PermanentError, match=r"no-such-bucket can't be used: .* RAGSTONE_DOCUMENTS_BUCKET"):
        inbox.write("a.txt", b"", "text/plain")


@pytest.mark.parametrize(
    ("method", "code", "expected"),
    [
        ("head_object", "403", PermanentError),
        ("head_object", "503", TransientError),
        ("copy_object", "SlowDown", TransientError),
        ("copy_object", "InvalidObjectState", PermanentError),
    ],
)
def test_s3_s_refusals_are_errors_of_ours(
    account: Account, method: str, code: str, expected: type[RagstoneError]
) -> None:
    client = account.client("s3")
    with Stubber(client) as stub:
        if method != "head_object":
            stub.add_response("head_object", {"ETag": '"1"'})
        stub.add_client_error(method, code)
        with pytest.raises(expected):
            S3Inbox(client, bucket="documents").touch("a.txt")


@pytest.mark.parametrize(("code", "is_there"), [("PreconditionFailed", True), ("NoSuchKey", False)])
def test_what_changes_during_a_touch_has_an_event_of_its_own(account: Account, code: str, is_there: bool) -> None:
    client = account.client("s3")
    with Stubber(client) as stub:
        stub.add_response("head_object", {"ETag": '"1"'})
        stub.add_client_error("copy_object", code)
        assert S3Inbox(client, bucket="documents").touch("a.txt") is is_there


def test_a_cursor_that_s3_refuses_is_the_caller_s_fault(account: Account) -> None:
    client = account.client("s3")
    with Stubber(client) as stub:
        stub.add_client_error("list_object_versions", "InvalidArgument")
        with pytest.raises(InvalidQuery, match="start without"):
            S3Inbox(client, bucket="documents").versions("a.txt", cursor="nonsense")
