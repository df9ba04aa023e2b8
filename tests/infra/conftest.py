"""The app as each environment synthesises it, once a session."""

from __future__ import annotations

import pytest

from infra.settings import load
from tests.infra.templates import Templates, synthesise


@pytest.fixture(scope="session")
def dev(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    return synthesise(load("dev"), tmp_path_factory.mktemp("dev"))


@pytest.fixture(scope="session")
def prod(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    return synthesise(load("prod"), tmp_path_factory.mktemp("prod"))


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    return synthesise(load("local"), tmp_path_factory.mktemp("local"))


@pytest.fixture(scope="session", params=["dev", "prod"])
def deployed(request: pytest.FixtureRequest) -> Templates:
    """Each environment on AWS in turn."""
    return request.getfixturevalue(request.param)
