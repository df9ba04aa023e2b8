"""Import time of the query function, with the server and the client that it needs, beside these libraries alone.

Says as well what it imports too early: libraries that only some deployments or requests need.

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
    "opensearchpy",
    "pydantic",
    "Stemmer",
    "uvicorn",
)
NEEDED = ("opensearchpy", "uvicorn")
"""What every cold start imports beside the app's own module."""

LATER = ("anthropic", "lancedb", "langchain_text_splitters", "mcp", "numpy", "openai", "opentelemetry.sdk", "pypdf")

MEASURE = """
import importlib, json, sys, time
began = time.process_time()
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps([time.process_time() - began, len(sys.modules), [name for name in LATER if name in sys.modules]]))
"""


def main() -> None:
    _, modules, early = imported(APP, *NEEDED)  # writes bytecode, as does the next
    imported(*LIBRARIES)
    rounds = [(imported(*LIBRARIES)[0], imported(APP, *NEEDED)[0]) for _ in range(ROUNDS)]
    bare, app = (median(times) * 1_000 for times in zip(*rounds, strict=True))
    ratio = median(mine / theirs for theirs, mine in rounds)
    write(f"bare libraries      {bare:6.0f} ms of the processor")
    write(f"{APP} {app:6.0f} ms, {ratio:.2f} x, {modules} modules")
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
