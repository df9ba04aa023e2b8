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
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef, GetObjectRequestTypeDef

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
        found = self._get(document, etag)
        if found is None:
            return None
        reply, content = found
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

    def _get(self, place: ObjectRef, etag: str | None = None) -> tuple[GetObjectOutputTypeDef, bytes] | None:
        """S3's reply and the object's bytes, or None if it is not there as meant; raises Rejected over the limit."""
        request: GetObjectRequestTypeDef = {"Bucket": place.bucket, "Key": place.key}
        if etag:
            request["IfMatch"] = etag
        try:
            reply = self._s3.get_object(**request)
        except ClientError as error:
            if code_of(error) in GONE:
                return None
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

    def _sidecar(self, document: ObjectRef) -> _Sidecar:
        beside = ObjectRef(document.bucket, document.key + SIDECAR_SUFFIX)
        found = self._get(beside)
        return _read_sidecar(found[1], beside.source) if found else _Sidecar()


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
