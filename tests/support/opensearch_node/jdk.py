"""Finds a Java development kit that OpenSearch runs on."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

LEAST_VERSION = 21
_VERSION = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)


def find_jdk() -> Path | None:
    """The home of the newest kit among JAVA_HOME, the `java` on the path and /usr/lib/jvm; None if all are too old."""
    fitting = {home: version for home in _homes() if (version := _version(home)) >= LEAST_VERSION}
    return max(fitting, key=lambda home: fitting[home], default=None)


def _homes() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home)
    if java := shutil.which("java"):
        yield Path(java).resolve().parent.parent
    yield from sorted(Path("/usr/lib/jvm").glob("*"))


def _version(home: Path) -> int:
    """The major version that the kit's `release` file names, 0 where there is no compiler."""
    release = home / "release"
    if not release.is_file() or not (home / "bin" / "javac").is_file():
        return 0
    found = _VERSION.search(release.read_text(encoding="utf-8"))
    return int(found[1]) if found else 0
