"""Fetches the node's jars from Maven Central and compiles its launcher, once for each change of either."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE.parents[2] / ".cache" / "opensearch"


class NoNode(Exception):
    """There is no way to run OpenSearch on this machine; the message says what is missing."""


def build(jdk: Path) -> str:
    """The node's class path; raises NoNode when the jars can't be fetched."""
    sources = sorted((HERE / "java").rglob("*.java"))
    digest = sha256(b"".join(path.read_bytes() for path in (HERE / "pom.xml", *sources))).hexdigest()[:16]
    built = CACHE / f"{digest}-{jdk.name}"
    if not built.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=CACHE))
        _fetch(draft / "jars")
        _compile(jdk, sources, jars=draft / "jars", classes=draft / "classes")
        _publish(draft, built)
    return f"{built / 'classes'}:{built / 'jars'}/*"


def _fetch(jars: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise NoNode("Maven (mvn) is not installed")
    command = [maven, "--quiet", "--batch-mode", "--file", str(HERE / "pom.xml"), "package", f"-Djars={jars}"]
    fetched = subprocess.run(command, capture_output=True, text=True, check=False)
    if fetched.returncode:
        raise NoNode(f"Maven could not fetch the node's jars: {fetched.stdout.strip()[:500]}")


def _compile(jdk: Path, sources: list[Path], *, jars: Path, classes: Path) -> None:
    command = [jdk / "bin" / "javac", "-proc:none", "-nowarn", "-cp", f"{jars}/*", "-d", classes, *sources]
    subprocess.run(command, check=True)


def _publish(draft: Path, built: Path) -> None:
    try:
        draft.rename(built)
    except OSError:  # another session was faster
        shutil.rmtree(draft)
