"""The Lambda Web Adapter for this machine, built once by cargo from the Rust package registry."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

VERSION = "1.0.0-rc1"
CACHE = Path(__file__).parents[2] / ".cache" / "web-adapter"


class NoAdapter(Exception):
    """The adapter can't be built on this machine; the message says why."""


def web_adapter() -> Path:
    """The adapter's binary; the first call takes minutes. Raises NoAdapter without cargo or its registry."""
    built = CACHE / VERSION
    if not built.exists():
        cargo = shutil.which("cargo")
        if cargo is None:
            raise NoAdapter("cargo is not installed (https://rustup.rs)")
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE, ignore_cleanup_errors=True) as draft:
            _install(cargo, Path(draft) / VERSION)
            (Path(draft) / VERSION).replace(built)
    return built / "bin" / "lambda-adapter"


def _install(cargo: str, root: Path) -> None:
    command = [cargo, "install", "lambda_web_adapter", "--version", VERSION, "--locked", "--quiet", "--root", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoAdapter(f"cargo could not build it: {done.stderr.strip()[-500:]}")
