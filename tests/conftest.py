"""Shared fixtures: the real servers come from tests/support, sockets are closed for everything under tests/unit."""

from __future__ import annotations

import pytest
from hypothesis import settings
from pytest_socket import disable_socket, enable_socket

pytest_plugins = ["tests.support.fixtures_opensearch", "tests.support.fixtures_ministack"]

settings.register_profile("untimed", deadline=None)  # the machines are shared: a slow example proves nothing
settings.load_profile("untimed")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A unit test that opens a socket is not one: only event loops' own Unix sockets are let through."""
    if "unit" in item.path.parts:
        disable_socket(allow_unix_socket=True)
    else:
        enable_socket()
