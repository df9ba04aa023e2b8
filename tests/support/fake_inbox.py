"""An inbox in memory; it passes the same contract as S3's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from ragstone.types import INBOX, SIDECAR_SUFFIX, InboxObject, ObjectRef, ObjectVersion, VersionPage
from tests.support.fake_store import FakeStore, etag_of

START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class FakeInbox:
    """Objects in a store, with the history of each; every change happens a second after the one before."""

    bucket: str = "bucket"
    store: FakeStore = field(default_factory=FakeStore)
    history: dict[str, list[ObjectVersion]] = field(default_factory=dict[str, list[ObjectVersion]])
    changes: int = 0

    def upload_url(self, source: str, *, content_type: str, seconds: int) -> str:
        return f"https://{self.bucket}/{INBOX}{source}?type={content_type}&seconds={seconds}"

    def write(self, source: str, content: bytes, content_type: str) -> None:
        self.store.write(self._place(source), content, content_type)
        self._note(source, content)

    def touch(self, source: str) -> bool:
        content = self.store.objects.get(self._place(source))
        if content is None:
            return False
        self._note(source, content)
        return True

    def delete(self, source: str) -> None:
        for name in (source, source + SIDECAR_SUFFIX):
            if self.store.objects.pop(self._place(name), None) is not None:
                self._note(name, None)

    def versions(self, source: str, *, limit: int = 100, cursor: str | None = None) -> VersionPage:
        newest_first = self.history.get(source, [])[::-1]
        start = next((n + 1 for n, version in enumerate(newest_first) if version.version_id == cursor), 0)
        shown = tuple(newest_first[start : start + limit])
        return VersionPage(shown, shown[-1].version_id if start + limit < len(newest_first) else None)

    def objects(self, prefix: str = "", *, after: str = "") -> Iterator[InboxObject]:
        for source in sorted(self.history, key=str.encode):
            current = self.history[source][-1]
            is_document = not source.endswith(("/", SIDECAR_SUFFIX))
            if is_document and not current.is_deletion and source.startswith(prefix) and source > after:
                yield InboxObject(source, current.etag, current.modified_at)

    def _note(self, source: str, content: bytes | None) -> None:
        self.changes += 1
        version = ObjectVersion(
            version_id=f"v{self.changes}",
            modified_at=START + timedelta(seconds=self.changes),
            size=len(content or b""),
            etag="" if content is None else etag_of(content),
            is_current=True,
            is_deletion=content is None,
        )
        older = [replace(each, is_current=False) for each in self.history.get(source, [])]
        self.history[source] = [*older, version]

    def _place(self, source: str) -> ObjectRef:
        return ObjectRef(self.bucket, INBOX + source)
