from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ragstone.cli.local import running
from ragstone.cli.local.running import Running

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)",
]
HEARTBEAT = "import time\nwhile True: print('alive', flush=True); time.sleep(0.01)"
PARENT = [sys.executable, "-c", f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {HEARTBEAT!r}])"]


def ours() -> Running:
    return Running(os.getpid(), "http://127.0.0.1:1")


def eventually(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.01)


def log(state: Path, name: str) -> str:
    return (state / "logs" / f"{name}.log").read_text(encoding="utf-8")


def test_nothing_runs_where_nothing_is_written() -> None:
    assert running.read() is None


def test_what_is_written_reads_back(state: Path) -> None:
    written = Running(1, "http://127.0.0.1:4566", "http://127.0.0.1:8000", (12, 13))
    assert running.write(written) == written
    assert running.read() == written
    assert [path.name for path in state.iterdir()] == ["running.json"]


def test_a_process_starts_in_a_group_of_its_own_that_is_noted() -> None:
    started = running.start(ours(), "one", SLEEP, os.environ)
    (group,) = started.groups
    assert running.read() == started
    assert os.getpgid(group) == group != os.getpgid(0)
    assert running.is_alive(group)


def test_a_process_gets_only_the_given_environment_and_its_output_is_kept(state: Path) -> None:
    print_names = [sys.executable, "-c", "import os; print(sorted(set(os.environ) - {'LC_CTYPE'}), os.getcwd())"]
    assert running.run(ours(), "names", print_names, {"ONE": "1"}) == 0
    assert log(state, "names") == f"['ONE'] {Path(__file__).parents[4]}\n"
    assert running.tail("names") == f"['ONE'] {Path(__file__).parents[4]}"


def test_the_end_of_a_log_that_is_not_there_is_empty() -> None:
    assert running.tail("none") == ""


def test_stopping_ends_every_group_and_forgets_them() -> None:
    started = running.start(running.start(ours(), "one", SLEEP, os.environ), "two", SLEEP, os.environ)
    running.stop(started)
    assert not any(map(running.is_alive, started.groups))
    assert running.read() is None


def test_a_process_that_ignores_sigterm_is_killed(state: Path) -> None:
    started = running.start(ours(), "deaf", STUBBORN, os.environ)
    eventually(lambda: log(state, "deaf"))
    running.stop(started)
    assert not running.is_alive(started.groups[0])
    assert child_of(started).returncode == -signal.SIGKILL


def test_a_group_lives_as_long_as_any_of_its_processes(state: Path) -> None:
    started = running.start(ours(), "parent", PARENT, os.environ)
    assert child_of(started).wait(10) == 0
    eventually(lambda: log(state, "parent"))
    assert running.is_alive(started.groups[0])
    running.stop(started)
    before = log(state, "parent")
    time.sleep(0.1)
    assert log(state, "parent") == before


def child_of(started: Running) -> subprocess.Popen[bytes]:
    return running._children[started.groups[-1]]  # pyright: ignore[reportPrivateUsage]


def test_a_process_that_has_ended_is_not_alive() -> None:
    started = running.start(ours(), "short", [sys.executable, "-c", ""], os.environ)
    eventually(lambda: not running.is_alive(started.groups[0]))
    assert not started.is_up
    running.stop(started)


def test_what_is_run_to_its_end_is_noted_only_meanwhile() -> None:
    noted = f"import json; print(len(json.load(open({str(running.RUNNING)!r}))['groups']))"
    wait = f"import os, time\nwhile not os.path.exists({str(running.RUNNING)!r}): time.sleep(0.01)\n{noted}\nexit(3)"
    before = running.start(ours(), "server", SLEEP, os.environ)
    assert running.run(before, "step", [sys.executable, "-c", wait], os.environ) == 3
    assert running.tail("step") == "2"
    assert running.read() == before


def test_an_environment_is_ready_when_its_api_is_known_and_all_runs() -> None:
    started = running.start(ours(), "one", SLEEP, os.environ)
    assert (started.is_up, started.is_ready) == (True, False)
    serving = Running(started.owner, started.endpoint, "http://127.0.0.1:2", started.groups)
    assert serving.is_ready
    os.killpg(started.groups[0], signal.SIGKILL)
    eventually(lambda: not serving.is_ready)


def test_a_killed_owner_is_none() -> None:
    owner = subprocess.Popen(SLEEP)
    left = Running(owner.pid, "http://127.0.0.1:1")
    assert left.is_owned
    owner.kill()
    owner.wait()
    assert not left.is_owned
    assert ours().is_owned
