"""Drops files into an environment's inbox and waits until their fate is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragstone.aws.object_store import S3ObjectStore
from ragstone.cli.api import Api
from ragstone.cli.environment import Environment
from ragstone.errors import InvalidQuery, TransientError
from ragstone.sidecar import read_sidecar, sidecar_json
from ragstone.types import INBOX, SIDECAR_SUFFIX, Metadata, MetadataValue, ObjectRef

POLL_SECONDS = 0.3
WAIT_SECONDS = 300
UNFINISHED = ("processing", "failed")
LARGEST_SIDECAR = 1_000_000


@dataclass(frozen=True, slots=True)
class Description:
    """What is said of all files of one upload; without an `acl`, documents that are there keep theirs."""

    title: str | None = None
    metadata: Metadata = field(default_factory=dict[str, MetadataValue])
    acl: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, title: str | None, metadata: Sequence[str], acl: Sequence[str] | None) -> Description:
        """Metadata as NAME=VALUE; an empty group lets everybody read. Raises InvalidQuery (`bad_metadata`)."""
        pairs = [written.partition("=") for written in metadata]
        if wrong := [name for name, equals, _ in pairs if not (name and equals)]:
            raise InvalidQuery("bad_metadata", f"{', '.join(map(repr, wrong))}: write metadata as NAME=VALUE")
        groups = None if acl is None else tuple(filter(None, acl))
        return cls(title, {name: value for name, _, value in pairs}, groups)


NOTHING_SAID = Description()


@dataclass(frozen=True, slots=True)
class Inbox:
    """The documents bucket of one environment, seen with the statuses of what was dropped there."""

    environment: Environment

    def put(self, files: Iterable[tuple[Path, str]], said: Description = NOTHING_SAID) -> dict[str, str]:
        """Upload files under their sources, sidecars first; returns the documents' statuses before, for `wait`.

        Documents with an access list are left out: the API shows them to their readers only. Raises Rejected for a
        malformed sidecar and InvalidQuery for a description that can't be, before anything is uploaded.
        """
        sidecars, documents = _sidecars_apart(files)
        written = {source: path.read_bytes() for source, path in sidecars.items()}
        if said != NOTHING_SAID:
            written |= self._described(documents, written, said)
        restricted = {source for source, content in written.items() if read_sidecar(content, _document(source)).acl}
        before = self._stamps()
        s3, bucket = self.environment.client("s3"), self.environment.outputs["DocumentsBucket"]
        for source, content in written.items():
            s3.put_object(Bucket=bucket, Key=f"{INBOX}{source}", Body=content)
        for source, path in documents.items():
            s3.upload_file(str(path), bucket, f"{INBOX}{source}")
        return {source: before.get(source, "") for source in documents if source + SIDECAR_SUFFIX not in restricted}

    def _described(self, documents: Iterable[str], written: Iterable[str], said: Description) -> dict[str, bytes]:
        """The sidecars that say it of each document."""
        names = {source: source + SIDECAR_SUFFIX for source in documents}
        if own := sorted(set(names.values()) & set(written)):
            raise InvalidQuery("has_sidecar", f"{', '.join(own)} is there already; say it in there, or upload it alone")
        if said.title is not None and len(names) > 1:
            raise InvalidQuery("bad_title", f"a title is for one file, and these are {len(names)}; leave it out")
        acls = {source: self.held(source) if said.acl is None else said.acl for source in names}
        return {
            name: sidecar_json(title=said.title, metadata=said.metadata, acl=acls[source])
            for source, name in names.items()
        }

    def held(self, source: str) -> tuple[str, ...]:
        """The access list that the document has in the bucket."""
        store = S3ObjectStore(self.environment.client("s3"), max_bytes=LARGEST_SIDECAR)
        place = ObjectRef(self.environment.outputs["DocumentsBucket"], INBOX + source)
        beside = store.read(place.sidecar)
        return read_sidecar(beside.content, source).acl if beside else ()

    def delete(self, source: str) -> dict[str, str]:
        before = self._stamps()
        bucket = self.environment.outputs["DocumentsBucket"]
        self.environment.client("s3").delete_object(Bucket=bucket, Key=f"{INBOX}{source}")
        return {source: before.get(source, "")}

    def wait(self, sources: dict[str, str], progress: Callable[[str], None] | None = None) -> list[dict[str, Any]]:
        """The statuses of the given sources once each has one that is newer than the one noted and final."""
        deadline = time.monotonic() + WAIT_SECONDS
        done = -1
        while time.monotonic() < deadline:
            rows = [row for row in Api(self.environment).documents() if row["source"] in sources]
            settled = [row for row in rows if _is_settled(row, sources[row["source"]])]
            if progress and len(settled) != done:
                done = len(settled)
                progress(f"{done} of {len(sources)} documents done")
            if len(settled) == len(sources):
                return settled
            time.sleep(POLL_SECONDS)
        raise TransientError(
            f"after {WAIT_SECONDS} s not all documents are done, or you may not read them; see: ragstone documents"
        )

    def _stamps(self) -> dict[str, str]:
        return {row["source"]: row["updated_at"] for row in Api(self.environment).documents()}


def files_under(path: Path) -> Iterator[tuple[Path, str]]:
    """A file under its name, or a folder's files under their paths in it."""
    if path.is_dir():
        for entry in sorted(path.rglob("*")):
            if entry.is_file():
                yield entry, entry.relative_to(path).as_posix()
    else:
        yield path, path.name


def _sidecars_apart(files: Iterable[tuple[Path, str]]) -> tuple[dict[str, Path], dict[str, Path]]:
    """Sidecars and documents, each by source."""
    paths = {source: path for path, source in files}
    sidecars = {source: path for source, path in paths.items() if source.endswith(SIDECAR_SUFFIX)}
    return sidecars, {source: path for source, path in paths.items() if source not in sidecars}


def _document(sidecar: str) -> str:
    return sidecar.removesuffix(SIDECAR_SUFFIX)


def _is_settled(row: dict[str, Any], before: str) -> bool:
    return row["updated_at"] > before and row["status"] not in UNFINISHED
