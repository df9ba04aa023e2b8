"""Bytecode beside a layer's sources.

A function can't keep what it compiles, so that without this each cold start compiles all that it imports: the query
function's imports take twice as long.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from layers.dependencies.uv_command import PYTHON_VERSION, LayerError, run_uv

LAYER_ROOT = "/opt"
"""Where Lambda unpacks layers: what tracebacks name."""

LEFT_OUT = {"eval": "with bytecode its 180 MB would leave Lambda's 250 MB no room for anything else"}
"""Dependency groups whose layers go without, each with its reason."""


@cache
def can_compile() -> bool:
    """Whether this machine has a Python of Lambda's version; another version's bytecode is of no use there."""
    try:
        run_uv(["python", "find", PYTHON_VERSION], cwd=Path.cwd())
    except LayerError:
        return False
    return True


def compile_sources(layer: Path) -> None:
    """Bytecode that is used without a look at its source, whose times a layer doesn't keep."""
    options = ["-q", "-q", "--invalidation-mode", "unchecked-hash", "-s", str(layer), "-p", LAYER_ROOT]
    # Some packages carry files that are no Python of this version; compileall goes on and exits with 1.
    script = ["-c", "import compileall; compileall.main()", *options, str(layer)]
    run_uv(["run", "--no-project", "--python", PYTHON_VERSION, "python", *script], cwd=layer)
