"""Import time of the query function beside the bare libraries that it stands on, and what it must not import.

Each import has a process of its own, and both take turns. Times are of the processor, so that whatever else runs on the
machine doesn't count.
"""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median

ROUNDS = 9
APP = "functions.query.app"
LIBRARIES = (
    "aws_lambda_powertools",
    "aws_lambda_powertools.metrics",
    "boto3",
    "boto3.dynamodb.conditions",
    "fastapi",
    "fastapi.responses",
    "pydantic",
    "Stemmer",
)
LATER = ("anthropic", "lancedb", "langchain_text_splitters", "mcp", "numpy", "openai", "opensearchpy", "opentelemetry.sdk")
"""Imported by the first that needs them, or never in this function."""

MEASURE = """
import importlib, json, sys, time
began = time.process_time()
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps([time.process_time() - began, len(sys.modules), [name for name in LATER if name in sys.modules]]))
"""


def main() -> None:
    app, bare = list[float](), list[float]()
    for _ in range(ROUNDS + 1):
        bare.append(imported(*LIBRARIES)[0])
        seconds, modules, early = imported(APP)
        app.append(seconds)
    # The first round writes bytecode.
    ratio = median(mine / theirs for mine, theirs in zip(app[1:], bare[1:], strict=True))
    write(f"bare libraries {median(bare[1:]) * 1e3:6.0f} ms of the processor")
    write(f"{APP} {median(app[1:]) * 1e3:6.0f} ms, {ratio:.2f} x, {modules} modules")
    write(f"imported too early: {', '.join(early) or 'nothing'}")


def imported(*names: str) -> tuple[float, int, list[str]]:
    """Seconds, modules in all, and those of LATER among them."""
    command = [sys.executable, "-c", f"LATER = {LATER!r}\n{MEASURE}", *names]
    seconds, modules, early = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return seconds, modules, early


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
