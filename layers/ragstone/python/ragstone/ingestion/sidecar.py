"""The file beside a document that says what the document itself doesn't: metadata, title, who may read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.errors import Rejected
from ragstone.types import SIDECAR_SUFFIX, MetadataValue, StoredObject


class Sidecar(BaseModel):
    """`X.metadata.json` beside X."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = None
    metadata: dict[str, object] = Field(default_factory=dict)
    acl: tuple[str, ...] = ()


def with_sidecar(stored: StoredObject, content: bytes | None) -> StoredObject:
    """The object with its sidecar's fields, which win over S3's user metadata.

    A malformed sidecar rejects its document, since its access list may be in there.
    """
    if content is None:
        return stored
    sidecar = _read(content, stored.object.source + SIDECAR_SUFFIX)
    metadata = {name: _value(value) for name, value in sidecar.metadata.items() if value is not None}
    return replace(stored, title=sidecar.title, metadata={**stored.metadata, **metadata}, acl=sidecar.acl)


def _read(content: bytes, name: str) -> Sidecar:
    try:
        return Sidecar.model_validate_json(content)
    except ValidationError as error:
        raise Rejected(
            "bad_sidecar",
            f'{name} is not of the form {{"metadata": {{…}}, "acl": ["group"], "title": "…"}}. '
            "Correct it; the document is then read again by itself.",
        ) from error


def _value(value: object) -> MetadataValue:
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return tuple(str(entry) for entry in cast("list[object]", value))
    return json.dumps(cast("Mapping[str, object]", value), ensure_ascii=False)
