"""Who may know of a document before ingestion is done with it."""

from __future__ import annotations

from ragstone.errors import Rejected
from ragstone.ports import DocumentRegistry, ObjectStore
from ragstone.sidecar import read_sidecar
from ragstone.sources import is_document
from ragstone.types import ChangeKind, DocumentStatus, ObjectChange


def acl_at_claim(
    change: ObjectChange, *, store: ObjectStore, registry: DocumentRegistry, hidden: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The access list that holds as soon as a change is claimed; None: the one that held before.

    Only a list that is there counts: a sidecar that is gone may be so because its document is, whose name stays
    secret. One that can't be read leaves things as they are, and hides a new document from all but `hidden`.
    """
    is_removed = change.kind is ChangeKind.DELETED and not change.permanent
    if is_removed or not is_document(change.object.key):
        return None
    try:
        beside = store.read(change.object.sidecar)
        return (read_sidecar(beside.content, change.object.source).acl or None) if beside else None
    except Rejected:
        known = registry.get(change.object.document_id)
        return hidden if known is None or known.status is DocumentStatus.DELETED else None
