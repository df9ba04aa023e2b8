"""One deployment of the local environment for the whole session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.inbox import Inbox, files_under
from ragstone.cli.local import running, script, stack
from ragstone.cli.local.places import SAMPLES
from ragstone.cli.local.script import Script


@pytest.fixture(scope="session")
def demo_script() -> Script:
    return script.read(SAMPLES / "demo.toml")


@pytest.fixture(scope="session")
def environment() -> Iterator[Environment]:
    found = running.read()
    if found is not None and found.is_owned:
        pytest.skip("the local environment runs; stop it first: ragstone local down")
    try:
        stack.up(print)
        yield Environment(LOCAL)
    finally:
        stack.down()


@pytest.fixture(scope="session")
def statuses(environment: Environment) -> dict[str, dict[str, object]]:
    """The sample documents, dropped, by source."""
    inbox = Inbox(environment)
    return {row["source"]: row for row in inbox.wait(inbox.put(files_under(SAMPLES / "documents")))}
