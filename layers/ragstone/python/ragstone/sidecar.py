"""The file beside a document that says what the document itself doesn't: metadata, title, who may read it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.errors import Rejected
from ragstone.types import SIDECAR_SUFFIX, Metadata, MetadataValue, StoredObject

NOBODY = ("nobody, until its sidecar is corrected",)
"""The access list of what may be meant for few: no group is called so, since groups have no spaces."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What a sidecar says; an empty `acl` lets everybody read."""

    title: str | None
    metadata: Metadata
    acl: tuple[str, ...]


class _Written(BaseModel):
    """`X.metadata.json` beside X."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = None
    metadata: dict[str, object] = Field(default_factory=dict)
    acl: tuple[str, ...] = ()


def read_sidecar(content: bytes, source: str) -> Sidecar:
    """What the sidecar of a document says; raises Rejected (`bad_sidecar`) for a malformed one."""
    try:
        written = _Written.model_validate_json(content)
    except ValidationError as error:
        raise Rejected(
            "bad_sidecar",
            f'{source}{SIDECAR_SUFFIX} is not of the form {{"metadata": {{…}}, "acl": ["group"], "title": "…"}}. '
            "Correct it; the document is then read again by itself.",
        ) from error
    metadata = {name: _value(value) for name, value in written.metadata.items() if value is not None}
    return Sidecar(written.title, metadata, written.acl)


def with_sidecar(stored: StoredObject, content: bytes | None) -> StoredObject:
    """The object with its sidecar's fields, which win over S3's user metadata.

    A malformed sidecar rejects its document, since its access list may be in there.
    """
    if content is None:
        return stored
    beside = read_sidecar(content, stored.object.source)
    return replace(stored, title=beside.title, metadata={**stored.metadata, **beside.metadata}, acl=beside.acl)


def sidecar_json(*, title: str | None = None, metadata: Metadata | None = None, acl: Sequence[str] = ()) -> bytes:
    """A sidecar to be written; what is empty is left out."""
    given: dict[str, Any] = {"title": title, "metadata": metadata, "acl": acl}
    return json.dumps({name: value for name, value in given.items() if value}, ensure_ascii=False).encode()


def _value(value: object) -> MetadataValue:
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return tuple(str(entry) for entry in cast("list[object]", value))
    return json.dumps(cast("Mapping[str, object]", value), ensure_ascii=False)
