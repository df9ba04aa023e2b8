"""`ragstone audit`: whether a file's chunks, or those of a whole index, are as they should be."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ragstone.chunking.audit import Problem, audit
from ragstone.cli.chunk import chunked
from ragstone.cli.environment import Environment
from ragstone.cli.live import live_settings
from ragstone.embedding.limits import longest_text
from ragstone.index import build_reader
from ragstone.settings import Settings
from ragstone.types import Chunk


@dataclass(slots=True)
class _Counted:
    """Chunks that are counted as they pass."""

    chunks: Iterable[Chunk]
    count: int = 0

    def __iter__(self) -> Iterator[Chunk]:
        for chunk in self.chunks:
            self.count += 1
            yield chunk


def of_file(path: Path, settings: Settings, *, as_json: bool) -> int:
    """Print what is wrong with the chunks that ingestion would make of a file; 1 if anything is, warnings apart."""
    return _run(chunked(path, settings).chunks, settings, as_json=as_json)


def of_index(environment: Environment, *, as_json: bool) -> int:
    """The same for the index of an environment that answers questions, with the settings that it was built with."""
    settings = live_settings(environment)
    return _run(build_reader(settings).chunks(), settings, as_json=as_json)


def _run(chunks: Iterable[Chunk], settings: Settings, *, as_json: bool) -> int:
    counted, problems, warnings = _Counted(chunks), 0, 0
    for problem in audit(counted, max_bytes=longest_text(settings.embedder)):
        problems, warnings = problems + (not problem.is_warning), warnings + problem.is_warning
        sys.stdout.write(f"{json.dumps(asdict(problem), ensure_ascii=False) if as_json else _as_text(problem)}\n")
    if not as_json:
        sys.stdout.write(f"{counted.count} chunks, {problems} problems, {warnings} warnings\n")
    return int(problems > 0)


def _as_text(problem: Problem) -> str:
    warning = "warning: " if problem.is_warning else ""
    return f"{problem.source}: {warning}{problem.kind}: {problem.message} ({problem.chunk_id})"
