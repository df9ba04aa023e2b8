"""The process that parses for IsolatedParser: requests come on standard input, one reply a line goes to the output."""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ragstone.errors import Rejected
from ragstone.parsing.reader import pages_of, parse

_MEGABYTE = 1_000_000
_MOST_FILES = 200
_GRACE = 10.0
_MOST_KEPT = 0.25
"""The share of its memory that a worker may hold on to after a file without being replaced."""
_DATA_PAGES = 5
"""Of /proc/self/statm: what RLIMIT_DATA counts."""


def main() -> None:
    """Answer requests until the input ends; the arguments are the memory in MB and the seconds that a file may take."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that a library prints gets between the replies
    logging.getLogger().addHandler(logging.NullHandler())
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that asks, which then ends this one
    allowed, seconds = int(sys.argv[1]) * _MEGABYTE, float(sys.argv[2])
    begun = data_size()
    limit_memory(begun + allowed)
    for count, line in enumerate(requests, start=1):
        request = json.loads(line)
        content = requests.read(request["size"])
        signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)  # in case that nobody is left to end it
        reply = answer(
            content,
            request,
            is_spent=lambda count=count: count >= _MOST_FILES or data_size() - begun > _MOST_KEPT * allowed,
        )
        signal.setitimer(signal.ITIMER_REAL, 0)
        replies.write(reply)
        replies.flush()


def answer(content: bytes, request: Mapping[str, Any], *, is_spent: Callable[[], bool]) -> bytes:
    """The line of a Reply; whatever goes wrong becomes one, because nobody else will tell."""
    source = request["source"]
    try:
        made = TASKS[request["task"]](content, source, request["pages"])
        return _line(**made, last=is_spent())
    except Rejected as rejected:
        return _line(code=rejected.code, message=str(rejected), last=is_spent())
    except (MemoryError, RecursionError) as error:
        what = "memory than it may take" if isinstance(error, MemoryError) else "levels than can be followed"
        return _line(code="too_large", message=f"{source} needs more {what}; split it or save it anew.", last=True)
    except Exception as error:  # noqa: BLE001  # the edge of the process
        traceback.print_exc()
        message = f"{source} can't be read ({type(error).__name__}); save it anew, or in another format."
        return _line(code="damaged", message=message, last=True)


def _parsed(content: bytes, source: str, pages: Sequence[int]) -> Mapping[str, Any]:
    """A document, or how many pages a PDF has that is too long for one go: more than `pages` names."""
    found = pages_of(content, source=source)
    return {"pages": found} if found > pages[1] else {"document": asdict(parse(content, source=source))}


def _pages_read(content: bytes, source: str, pages: Sequence[int]) -> Mapping[str, Any]:
    from ragstone.parsing.pdf_parts import read_part

    return {"part": read_part(content, source=source, first_page=pages[0], last_page=pages[1])}


def _merged(content: bytes, source: str, pages: Sequence[int]) -> Mapping[str, Any]:
    from ragstone.parsing.pdf_parts import merged

    return {"document": asdict(merged(content.splitlines(), source=source))}


TASKS = {"parse": _parsed, "read": _pages_read, "merge": _merged}


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def data_size() -> int:
    """Bytes of memory that are this process's own; 0 where the system doesn't tell."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[_DATA_PAGES]) * resource.getpagesize() if statm.exists() else 0


def limit_memory(most: int) -> None:
    """Only on Linux: elsewhere the limits are there to be set, and are not kept."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
