"""Time to the first event of POST /v1/query beside a bare ASGI stream, and what 32 askers get done beside one.

All under one server, over loopback, and each way takes its turn. "Found already" leaves the search out, "embedded
index" has it. Askers wait for a model that writes for a quarter of a second: most of an answer's time is a model's.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Mount, Route

from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.api.app import make_app
from ragstone.embedding import build_embedder
from ragstone.types import Prompt, TextDelta, TokenUsage
from tests.support.builders import evidence, passage
from tests.support.finder import Finder
from tests.support.routes import asking_of
from tests.support.sample_service import sample_app, sample_questions
from tests.support.serving import served

ROUNDS, WARM_UP = 200, 20
ASKERS, ANSWERS_EACH = 32, 8
PIECES, PAUSE_SECONDS = 25, 0.01
FOUND = evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8))
QUESTION = "When does the night ferry run?"
CLAIM = '{"sentence": "The night ferry runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}'


class Pace(NamedTuple):
    a_second: float
    processor_ms: float


class SlowModel:
    """Writes one claim in pieces, with a pause before each."""

    spec = "slow"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        size = -(-len(CLAIM) // PIECES)
        for start in range(0, len(CLAIM), size):
            await asyncio.sleep(PAUSE_SECONDS)
            yield TextDelta(CLAIM[start : start + size])
        yield TokenUsage(self.spec, 100, 20)


async def bare(request: Request) -> StreamingResponse:
    """The least that streams an event: the body is read, nothing is looked at."""
    await request.body()

    async def events() -> AsyncGenerator[str]:
        yield "event: meta\ndata: {}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


def main() -> None:
    with TemporaryDirectory() as folder:
        mounted = {
            "found already": make_app(asking_of(Finder(FOUND), ExtractiveAnswerer(build_embedder("wordllama")))),
            "embedded index": sample_app(Path(folder)),
            "slow model": make_app(asking_of(Finder(FOUND), ChatAnswerer(SlowModel()))),
        }
        mounts = [Mount(f"/{_slug(name)}", app) for name, app in mounted.items()]
        with served(Starlette(routes=[Route("/bare/v1/query", bare, methods=["POST"]), *mounts])) as url:
            _report_first_events(url)
            asyncio.run(_report_askers(url))


def _report_first_events(url: str) -> None:
    ways = {"bare": QUESTION, "found already": QUESTION, "embedded index": sample_questions()[0]}
    taken: dict[str, list[float]] = {name: [] for name in ways}
    with httpx2.Client(base_url=url) as client:
        for _ in range(ROUNDS + WARM_UP):
            for name, question in ways.items():
                taken[name].append(_first_event_ms(client, name, question))
    kept = {name: median(times[WARM_UP:]) for name, times in taken.items()}
    write("first event")
    for name, milliseconds in kept.items():
        over = milliseconds - kept["bare"]
        write(f"  {name:<16} {milliseconds:6.2f} ms {milliseconds / kept['bare']:6.2f} x bare {over:+7.2f} ms")


def _first_event_ms(client: httpx2.Client, name: str, question: str) -> float:
    began = time.perf_counter()
    with client.stream("POST", f"/{_slug(name)}/v1/query", json={"question": question}) as response:
        events = response.iter_bytes()
        next(events)
        taken = (time.perf_counter() - began) * 1_000
        for _ in events:
            """The connection is free for the next one only once all is read."""
    return taken


async def _report_askers(url: str) -> None:
    for name, question in {"slow model": QUESTION, "embedded index": sample_questions()[0]}.items():
        alone, together = [await _asked(url, name, question, askers=n) for n in (1, ASKERS)]
        write(f"answers a second, {name}")
        for askers, found in ((1, alone), (ASKERS, together)):
            ratio = found.a_second / alone.a_second
            processor = f"{found.processor_ms:6.1f} ms of the processor each"
            write(f"  {askers:>2} at once {found.a_second:6.1f} {ratio:6.1f} x {processor}")


async def _asked(url: str, name: str, question: str, *, askers: int) -> Pace:
    """Askers who each ask some questions, one after the other; the processor's time is theirs and the server's."""
    body = {"question": question, "stream": False}
    limits = httpx2.Limits(max_connections=askers, max_keepalive_connections=askers)

    async with httpx2.AsyncClient(base_url=url, timeout=60, limits=limits) as client:

        async def ask(times: int) -> None:
            for _ in range(times):
                reply = await client.post(f"/{_slug(name)}/v1/query", json=body)
                assert _is_answered(reply.raise_for_status().json())

        await asyncio.gather(*(ask(1) for _ in range(askers)))
        began, busy = time.perf_counter(), time.process_time()
        await asyncio.gather(*(ask(ANSWERS_EACH) for _ in range(askers)))
        answers = askers * ANSWERS_EACH
        return Pace(answers / (time.perf_counter() - began), (time.process_time() - busy) / answers * 1_000)


def _is_answered(reply: Mapping[str, Any]) -> bool:
    return bool(reply["answer"]) and not reply["refused"]


def _slug(name: str) -> str:
    return name.replace(" ", "-")


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
