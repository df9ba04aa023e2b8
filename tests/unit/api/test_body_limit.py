from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from ragstone.api.body_limit import BodyLimit


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    app.add_middleware(BodyLimit, most_bytes=1_000_000)

    @app.post("/size")
    async def size(request: Request) -> int:  # pyright: ignore[reportUnusedFunction]
        return len(await request.body())

    return TestClient(app)


def test_a_body_within_the_limit_is_read(client: TestClient) -> None:
    assert client.post("/size", content=b"x" * 1_000_000).json() == 1_000_000


def test_a_longer_body_is_refused_with_what_to_do(client: TestClient) -> None:
    reply = client.post("/size", content=b"x" * 1_000_001)
    assert (reply.status_code, reply.json()["code"]) == (413, "too_large")
    assert "POST /v1/documents" in reply.json()["detail"]


def test_a_body_that_doesn_t_tell_its_length_is_cut_off(client: TestClient) -> None:
    def pieces() -> Iterator[bytes]:
        yield from [b"x" * 600_000] * 2

    assert client.post("/size", content=pieces()).status_code == 413
