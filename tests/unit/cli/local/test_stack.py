from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from ragstone.cli.local import running, stack
from ragstone.cli.local.running import Running
from ragstone.cli.main import app
from ragstone.errors import RagstoneError

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
DEAF = [sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"]


@pytest.fixture
def elsewhere() -> Iterator[Running]:
    """An environment that another shell runs."""
    with subprocess.Popen(SLEEP) as owner:
        yield running.start(Running(owner.pid, "http://127.0.0.1:1", "http://127.0.0.1:2"), "one", SLEEP, os.environ)
        owner.kill()


def test_what_another_shell_runs_is_neither_replaced_nor_stopped(elsewhere: Running) -> None:
    with pytest.raises(RagstoneError, match="stop it first: ragstone local down"):
        stack.up(print)
    stack.release()
    assert running.read() == elsewhere
    assert elsewhere.is_ready


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_second_start_leaves_the_first_one_running(elsewhere: Running, command: str) -> None:
    result = CliRunner().invoke(app, ["local", command])
    assert isinstance(result.exception, RagstoneError)
    assert "runs already" in str(result.exception)
    assert running.read() == elsewhere
    assert elsewhere.is_ready


def test_down_stops_it_from_any_shell(elsewhere: Running) -> None:
    assert CliRunner().invoke(app, ["local", "status"]).stdout == (
        "AWS endpoint http://127.0.0.1:1\nAPI http://127.0.0.1:2\n"
    )
    assert CliRunner().invoke(app, ["local", "down"]).stdout == "stopped\n"
    assert not elsewhere.is_up
    assert running.read() is None


def test_where_nothing_runs_there_is_nothing_to_stop() -> None:
    assert CliRunner().invoke(app, ["local", "down"]).stdout == "nothing runs\n"
    status = CliRunner().invoke(app, ["local", "status"])
    assert (status.exit_code, status.stdout) == (1, "not running; start it with: make local\n")


def test_pressing_ctrl_c_again_while_it_stops_leaves_nothing_behind() -> None:
    started = running.start(Running(os.getpid(), "http://127.0.0.1:1"), "one", DEAF, os.environ)
    time.sleep(0.2)
    before = signal.getsignal(signal.SIGINT)
    impatience = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    impatience.start()
    stack.release()
    impatience.join()
    assert not started.is_up
    assert running.read() is None
    assert signal.getsignal(signal.SIGINT) is before


def test_what_did_not_deploy_says_so_with_the_end_of_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(started: Running, name: str, *_: object) -> int:
        running.LOGS.mkdir(parents=True)
        (running.LOGS / f"{name}.log").write_text("first\nno such stack\n", encoding="utf-8")
        return 1

    monkeypatch.setattr(running, "run", failing)
    with pytest.raises(RagstoneError, match=r"cdk bootstrap failed; the end of .*cdk-bootstrap\.log:\nfirst\nno such"):
        stack.deploy(Running(os.getpid(), "http://127.0.0.1:1"))
