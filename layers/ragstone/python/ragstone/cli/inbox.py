"""Drops files into an environment's inbox and waits until their fate is known."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragstone.cli.api import Api
from ragstone.cli.environment import Environment
from ragstone.errors import TransientError
from ragstone.types import INBOX, SIDECAR_SUFFIX

POLL_SECONDS = 0.3
WAIT_SECONDS = 300
UNFINISHED = ("processing", "failed")


@dataclass(frozen=True, slots=True)
class Inbox:
    """The documents bucket of one environment, seen with the statuses of what was dropped there."""

    environment: Environment

    def put(self, files: Iterable[tuple[Path, str]]) -> dict[str, str]:
        """Upload files under their sources, sidecars first; returns the documents' statuses before, for `wait`.

        Documents with an access list are left out: the API shows them to their readers only.
        """
        before = self._stamps()
        s3, bucket = self.environment.client("s3"), self.environment.outputs["DocumentsBucket"]
        sidecars, documents = _sidecars_apart(files)
        for source, path in (*sidecars.items(), *documents.items()):
            s3.upload_file(str(path), bucket, f"{INBOX}{source}")
        shown = (source for source in documents if not _is_restricted(sidecars.get(source + SIDECAR_SUFFIX)))
        return {source: before.get(source, "") for source in shown}

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


def _is_restricted(sidecar: Path | None) -> bool:
    try:
        return sidecar is not None and bool(json.loads(sidecar.read_bytes()).get("acl"))
    except (ValueError, AttributeError):
        return False  # ingestion will say what is wrong with it


def _is_settled(row: dict[str, Any], before: str) -> bool:
    return row["updated_at"] > before and row["status"] not in UNFINISHED
