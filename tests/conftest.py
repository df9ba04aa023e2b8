"""Shared fixtures: the real servers come from tests/support, sockets are closed for everything under tests/unit."""

from __future__ import annotations

import pytest
from hypothesis import settings
from pytest_socket import disable_socket, enable_socket

pytest_plugins = ["tests.support.fixtures_opensearch", "tests.support.fixtures_ministack"]

# Without deadlines: the machines are shared, and a slow example proves nothing.
settings.register_profile("quick", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile("quick")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A unit test that opens a socket is not one: only event loops' own Unix sockets are let through."""
    if "unit" in item.path.parts:
        disable_socket(allow_unix_socket=True)
    else:
        enable_socket()
