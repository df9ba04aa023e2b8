"""S3 behind the ObjectStore port."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from ragstone.aws.failures import code_of, translated
from ragstone.errors import Rejected
from ragstone.sidecar import with_sidecar
from ragstone.sources import is_document
from ragstone.types import ObjectRef, StoredObject

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef, GetObjectRequestTypeDef

GONE = {"NoSuchKey", "NoSuchVersion", "404", "PreconditionFailed", "412"}
ARCHIVED = "InvalidObjectState"


class S3ObjectStore:
    """Reads documents with their metadata: S3's user metadata, overridden by the sidecar beside the object."""

    def __init__(self, client: S3Client, *, max_bytes: int) -> None:
        self._s3 = client
        self._max_bytes = max_bytes

    def read(self, document: ObjectRef, *, etag: str | None = None) -> StoredObject | None:
        found = self._get(document, etag)
        if found is None:
            return None
        reply, content = found
        stored = StoredObject(
            object=document,
            content=content,
            etag=reply["ETag"].strip('"'),
            content_type=reply.get("ContentType", ""),
            metadata=dict(reply.get("Metadata", {})),
        )
        beside = self._get(document.sidecar) if is_document(document.key) else None
        return with_sidecar(stored, beside[1] if beside else None)

    def list(self, bucket: str, prefix: str, *, after: str = "") -> Iterator[tuple[str, str]]:
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix, StartAfter=after)
        with translated(f"the bucket {bucket}"):
            for page in pages:
                for entry in page.get("Contents", ()):
                    yield entry.get("Key", ""), entry.get("ETag", "").strip('"')

    def write(self, target: ObjectRef, content: bytes, content_type: str) -> None:
        with translated(f"the bucket {target.bucket}"):
            self._s3.put_object(Bucket=target.bucket, Key=target.key, Body=content, ContentType=content_type)

    def _get(self, place: ObjectRef, etag: str | None = None) -> tuple[GetObjectOutputTypeDef, bytes] | None:
        """S3's reply and the bytes; None if it is not there as meant. Raises Rejected if too large or archived."""
        request: GetObjectRequestTypeDef = {"Bucket": place.bucket, "Key": place.key}
        if etag:
            request["IfMatch"] = etag
        with translated(f"the bucket {place.bucket}"):
            try:
                reply = self._s3.get_object(**request)
            except ClientError as error:
                if code_of(error) in GONE:
                    return None
                if code_of(error) == ARCHIVED:
                    raise Rejected("archived", f"{place.source} is archived. Restore it, and re-ingest it.") from error
                raise
            with reply["Body"] as body:
                self._check_size(place, reply["ContentLength"])
                return reply, body.read()

    def _check_size(self, place: ObjectRef, size: int) -> None:
        if size > self._max_bytes:
            limit, found = self._max_bytes // 1_000_000, size / 1_000_000
            raise Rejected(
                "too_large",
                f"{place.source} has {found:.1f} MB; the limit is {limit} MB. "
                "Make it smaller or split it, and drop it again.",
            )
