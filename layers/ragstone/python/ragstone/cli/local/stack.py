"""Brings the local environment up: MiniStack, the deployed stacks, and the query app beside them."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx2

from ragstone.cli.environment import LOCAL_CREDENTIALS, LOCAL_REGION, Environment
from ragstone.cli.local import running
from ragstone.cli.local.places import LOGS, ROOT, STATE
from ragstone.cli.local.running import Running
from ragstone.errors import RagstoneError

READY_SECONDS = 60
ACCOUNT = "000000000000"
BIN = Path(sys.executable).parent

Progress = Callable[[str], None]


def up(progress: Progress) -> Running:
    """Start everything from nothing; what an earlier, killed run left is stopped and cleared first.

    Raises RagstoneError if another shell runs it, or with the end of the log of what did not start.
    """
    found = running.read()
    if found is not None and found.is_owned:
        raise RagstoneError("the local environment runs already; stop it first: ragstone local down")
    down()
    shutil.rmtree(STATE, ignore_errors=True)
    progress("starting MiniStack")
    port = running.free_port()
    endpoint = f"http://127.0.0.1:{port}"
    started = running.start(Running(os.getpid(), endpoint), "ministack", [str(BIN / "ministack")], _ministack(port))
    _wait(f"{endpoint}/_ministack/ready", "ministack", started)
    progress("bootstrapping and deploying the stacks (cdk deploy --all -c env=local)")
    deploy(started)
    progress("starting the query app with the deployed function's environment")
    return serve(started)


def down() -> bool:
    """Stop whatever runs; False if nothing did."""
    found = running.read()
    if found is not None:
        running.stop(found)
    return found is not None


def release() -> None:
    """Stop what this process started, whole, however often Ctrl-C is pressed; what another shell runs stays."""
    found = running.read()
    if found is not None and found.owner == os.getpid():
        before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
        running.stop(found)
        for number, handler in before.items():
            signal.signal(number, handler)


def deploy(started: Running) -> None:
    """`cdk bootstrap` and `cdk deploy --all`, as for any account."""
    _cdk(started, "bootstrap", f"aws://{ACCOUNT}/{LOCAL_REGION}", "--app", "")
    _cdk(started, "deploy", "--all", "-c", "env=local", "--require-approval", "never")


def serve(started: Running) -> Running:
    """The query app under uvicorn; Lambda sets its variables, so that both read the same settings."""
    environment = Environment("local")
    function = environment.outputs["QueryFunction"]
    variables = environment.client("lambda").get_function_configuration(FunctionName=function)["Environment"]
    port = running.free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "uvicorn", "--factory", "functions.query.app:build_app"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
    ours = {**_base(), **variables["Variables"], **aws(started.endpoint)}
    started = running.start(started, "query", command, ours)
    _wait(f"{url}/v1/health", "query", started)
    return running.write(replace(started, api_url=url))


def aws(endpoint: str) -> dict[str, str]:
    """The variables that lead the AWS SDKs and the CDK to MiniStack."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_REGION": LOCAL_REGION,
        "AWS_DEFAULT_REGION": LOCAL_REGION,
        "AWS_ACCESS_KEY_ID": LOCAL_CREDENTIALS["aws_access_key_id"],
        "AWS_SECRET_ACCESS_KEY": LOCAL_CREDENTIALS["aws_secret_access_key"],
    }


def _ministack(port: int) -> dict[str, str]:
    # Lambda's workers inherit this environment: no endpoint in it, MiniStack gives them its own.
    return {**_base(), "GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "IOT_MTLS_ENABLED": "0"}


def _base() -> dict[str, str]:
    """This environment without AWS's and the CDK's variables, our interpreter's commands first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "CDK", "RAGSTONE_"))}
    return {**kept, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def _cdk(started: Running, *arguments: str) -> None:
    name = f"cdk-{arguments[0]}"
    command = [str(ROOT / "node_modules" / ".bin" / "cdk"), *arguments, "--ci", "--no-notices"]
    if running.run(started, name, command, {**_base(), **aws(started.endpoint)}):
        raise RagstoneError(f"cdk {arguments[0]} failed; the end of {LOGS / name}.log:\n{running.tail(name)}")


def _wait(url: str, name: str, started: Running) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and running.is_alive(started.groups[-1]):
        try:
            if httpx2.get(url, timeout=2).is_success:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise RagstoneError(f"{name} did not start; the end of its log:\n{running.tail(name)}")
