"""Ctrl-C ends `ragstone local up` whenever it comes, whole, and the next start works.

This file's name puts it before the tests that share one environment, beside which it could not start another.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from ragstone.cli.local import running
from ragstone.cli.local.places import LOGS
from ragstone.cli.local.running import Running
from tests.support.command import RAGSTONE

pytestmark = pytest.mark.e2e

START_S = 120
STOP_S = 15


@pytest.fixture
def up(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`ragstone local up` as a shell starts it; whatever a failed test leaves is stopped."""
    found = running.read()
    if found is not None and found.is_owned:
        pytest.skip("the local environment runs; stop it first: ragstone local down")
    with (tmp_path / "output").open("wb") as output:
        command = [RAGSTONE, "local", "up", "--no-samples"]
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    with process:
        yield process
        if process.poll() is None:
            process.kill()
            subprocess.run([RAGSTONE, "local", "down"], check=True)


def written(process: subprocess.Popen[bytes], condition: Callable[[Running], object]) -> Running:
    """What the starting process has written down once it fulfils a condition."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        found = running.read()
        if found is not None and found.owner == process.pid and condition(found):
            return found
        time.sleep(0.05)
    pytest.fail("it never came so far")


def interrupt(process: subprocess.Popen[bytes], started: Running) -> None:
    process.send_signal(signal.SIGINT)
    assert process.wait(STOP_S) == 0
    assert not any(map(running.is_alive, started.groups))
    assert running.read() is None
    status = subprocess.run([RAGSTONE, "local", "status"], check=False, capture_output=True, text=True)
    assert (status.returncode, status.stdout) == (1, "not running; start it with: make local\n")


def test_ctrl_c_during_the_deployment_leaves_nothing_behind(up: subprocess.Popen[bytes]) -> None:
    deploying = written(up, lambda found: len(found.groups) == 2 and (LOGS / "cdk-deploy.log").exists())
    time.sleep(3)  # until the CDK's command runs the app, and the app what it needs
    assert running.read() == deploying
    interrupt(up, deploying)


def test_ctrl_c_once_it_is_ready_leaves_nothing_behind(up: subprocess.Popen[bytes]) -> None:
    started = written(up, lambda found: found.api_url)
    assert started.is_ready
    assert httpx2.get(f"{started.api_url}/v1/health").json() == {"status": "ok"}
    assert os.getpgid(up.pid) not in started.groups
    interrupt(up, started)
