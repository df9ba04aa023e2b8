"""S3 events, as EventBridge delivers them, to changes of documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragstone.sources import is_document
from ragstone.types import SIDECAR_SUFFIX, ChangeKind, ObjectChange, ObjectRef, Part

KINDS = {"Object Created": ChangeKind.CREATED, "Object Deleted": ChangeKind.DELETED}
PERMANENT = "Permanently Deleted"


def change_of(event: Mapping[str, Any]) -> ObjectChange | None:
    """The document change that an event tells of: None for folder markers, other keys and test events.

    EventBridge gives keys as they are; only S3's own notifications encode them.
    """
    kind = KINDS.get(event.get("detail-type", ""))
    detail = event.get("detail", {})
    if kind is None:
        return None
    key = detail["object"]["key"]
    if key.endswith(SIDECAR_SUFFIX) and is_document(key.removesuffix(SIDECAR_SUFFIX)):
        # Written or removed, what counts is the sidecar as it is then.
        document = ObjectRef(detail["bucket"]["name"], key.removesuffix(SIDECAR_SUFFIX))
        return ObjectChange(ChangeKind.CREATED, document, detail["object"]["sequencer"], part=Part.SIDECAR)
    if not is_document(key):
        return None
    return ObjectChange(
        kind=kind,
        object=ObjectRef(detail["bucket"]["name"], key),
        sequencer=detail["object"]["sequencer"],
        etag=detail["object"].get("etag", ""),
        permanent=detail.get("deletion-type") == PERMANENT,
    )
