"""S3 behind the ObjectStore port."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from botocore.exceptions import ClientError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.aws.failures import code_of
from ragstone.errors import Rejected
from ragstone.types import SIDECAR_SUFFIX, Metadata, MetadataValue, ObjectRef, StoredObject

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

GONE = {"NoSuchKey", "NoSuchVersion", "404", "PreconditionFailed", "412"}


class _Sidecar(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str | None = None
    metadata: dict[str, object] = Field(default_factory=dict)
    acl: tuple[str, ...] = ()


class S3ObjectStore:
    """Reads documents with their metadata: S3's user metadata, overridden by the sidecar beside the object."""

    def __init__(self, client: S3Client, *, max_bytes: int) -> None:
        self._s3 = client
        self._max_bytes = max_bytes

    def read(self, document: ObjectRef, *, etag: str | None = None) -> StoredObject | None:
        try:
            if etag:
                reply = self._s3.get_object(Bucket=document.bucket, Key=document.key, IfMatch=etag)
            else:
                reply = self._s3.get_object(Bucket=document.bucket, Key=document.key)
        except ClientError as error:
            if code_of(error) in GONE:
                return None
            raise
        with reply["Body"] as body:
            self._check_size(reply["ContentLength"])
            content = body.read()
        sidecar = self._sidecar(document)
        return StoredObject(
            object=document,
            content=content,
            etag=reply["ETag"].strip('"'),
            content_type=reply.get("ContentType", ""),
            title=sidecar.title,
            metadata=_metadata({**reply.get("Metadata", {}), **sidecar.metadata}),
            acl=sidecar.acl,
        )

    def list(self, bucket: str, prefix: str, *, after: str = "") -> Iterator[tuple[str, str]]:
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix, StartAfter=after)
        for page in pages:
            for entry in page.get("Contents", ()):
                yield entry.get("Key", ""), entry.get("ETag", "").strip('"')

    def write(self, target: ObjectRef, content: bytes, content_type: str) -> None:
        self._s3.put_object(Bucket=target.bucket, Key=target.key, Body=content, ContentType=content_type)

    def _check_size(self, size: int) -> None:
        if size > self._max_bytes:
            limit, found = self._max_bytes // 1_000_000, size / 1_000_000
            raise Rejected(
                "too_large", f"The file has {found:.1f} MB; the limit is {limit} MB. Split it and drop the parts."
            )

    def _sidecar(self, document: ObjectRef) -> _Sidecar:
        try:
            reply = self._s3.get_object(Bucket=document.bucket, Key=document.key + SIDECAR_SUFFIX)
        except ClientError as error:
            if code_of(error) in GONE:
                return _Sidecar()
            raise
        return _read_sidecar(reply["Body"].read(), document.source + SIDECAR_SUFFIX)


def _read_sidecar(content: bytes, name: str) -> _Sidecar:
    """A malformed sidecar rejects its document, since its access list may be in there."""
    try:
        return _Sidecar.model_validate_json(content)
    except ValidationError as error:
        raise Rejected(
            "bad_sidecar",
            f'{name} is not of the form {{"metadata": {{…}}, "acl": ["group"], "title": "…"}}. '
            "Correct it and drop the document again.",
        ) from error


def _metadata(raw: Mapping[str, object]) -> Metadata:
    return {name: _value(value) for name, value in raw.items() if value is not None}


def _value(value: object) -> MetadataValue:
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return tuple(str(entry) for entry in cast(list[object], value))
    return json.dumps(value, ensure_ascii=False)
