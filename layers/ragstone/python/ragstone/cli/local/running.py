"""What runs locally, written down so that another shell, or the next start, finds it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ragstone.cli.local.places import LOGS, ROOT, RUNNING

GRACE_SECONDS = 5.0
_children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True, slots=True)
class Running:
    """The local environment's addresses and the process groups that serve them."""

    owner: int
    """The process that started it and stops it again."""

    endpoint: str
    api_url: str = ""
    groups: tuple[int, ...] = ()

    @property
    def is_up(self) -> bool:
        return all(map(is_alive, self.groups))

    @property
    def is_ready(self) -> bool:
        return bool(self.api_url) and self.is_up

    @property
    def is_owned(self) -> bool:
        """Whether whoever started it is still there; a killed owner leaves its processes behind."""
        try:
            os.kill(self.owner, 0)
        except ProcessLookupError:
            return False
        return True


def read() -> Running | None:
    """What is written down, or None."""
    try:
        values: dict[str, Any] = json.loads(RUNNING.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return Running(values["owner"], values["endpoint"], values["api_url"], tuple(values["groups"]))


def write(running: Running) -> Running:
    RUNNING.parent.mkdir(parents=True, exist_ok=True)
    draft = RUNNING.with_suffix(".part")
    draft.write_text(json.dumps(asdict(running)), encoding="utf-8")
    draft.replace(RUNNING)
    return running


def start(running: Running, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Running:
    """Start a process in a group of its own and note the group before anything else can happen."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with (LOGS / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _children[process.pid] = process
    return write(replace(running, groups=(*running.groups, process.pid)))


def run(running: Running, name: str, command: Sequence[str], environment: Mapping[str, str]) -> int:
    """A process's exit code; while it runs it is noted like the others, so that stopping them stops it too."""
    started = start(running, name, command, environment)
    code = _children[started.groups[-1]].wait()
    write(running)
    return code


def stop(running: Running) -> None:
    """End every process group, first politely, and forget them."""
    for number, wait in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, GRACE_SECONDS)):
        for group in reversed(running.groups):
            with suppress(ProcessLookupError):
                os.killpg(group, number)
        deadline = time.monotonic() + wait
        while any(map(is_alive, running.groups)) and time.monotonic() < deadline:
            time.sleep(0.05)
    RUNNING.unlink(missing_ok=True)


def is_alive(group: int) -> bool:
    """Whether any process of a group still runs; a child of ours that has ended is reaped first."""
    if child := _children.get(group):
        child.poll()
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def tail(name: str, lines: int = 15) -> str:
    """The end of a process's log."""
    path: Path = LOGS / f"{name}.log"
    return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]) if path.exists() else ""
