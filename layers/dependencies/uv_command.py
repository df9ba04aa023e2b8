"""Runs the uv that is locked with everything else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from uv import find_uv_bin

PYTHON_VERSION = "3.13"
"""What Lambda runs functions with."""


class LayerError(Exception):
    """A layer can't be built for the platform; the message says which package is in the way."""


def run_uv(arguments: Sequence[str], *, cwd: Path) -> str:
    """What the command prints; raises LayerError with what it complains of."""
    command = [find_uv_bin(), "--quiet", "--color", "never", "--no-python-downloads", *arguments]
    # pyenv's commands for its Pythons fail for those that are not chosen.
    environment = {**os.environ, "PYENV_VERSION": PYTHON_VERSION}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=environment)  # noqa: S603
    if done.returncode:
        raise LayerError(done.stderr.strip())
    return done.stdout
