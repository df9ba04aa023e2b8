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
    """Print what is wrong with the chunks that ingestion would make of a file; 1 if anything is, else 0."""
    return _run(chunked(path, settings).chunks, settings, as_json=as_json)


def of_index(environment: Environment, *, as_json: bool) -> int:
    """The same for the index of an environment, with the settings that its query function has."""
    function = environment.client("lambda").get_function_configuration(
        FunctionName=environment.outputs["QueryFunction"]
    )
    settings = Settings.from_environment(function["Environment"]["Variables"])
    return _run(build_reader(settings).chunks(), settings, as_json=as_json)


def _run(chunks: Iterable[Chunk], settings: Settings, *, as_json: bool) -> int:
    counted, problems = _Counted(chunks), 0
    for problem in audit(counted, max_bytes=longest_text(settings.embedder)):
        problems += 1
        sys.stdout.write(f"{json.dumps(asdict(problem), ensure_ascii=False) if as_json else _as_text(problem)}\n")
    if not as_json:
        sys.stdout.write(f"{counted.count} chunks, {problems} problems\n")
    return int(problems > 0)


def _as_text(problem: Problem) -> str:
    return f"{problem.source}: {problem.kind}: {problem.message} ({problem.chunk_id})"
