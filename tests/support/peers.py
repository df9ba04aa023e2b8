"""Other frameworks, measured from a lock of their own, so that none of their packages meets this project's."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

PEERS = Path(__file__).parents[1] / "bench" / "peers"
LIBRARY = Path(__file__).parents[2] / "layers" / "ragstone" / "python"


def run_peer(script: str, *arguments: str, given: Any) -> Any:
    """What a script prints as JSON; `given` reaches it as the name of a JSON file, its last argument."""
    environment = {
        **os.environ,
        "UV_PROJECT_ENVIRONMENT": str(PEERS / ".venv"),
        "PYTHONPATH": str(LIBRARY),
        "HAYSTACK_TELEMETRY_ENABLED": "False",
    }
    with NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(given, file)
        file.flush()
        command = ["uv", "run", "--quiet", "--frozen", "--project", str(PEERS), "python", str(PEERS / script)]
        made = subprocess.run(
            [*command, *arguments, file.name], check=True, stdout=subprocess.PIPE, text=True, env=environment
        )
    return json.loads(made.stdout)
