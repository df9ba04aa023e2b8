"""A worker whose parser breaks in the way that a file's name says."""

from __future__ import annotations

import os
import signal
import sys
import time

from ragstone.parsing import worker
from ragstone.parsing.reader import parse
from ragstone.types import ParsedDocument

BREAKS = {
    "abort": os.abort,
    "exit": lambda: os._exit(3),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "hang": lambda: time.sleep(60),
    "fail": lambda: {}["nothing"],
    "recurse": lambda: (_ for _ in ()).throw(RecursionError),
    "hoard": lambda: bytearray(400_000_000),
    "print": lambda: (sys.stdout.write("noise\n"), os.write(1, b"more noise\n")),
}
HOARD: list[bytearray] = []


def breaking(content: bytes, *, source: str) -> ParsedDocument:
    """Parse, after what the source's name asks for; "keep" holds on to memory as a leak would."""
    if source == "keep":
        HOARD.append(bytearray(b"x") * 60_000_000)
    BREAKS.get(source, lambda: None)()
    return parse(content, source=f"{source}.txt")


def pageless(content: bytes, *, source: str) -> int:
    return 0


if __name__ == "__main__":
    worker.parse, worker.pages_of = breaking, pageless
    worker.main()
