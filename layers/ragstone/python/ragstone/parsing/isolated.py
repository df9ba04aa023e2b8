"""Parses each file in a worker process whose time and memory are bounded, so that no file can harm its reader.

A worker is kept for further files as long as it is sound. It shares nothing with this process but two pipes: there is
no shared memory on Lambda, and no credentials for code that reads strangers' files.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Timer
from time import monotonic
from typing import IO, Any, Self, cast
from weakref import finalize

from pydantic import BaseModel

from ragstone.errors import Rejected
from ragstone.parsing.resumable import unkept
from ragstone.ports import Keep
from ragstone.types import ParsedDocument

_MEGABYTE = 1_000_000
_SPLIT = "split it and upload the parts."
_INHERITED = ("PATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one file may take: its own size, the time to read it, and the memory for that beyond what Python needs.

    A PDF of more pages than `pages_at_once` is read in parts of so many, each of which may take that time.
    """

    seconds: float = 60
    memory_mb: int = 1_024
    file_mb: int = 100
    pages: int = 10_000
    pages_at_once: int = 200


class Reply(BaseModel):
    """What a worker made of a file: a document, or the code and message of why there is none.

    Of a PDF that is too long for one go it tells how many `pages` that has, then `part` by part what stands on them.
    `last` says that the worker ends now; one that gives no reply has ended too.
    """

    document: ParsedDocument | None = None
    pages: int = 0
    part: str = ""
    code: str = ""
    message: str = ""
    last: bool = True


class IsolatedParser:
    """Parses like `ragstone.parsing.parse`, within limits.

    Raises Rejected also with the codes `took_too_long`, `too_large` where the memory does not suffice, and `damaged`
    where a file breaks the worker, and what `keep` raises between the parts of a long PDF. Threads may share it: files
    that are read at once have workers of their own. `worker` is the module that answers them.
    """

    def __init__(self, limits: Limits, *, worker: str = "ragstone.parsing.worker") -> None:
        self._limits = limits
        self._module = worker
        self._idle: list[subprocess.Popen[bytes]] = []
        self.close = finalize(self, _end_all, self._idle)

    def __call__(self, content: bytes, *, source: str, keep: Keep = unkept) -> ParsedDocument:
        limits = self._limits
        if len(content) > limits.file_mb * _MEGABYTE:
            raise Rejected("too_large", f"{source} is larger than {limits.file_mb} MB; {_SPLIT}")
        source = source.encode(errors="replace").decode()
        reply = self._ask("parse", content, source)
        if reply.pages:
            reply = self._ask("merge", b"\n".join(self._parts(content, source, reply.pages, keep)), source)
        if reply.document is None:
            raise Rejected(reply.code, reply.message)
        return reply.document

    def _parts(self, content: bytes, source: str, pages: int, keep: Keep) -> Iterator[bytes]:
        """What stands on the pages of a long PDF."""
        limits = self._limits
        if pages > limits.pages:
            raise Rejected("too_large", f"{source} has {pages:,} pages, more than {limits.pages:,}; {_SPLIT}")
        for first in range(0, pages, limits.pages_at_once):
            name = f"pages-{first}-{limits.pages_at_once}"
            yield keep(name, partial(self._read, content, source, first), seconds=limits.seconds)

    def _read(self, content: bytes, source: str, first: int) -> bytes:
        """What stands on the pages from the index `first` on."""
        reply = self._ask("read", content, source, first)
        if not reply.part:
            raise Rejected(reply.code, reply.message)
        return reply.part.encode()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, task: str, content: bytes, source: str, first: int = 0) -> Reply:
        pages = first, first + self._limits.pages_at_once
        request = {"task": task, "source": source, "pages": pages, "size": len(content)}
        worker, started = self._worker(), monotonic()
        deadline = Timer(self._limits.seconds, worker.kill)
        deadline.start()
        reply = Reply()
        try:
            if line := _exchange(worker, request, content):
                reply = Reply.model_validate_json(line)
        finally:
            deadline.cancel()
            if reply.last:
                _end(worker)
            else:
                self._idle.append(worker)
        return reply if line else self._breakdown(source, monotonic() - started, worker.returncode)

    def _worker(self) -> subprocess.Popen[bytes]:
        with suppress(IndexError):
            while (worker := self._idle.pop()).poll() is not None:
                _end(worker)
            return worker
        return _started(self._module, self._limits)

    def _breakdown(self, source: str, seconds: float, status: int) -> Reply:
        """Why a worker ended without a reply."""
        if seconds >= self._limits.seconds:
            message = f"{source} can't be read within {self._limits.seconds:g} seconds; {_SPLIT}"
            return Reply(code="took_too_long", message=message)
        if status == -signal.SIGKILL:  # by the system, which has no memory left
            return Reply(code="too_large", message=f"{source} takes more memory to read than there is; {_SPLIT}")
        message = f"{source} broke the program that reads it ({_named(status)}); save it anew, or in another format."
        return Reply(code="damaged", message=message)


def parse_isolated(content: bytes, *, source: str, limits: Limits) -> ParsedDocument:
    """Parse one file in a worker of its own; raises what IsolatedParser does."""
    with IsolatedParser(limits) as parser:
        return parser(content, source=source)


def _started(module: str, limits: Limits) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-P", "-m", module, str(limits.memory_mb), str(limits.seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def _exchange(worker: subprocess.Popen[bytes], request: Mapping[str, Any], content: bytes) -> bytes:
    """Send a file, and wait for the line that the worker answers with; it is empty if the worker ends instead."""
    requests, replies = cast("IO[bytes]", worker.stdin), cast("IO[bytes]", worker.stdout)
    with suppress(BrokenPipeError):
        requests.write(json.dumps(request).encode() + b"\n")
        requests.write(content)
        requests.flush()
    line = replies.readline()
    return line if line.endswith(b"\n") else b""


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    with suppress(BrokenPipeError):  # what was not sent is not to be sent
        worker.communicate()


def _end_all(workers: list[subprocess.Popen[bytes]]) -> None:
    while workers:
        _end(workers.pop())


def _named(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
