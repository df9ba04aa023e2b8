"""Memory of the query app over 5,000 questions: what it holds after the last must be what it held after the first 500.

Every question is another one, of words that recur as a language's do: stems and tokens of some thousand words are kept
on purpose. Half of the answers are streamed, each is logged, all are extractive, from the samples on an embedded index.
On Linux, which tells what a process holds.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
from fastapi import FastAPI

from ragstone.observability.answers import AnswerLog
from tests.support.sample_service import sample_app, sample_questions

SETTLED, LAST, STEP = 500, 5_000, 500
NUMBERS = 100


def main(last: int) -> None:
    """In a process of its own, whose log is of no interest."""
    command = [sys.executable, "-m", "tests.bench.api_memory", str(last), "measure"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    held: Mapping[str, float] = json.loads(lines[-1])
    for questions, megabytes in held.items():
        sys.stdout.write(f"after {questions:>5} questions {megabytes:6.1f} MB\n")
    sys.stdout.write(f"{held[str(last)] / held[str(SETTLED)]:.3f} x what it held after {SETTLED}\n")


async def measured(app: FastAPI, last: int) -> dict[int, float]:
    """Megabytes by the number of questions that were answered."""
    held: dict[int, float] = {}
    questions = sample_questions()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://app") as client:
        for number in range(1, last + 1):
            question = f"{questions[number % len(questions)]} ({number // NUMBERS}, {number % NUMBERS})"
            body = {"question": question, "stream": number % 2 == 0}
            (await client.post("/v1/query", json=body)).raise_for_status()
            if number % STEP == 0:
                gc.collect()
                held[number] = memory_mb()
    return held


def memory_mb() -> float:
    """What this process holds now."""
    (kilobytes,) = re.findall(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(kilobytes) / 1e3


def measure(last: int) -> None:
    with TemporaryDirectory() as folder:
        log = AnswerLog(environment="local", strategy="hybrid", chat_model="extractive")
        held = asyncio.run(measured(sample_app(Path(folder), observers=(log,)), last))
    sys.stdout.write(f"\n{json.dumps(held)}\n")


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else LAST
    measure(asked) if "measure" in sys.argv else main(asked)
