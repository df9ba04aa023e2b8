"""What a caller may do to documents: whoever may not read one may not overwrite it either."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragstone.errors import SourceTaken
from ragstone.ports import DocumentRegistry
from ragstone.types import DocumentFilter, ObjectRef


def check_free(registry: DocumentRegistry, places: Iterable[ObjectRef], groups: Sequence[str]) -> None:
    """Raises SourceTaken that names those which are documents the groups may not read."""
    records = (registry.get(place.document_id) for place in places)
    if taken := [record.source for record in records if record and not record.readable_by(groups)]:
        raise SourceTaken(f"{', '.join(map(repr, taken))}: a document of this name is there already; take another.")


def check_folder_free(registry: DocumentRegistry, folder: str, groups: Sequence[str]) -> None:
    """Raises SourceTaken if any document below the folder is one that the groups may not read."""
    cursor: str | None = None
    while True:
        page = registry.page(limit=1_000, cursor=cursor, where=DocumentFilter(prefix=f"{folder}/"))
        if not all(record.readable_by(groups) for record in page.documents):
            raise SourceTaken(f"Documents of others are in the folder {folder!r} already; take another.")
        cursor = page.cursor
        if cursor is None:
            return
