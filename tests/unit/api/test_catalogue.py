from __future__ import annotations

from fastapi import FastAPI
from starlette.testclient import TestClient

from ragstone.api.catalogue import Catalogue, CatalogueRoutes, Check
from ragstone.errors import TransientError


def client(**checks: Check) -> TestClient:
    catalogue = Catalogue(models=["extractive", "anthropic:x"], strategies=["hybrid", "dense"], rerankers=["llm:x"])
    app = FastAPI()
    app.include_router(CatalogueRoutes(catalogue=catalogue, checks=checks).router)
    return TestClient(app)


def asleep() -> None:
    raise TransientError("the index does not answer; try again in a moment")


def test_the_names_that_a_request_may_choose_are_listed() -> None:
    models = client().get("/v1/models").json()
    assert [model["id"] for model in models["data"]] == ["extractive", "anthropic:x"]
    assert client().get("/v1/strategies").json() == {"strategies": ["hybrid", "dense"], "rerankers": ["llm:x"]}


def test_a_process_that_answers_is_alive_whatever_is_missing() -> None:
    assert client(index=asleep).get("/v1/health").json() == {"status": "ok"}


def test_what_is_missing_is_named() -> None:
    reply = client(index=asleep, registry=lambda: None).get("/v1/health/ready")
    assert reply.status_code == 503
    assert reply.json() == {
        "status": "unavailable",
        "missing": {"index": "the index does not answer; try again in a moment"},
    }


def test_a_service_with_all_its_parts_is_ready() -> None:
    reply = client(index=lambda: 5).get("/v1/health/ready")
    assert (reply.status_code, reply.json()) == (200, {"status": "ok", "missing": {}})
