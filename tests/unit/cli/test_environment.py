from __future__ import annotations

import os
import signal
import sys

import pytest

from ragstone.cli.environment import Environment
from ragstone.cli.local import running
from ragstone.cli.local.running import Running
from ragstone.cli.main import main
from ragstone.errors import SettingsError

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_the_local_environment_that_does_not_run_says_how_to_start_it() -> None:
    for attempt in (lambda: Environment("local").api_url, lambda: Environment("local").client("s3")):
        with pytest.raises(SettingsError, match=r"^the local environment does not run; start it with: make local$"):
            attempt()


def test_what_a_killed_run_left_written_does_not_run() -> None:
    started = running.start(Running(os.getpid(), "http://127.0.0.1:1", "http://127.0.0.1:2"), "one", SLEEP, os.environ)
    assert Environment("local").api_url == "http://127.0.0.1:2"
    running.stop(started)
    running.write(started)
    with pytest.raises(SettingsError, match="does not run"):
        _ = Environment("local").api_url


def test_the_local_environment_s_clients_reach_its_endpoint() -> None:
    running.start(Running(os.getpid(), "http://127.0.0.1:1"), "one", SLEEP, os.environ)
    meta = Environment("local").client("s3").meta
    assert (meta.endpoint_url, meta.region_name) == ("http://127.0.0.1:1", "eu-central-1")


def test_the_command_says_what_is_wrong_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ragstone", "ask", "When does the night ferry run?"])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == "ragstone: the local environment does not run; start it with: make local"
