"""Where the local environment keeps what it makes: one folder that git ignores."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[6]
"""The repository: the command runs from its checkout, editable."""

STATE = ROOT / ".ragstone"
LOGS = STATE / "logs"
INDEX = STATE / "index"
RUNNING = STATE / "running.json"
REPORTS = STATE / "reports"
SAMPLES = ROOT / "samples"
