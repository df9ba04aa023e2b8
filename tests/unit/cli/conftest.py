"""A state folder of the test's own, whatever runs in this checkout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.cli.local import running


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(running, "RUNNING", tmp_path / "state" / "running.json")
    monkeypatch.setattr(running, "LOGS", tmp_path / "state" / "logs")
    monkeypatch.setattr(running, "GRACE_SECONDS", 0.3)
    yield tmp_path / "state"
    if (found := running.read()) is not None:
        running.stop(found)
