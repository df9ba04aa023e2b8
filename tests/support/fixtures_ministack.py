"""A MiniStack of the tests' own; each test gets an account of its own in it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import boto3
import httpx2
import pytest
from botocore.config import Config

from ragstone.cli.local.running import free_port


@dataclass(frozen=True)
class Account:
    """An empty AWS account on MiniStack."""

    endpoint: str
    number: str

    def _arguments(self) -> dict[str, str]:
        return {
            "endpoint_url": self.endpoint,
            "aws_access_key_id": self.number,
            "aws_secret_access_key": "test",
            "region_name": "eu-central-1",
        }

    def client(self, service: str, config: Config | None = None) -> Any:
        return cast("Any", boto3).client(service, config=config, **self._arguments())

    def resource(self, service: str) -> Any:
        return cast("Any", boto3).resource(service, **self._arguments())


@pytest.fixture(scope="session")
def ministack() -> Iterator[str]:
    """The endpoint of a MiniStack that lives as long as the session."""
    port = free_port()
    environment = {n: v for n, v in os.environ.items() if not n.startswith("AWS_")}
    process = subprocess.Popen(
        [str(Path(sys.executable).parent / "ministack")],
        env={**environment, "GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "IOT_MTLS_ENABLED": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        endpoint = f"http://127.0.0.1:{port}"
        _wait(f"{endpoint}/_ministack/ready")
        yield endpoint
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def account(ministack: str) -> Account:
    return Account(ministack, f"{random.randrange(10**11, 10**12)}")


def _wait(url: str) -> None:
    for _ in range(300):
        try:
            if httpx2.get(url, timeout=1).is_success:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    pytest.fail("MiniStack did not start")
