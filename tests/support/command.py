"""The `ragstone` command in a process of its own, as people run it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

RAGSTONE = str(Path(sys.executable).parent / "ragstone")


def run_ragstone(*arguments: str, codes: Collection[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """What came of it, with what it printed; it has to end with one of the codes."""
    done = subprocess.run([RAGSTONE, *arguments], capture_output=True, check=False, text=True)
    assert done.returncode in codes, done.stdout + done.stderr
    return done
