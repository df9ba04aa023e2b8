"""S3 behind the Inbox port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from botocore.exceptions import ClientError

from ragstone.aws.failures import code_of, translated
from ragstone.errors import InvalidQuery
from ragstone.sources import is_document
from ragstone.types import INBOX, SIDECAR_SUFFIX, InboxObject, ObjectVersion, VersionPage

GONE = {"404", "NoSuchKey"}
OVERWRITTEN = {"412", "PreconditionFailed"}
KEPT = (
    *("CacheControl", "ContentDisposition", "ContentEncoding", "ContentLanguage", "ContentType", "Expires"),
    *("Metadata", "StorageClass"),
)
"""What S3 forgets of an object that is copied onto itself, unless it is said again."""

ADVICE = {
    "403": "grant reading, writing and deleting of its objects below inbox/",
    "AccessDenied": "grant reading, writing and deleting of its objects below inbox/",
    "InvalidRequest": "the object is over 5 GB; upload it again instead",
    "NoSuchBucket": "there is no such bucket; check RAGSTONE_DOCUMENTS_BUCKET",
}


class S3Inbox:
    """The keys below `inbox/` of one versioned bucket; the client has to sign URLs for the bucket's Region."""

    def __init__(self, client: Any, *, bucket: str) -> None:
        self._s3 = client
        self.bucket = bucket

    def upload_url(self, source: str, *, content_type: str, seconds: int) -> str:
        target = {"Bucket": self.bucket, "Key": INBOX + source, "ContentType": content_type}
        with self._failures():  # signing needs credentials, which may be fetched just now
            return self._s3.generate_presigned_url("put_object", Params=target, ExpiresIn=seconds)

    def write(self, source: str, content: bytes, content_type: str) -> None:
        with self._failures():
            self._s3.put_object(Bucket=self.bucket, Key=INBOX + source, Body=content, ContentType=content_type)

    def touch(self, source: str) -> bool:
        with self._failures():
            found = self._head(INBOX + source)
            return found is not None and self._copy_onto_itself(INBOX + source, found)

    def delete(self, source: str) -> None:
        """The sidecar goes last: without it, its document would lose its access list for a moment."""
        with self._failures():
            for key in (INBOX + source, INBOX + source + SIDECAR_SUFFIX):
                if self._head(key) is not None:
                    self._s3.delete_object(Bucket=self.bucket, Key=key)

    def versions(self, source: str, *, limit: int = 100, cursor: str | None = None) -> VersionPage:
        key = INBOX + source
        start = {"KeyMarker": key, "VersionIdMarker": cursor} if cursor else {}
        with self._failures():
            try:
                reply = self._s3.list_object_versions(Bucket=self.bucket, Prefix=key, MaxKeys=limit, **start)
            except ClientError as error:
                if code_of(error) == "InvalidArgument":
                    raise InvalidQuery("bad_cursor", "The cursor is not one of this history; start without.") from error
                raise
        more = reply["IsTruncated"] and reply.get("NextKeyMarker") == key
        return VersionPage(_versions(reply, key), reply.get("NextVersionIdMarker") if more else None)

    def objects(self, prefix: str = "", *, after: str = "") -> Iterator[InboxObject]:
        start = {"StartAfter": INBOX + after} if after else {}
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=INBOX + prefix, **start)
        with self._failures():
            for page in pages:
                for entry in page.get("Contents", ()):
                    if is_document(entry["Key"]):
                        yield InboxObject(
                            entry["Key"].removeprefix(INBOX), entry["ETag"].strip('"'), entry["LastModified"]
                        )

    def _head(self, key: str) -> Mapping[str, Any] | None:
        try:
            return self._s3.head_object(Bucket=self.bucket, Key=key)
        except ClientError as error:
            if code_of(error) in GONE:
                return None
            raise

    def _copy_onto_itself(self, key: str, found: Mapping[str, Any]) -> bool:
        kept = {name: found[name] for name in KEPT if name in found}
        try:
            self._s3.copy_object(
                Bucket=self.bucket,
                Key=key,
                CopySource={"Bucket": self.bucket, "Key": key},
                CopySourceIfMatch=found["ETag"],
                MetadataDirective="REPLACE",
                **kept,
            )
        except ClientError as error:
            if code_of(error) in GONE:
                return False
            if code_of(error) not in OVERWRITTEN:  # by someone whose own event is on its way
                raise
        return True

    def _failures(self) -> AbstractContextManager[None]:
        return translated(f"the bucket {self.bucket}", ADVICE)


def _versions(reply: Mapping[str, Any], key: str) -> tuple[ObjectVersion, ...]:
    """Newest first: S3 lists deletions apart from the rest, and other keys with the same beginning after them."""
    stored = [
        ObjectVersion(
            entry["VersionId"], entry["LastModified"], entry["Size"], entry["ETag"].strip('"'), entry["IsLatest"]
        )
        for entry in reply.get("Versions", ())
        if entry["Key"] == key
    ]
    deletions = [
        ObjectVersion(entry["VersionId"], entry["LastModified"], 0, "", entry["IsLatest"], is_deletion=True)
        for entry in reply.get("DeleteMarkers", ())
        if entry["Key"] == key
    ]
    return tuple(sorted([*stored, *deletions], key=lambda v: (v.is_current, v.modified_at), reverse=True))
