"""What a Serverless collection refuses is refused to the index in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from opensearchpy.exceptions import NotFoundError, RequestError

from tests.support.serverless_double import serverless_client

NOWHERE = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.indices.refresh(index="chunks"),
        lambda client: client.indices.forcemerge(index="chunks"),
        lambda client: client.delete_by_query(index="chunks", body={}),
        lambda client: client.indices.get_alias(index="chunks*"),
        lambda client: client.cluster.health(),
        lambda client: client.info(),
    ],
)
def test_an_operation_that_is_not_listed_is_not_found(ask: Callable[[Any], object]) -> None:
    with pytest.raises(NotFoundError, match="is no operation of a collection"):
        ask(serverless_client(NOWHERE))


@pytest.mark.parametrize("refresh", ["true", "wait_for"])
def test_a_write_that_asks_for_a_refresh_is_refused(refresh: str) -> None:
    client: Any = serverless_client(NOWHERE)
    with pytest.raises(RequestError, match="refresh policy is not supported"):
        client.bulk(index="chunks", body="{}\n", refresh=refresh)
