"""A real OpenSearch node for tests: the one at OPENSEARCH_URL, else Docker's, else one assembled from its jars."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.opensearch_node.build import NoNode, build
from tests.support.opensearch_node.jdk import LEAST_VERSION, find_jdk

IMAGE = "opensearchproject/opensearch:3.5.0"
_START_S = 300
_JVM = (
    "-Xms512m",
    "-Xmx2g",
    "-XX:+UseSerialGC",
    "--add-modules=jdk.incubator.vector",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)


@contextmanager
def opensearch_node() -> Generator[str]:
    """The URL of a node that answers; it ends with the context. Raises NoNode where none can be had."""
    if url := os.environ.get("OPENSEARCH_URL"):
        yield url
        return
    with (_docker_node if _docker_answers() else _java_node)() as url:
        yield url


def _docker_answers() -> bool:
    docker = shutil.which("docker")
    return docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0


@contextmanager
def _docker_node() -> Generator[str]:
    options = ["--rm", "--detach", "--publish", "127.0.0.1::9200"]
    for setting in ("discovery.type=single-node", "DISABLE_SECURITY_PLUGIN=true", "OPENSEARCH_JAVA_OPTS=-Xmx2g"):
        options += ["--env", setting]
    container = _docker("run", *options, IMAGE)
    try:
        url = f"http://{_docker('port', container, '9200/tcp').splitlines()[0]}"
        _await_health(lambda: url)
        yield url
    finally:
        _docker("stop", container)


def _docker(*arguments: str) -> str:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True).stdout.strip()


@contextmanager
def _java_node() -> Generator[str]:
    with java_node() as node:
        yield node.url


@contextmanager
def java_node() -> Generator[JavaNode]:
    """A node from its jars that can be killed and started again. Raises NoNode where none can be had."""
    jdk = find_jdk()
    if jdk is None:
        raise NoNode(f"neither OPENSEARCH_URL nor Docker nor a Java development kit {LEAST_VERSION} or later is there")
    class_path = build(jdk)
    with tempfile.TemporaryDirectory(prefix="opensearch-", ignore_cleanup_errors=True) as folder:
        (Path(folder) / "config").mkdir()
        node = JavaNode(Path(folder), [str(jdk / "bin" / "java"), *_JVM, "-cp", class_path])
        try:
            node.start()
            yield node
        finally:
            node.process.communicate(timeout=60)  # closes its standard input, at which it ends


class JavaNode:
    """A node's process on a folder of its own; `url` stays the same when it is started again."""

    def __init__(self, home: Path, java: Sequence[str]) -> None:
        self._home = home
        self._java = java
        self._port = home / "port"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port.read_text(encoding='utf-8')}"

    def start(self) -> None:
        """Return once it answers."""
        port = self._port.read_text(encoding="utf-8") if self._port.exists() else "0"
        command = [*self._java, f"-Dhttp.port={port}", "TestNode", str(self._home)]
        with (self._home / "output").open("wb") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT)
        _await_health(self._found_url)

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self.process.kill()
        self.process.communicate()

    def _found_url(self) -> str | None:
        if self.process.poll() is not None:
            said = (self._home / "output").read_text(encoding="utf-8")
            raise RuntimeError(f"the node ended as it started:\n{said[-2000:]}")
        return self.url if self._port.exists() else None


def _await_health(find_url: Callable[[], str | None]) -> str:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        url = find_url()
        if url and _is_healthy(url):
            return url
        time.sleep(0.1)
    raise RuntimeError(f"the node did not answer within {_START_S} s")


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_cluster/health", timeout=5) as answer:
            return json.load(answer)["status"] in ("green", "yellow")
    except OSError:
        return False
