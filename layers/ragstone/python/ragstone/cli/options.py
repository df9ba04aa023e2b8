"""The options that many sub-commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EnvOption = Annotated[str, typer.Option("--env", help="The environment: local, or a deployed one.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
There = Annotated[Path, typer.Argument(exists=True)]
