"""What every object store keeps to: the fake in memory and S3's, on MiniStack."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from botocore.stub import Stubber

from ragstone.aws.object_store import S3ObjectStore
from ragstone.errors import Rejected
from ragstone.ports import ObjectStore
from ragstone.types import SIDECAR_SUFFIX, ObjectRef
from tests.support.fake_store import FakeStore
from tests.support.fixtures_ministack import Account

PAGE = 2


class Bucket:
    """An empty bucket on S3, listed two keys a page; `listings` counts the requests for one."""

    def __init__(self, account: Account, name: str) -> None:
        self.s3 = account.client("s3")
        self.s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        self.s3.meta.events.register("provide-client-params.s3.ListObjectsV2", self._small_pages)
        self.listings = 0

    def _small_pages(self, params: dict[str, Any], **_: object) -> dict[str, Any]:
        self.listings += 1
        return {**params, "MaxKeys": PAGE}

    def store(self, max_bytes: int = 1_000_000) -> S3ObjectStore:
        return S3ObjectStore(self.s3, max_bytes=max_bytes)

    def put(self, document: ObjectRef, content: bytes, metadata: dict[str, str] | None = None) -> None:
        self.s3.put_object(Bucket=document.bucket, Key=document.key, Body=content, Metadata=metadata or {})

    def put_sidecar(self, document: ObjectRef, content: bytes) -> None:
        self.put(ObjectRef(document.bucket, document.key + SIDECAR_SUFFIX), content)


@pytest.fixture
def name() -> str:
    """A bucket's; they are shared by all accounts."""
    return f"documents-{uuid4().hex}"


@pytest.fixture
def memo(name: str) -> ObjectRef:
    return ObjectRef(name, "inbox/memo.txt")


@pytest.fixture
def bucket(account: Account, name: str) -> Bucket:
    return Bucket(account, name)


@pytest.fixture(params=["fake", "s3"])
def store(request: pytest.FixtureRequest) -> ObjectStore:
    if request.param == "fake":
        return FakeStore()
    bucket: Bucket = request.getfixturevalue("bucket")
    return bucket.store()


def write(store: ObjectStore, name: str, *keys: str) -> None:
    for key in keys:
        store.write(ObjectRef(name, key), key.encode(), "text/plain")


def test_what_is_written_reads_back(store: ObjectStore, memo: ObjectRef) -> None:
    store.write(memo, b"Mind the tide.\x00\xff", "application/octet-stream")
    found = store.read(memo)
    assert found is not None
    assert (found.object, found.content) == (memo, b"Mind the tide.\x00\xff")
    assert (found.title, found.metadata, found.acl) == (None, {}, ())


def test_writing_again_replaces(store: ObjectStore, memo: ObjectRef, name: str) -> None:
    store.write(memo, b"first", "text/plain")
    store.write(memo, b"second", "text/plain")
    found = store.read(memo)
    assert found is not None
    assert found.content == b"second"
    assert [key for key, _ in store.list(name, "")] == [memo.key]


def test_a_missing_object_is_none(store: ObjectStore, memo: ObjectRef) -> None:
    assert store.read(memo) is None
    assert store.read(memo, etag="0" * 32) is None


def test_only_the_version_that_was_meant_is_read(store: ObjectStore, memo: ObjectRef) -> None:
    store.write(memo, b"first", "text/plain")
    first = store.read(memo)
    assert first is not None
    assert store.read(memo, etag=first.etag) == first
    store.write(memo, b"second", "text/plain")
    assert store.read(memo, etag=first.etag) is None


def test_listed_etags_are_those_of_reading(store: ObjectStore, name: str) -> None:
    write(store, name, "inbox/a", "inbox/b")
    for key, etag in store.list(name, "inbox/"):
        found = store.read(ObjectRef(name, key), etag=etag)
        assert found is not None
        assert (found.content, found.etag) == (key.encode(), etag)


def test_keys_are_listed_in_order_under_the_prefix(store: ObjectStore, name: str) -> None:
    write(store, name, "inbox/b/2", "inbox/a", "reports/1", "inbox/é", "inbox/B", "inbox", "inbox/b/10")
    assert [key for key, _ in store.list(name, "inbox/")] == [
        "inbox/B",
        "inbox/a",
        "inbox/b/10",
        "inbox/b/2",
        "inbox/é",
    ]


@pytest.mark.parametrize(("after", "expected"), [("x/1", "2345"), ("x/2", "345"), ("x/35", "45"), ("x/5", "")])
def test_a_listing_goes_on_after_a_key(store: ObjectStore, after: str, expected: str, name: str) -> None:
    write(store, name, *(f"x/{number}" for number in range(1, 6)))
    assert [key for key, _ in store.list(name, "x/", after=after)] == [f"x/{number}" for number in expected]


def test_a_listing_of_nothing_is_empty(store: ObjectStore, name: str) -> None:
    assert list(store.list(name, "inbox/")) == []


def test_a_page_is_fetched_only_when_it_is_reached(bucket: Bucket, name: str) -> None:
    write(bucket.store(), name, *(f"x/{number}" for number in range(7)))
    listing = bucket.store().list(name, "x/")
    assert bucket.listings == 0
    assert [next(listing)[0] for _ in range(PAGE)] == ["x/0", "x/1"]
    assert bucket.listings == 1
    assert [key for key, _ in listing] == [f"x/{number}" for number in range(2, 7)]
    assert bucket.listings == 4


@pytest.mark.parametrize(
    "key", ["mit Leerzeichen.txt", "Fährordnung für Fahrgäste.txt", "a+b&c=d%20e.txt", "渡し船 🚢.txt", "a//b/./c.txt"]
)
def test_any_key_survives(bucket: Bucket, key: str, name: str) -> None:
    document = ObjectRef(name, f"inbox/{key}")
    store = bucket.store()
    store.write(document, b"text", "text/plain")
    bucket.put_sidecar(document, b'{"title": "Titel"}')
    found = store.read(document)
    assert found is not None
    assert (found.object, found.content, found.title) == (document, b"text", "Titel")
    assert [key for key, _ in store.list(name, "inbox/")] == [document.key, document.key + SIDECAR_SUFFIX]


def test_the_content_type_is_kept(bucket: Bucket, memo: ObjectRef) -> None:
    bucket.store().write(memo, b"{}", "application/json")
    found = bucket.store().read(memo)
    assert found is not None
    assert found.content_type == "application/json"


def test_user_metadata_is_metadata(bucket: Bucket, memo: ObjectRef) -> None:
    bucket.put(memo, b"text", {"department": "Harbour", "year": "2024"})
    found = bucket.store().read(memo)
    assert found is not None
    assert found.metadata == {"department": "Harbour", "year": "2024"}


def test_the_sidecar_gives_title_metadata_and_access_and_overrides_user_metadata(
    bucket: Bucket, memo: ObjectRef
) -> None:
    bucket.put(memo, b"text", {"department": "Harbour", "year": "2023"})
    sidecar = {
        "title": "Gezeiten & Fähren",
        "acl": ["crew", "board"],
        "metadata": {
            "year": 2024,
            "draft": False,
            "rate": 2.5,
            "tags": ["ferry", 7],
            "place": {"pier": "Süd"},
            "none": None,
        },
    }
    bucket.put_sidecar(memo, json.dumps(sidecar).encode())
    found = bucket.store().read(memo)
    assert found is not None
    assert (found.title, found.acl) == ("Gezeiten & Fähren", ("crew", "board"))
    assert found.metadata == {
        "department": "Harbour",
        "year": 2024,
        "draft": False,
        "rate": 2.5,
        "tags": ("ferry", "7"),
        "place": '{"pier": "Süd"}',
    }
    assert found.metadata["draft"] is False


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"[]",
        b'{"acl": "crew"}',
        b'{"acl": [1]}',
        b'{"acess": ["crew"]}',
        b'{"metadata": []}',
        b'{"title": "\xff"}',
        '{"title": "x"}'.encode("utf-16"),
    ],
)
def test_a_malformed_sidecar_rejects_its_document_and_says_what_to_do(
    bucket: Bucket, content: bytes, memo: ObjectRef
) -> None:
    bucket.put(memo, b"text")
    bucket.put_sidecar(memo, content)
    with pytest.raises(Rejected) as caught:
        bucket.store().read(memo)
    assert caught.value.code == "bad_sidecar"
    assert str(caught.value) == (
        'memo.txt.metadata.json is not of the form {"metadata": {…}, "acl": ["group"], "title": "…"}. '
        "Correct it; the document is then read again by itself."
    )


def test_a_file_that_is_too_large_is_rejected_and_says_what_to_do(bucket: Bucket, memo: ObjectRef) -> None:
    bucket.put(memo, b"x" * 1_250_000)
    with pytest.raises(Rejected) as caught:
        bucket.store().read(memo)
    assert caught.value.code == "too_large"
    assert str(caught.value) == (
        "memo.txt has 1.2 MB; the limit is 1 MB. Make it smaller or split it, and drop it again."
    )
    found = bucket.store(max_bytes=1_250_000).read(memo)
    assert found is not None
    assert len(found.content) == 1_250_000


def test_a_sidecar_that_is_too_large_is_rejected_too(bucket: Bucket, memo: ObjectRef) -> None:
    bucket.put(memo, b"text")
    bucket.put_sidecar(memo, json.dumps({"title": "x" * 1_000_000}).encode())
    with pytest.raises(Rejected, match=r"memo\.txt\.metadata\.json has 1\.0 MB"):
        bucket.store().read(memo)


def test_an_archived_file_is_rejected_and_says_what_to_do(bucket: Bucket, memo: ObjectRef) -> None:
    with Stubber(bucket.s3) as stub:
        stub.add_client_error("get_object", "InvalidObjectState", http_status_code=403)
        with pytest.raises(Rejected) as caught:
            bucket.store().read(memo)
    assert (caught.value.code, str(caught.value)) == (
        "archived",
        "memo.txt is archived. Restore it, and re-ingest it.",
    )
