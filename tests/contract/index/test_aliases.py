"""The names that stay on OpenSearch while indexes come and go."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest
from opensearchpy import OpenSearch

from ragstone.errors import PermanentError
from ragstone.index.aliases import OpenSearchAliases
from ragstone.types import Generation, Generations, Role

pytestmark = pytest.mark.opensearch


class Service:
    """A node with two indexes of one name, and what its aliases stand for; they are moved by `mover`."""

    def __init__(self, client: OpenSearch, name: str, mover: OpenSearch) -> None:
        self.client: Any = client
        self.name = name
        self.aliases = OpenSearchAliases(mover, name=name)
        self.old, self.new = (Generation(f"{name}-{n}", {}, 16, "2026-01-01T00:00:00+00:00") for n in (1, 2))
        self.building = Generations(self.old, self.new, Role.BUILDING)
        self.swapped = Generations(self.new, self.old, Role.PREVIOUS)

    def held(self) -> dict[str, dict[str, Any]]:
        """The aliases of each index, without the service's and this name's parts."""
        found = self.client.indices.get_alias(index=f"{self.name}*")
        cut = len(self.name) + 1
        return {
            index[cut:]: {alias[cut:]: flags.get("is_write_index") for alias, flags in entry["aliases"].items()}
            for index, entry in found.items()
        }


@pytest.fixture(params=["opensearch_client", "serverless"])
def service(request: pytest.FixtureRequest, opensearch_client: OpenSearch, opensearch_index: str) -> Iterator[Service]:
    made = Service(opensearch_client, opensearch_index, request.getfixturevalue(request.param))
    body = {"settings": {"number_of_shards": 1, "number_of_replicas": 0}}
    for generation in (made.old, made.new):
        opensearch_client.indices.create(index=generation.name, body=body)
    yield made
    for generation in (made.old, made.new):
        opensearch_client.indices.delete(index=generation.name)


def test_the_first_index_has_both_names(service: Service) -> None:
    service.aliases.point(Generations(service.old))
    assert service.held() == {"1": {"read": None, "write": True}, "2": {}}


def test_a_half_built_index_is_written_and_not_read(service: Service) -> None:
    service.aliases.point(Generations(service.old))
    service.aliases.point(service.building)
    assert service.held() == {"1": {"read": None, "write": True}, "2": {"write": False}}


def test_after_a_swap_the_names_are_those_of_the_new_index(service: Service) -> None:
    service.aliases.point(service.building)
    service.aliases.point(service.swapped)
    assert service.held() == {"1": {"write": False}, "2": {"read": None, "write": True}}
    service.aliases.point(Generations(service.new))
    assert service.held() == {"1": {}, "2": {"read": None, "write": True}}


def test_pointing_twice_changes_nothing(service: Service) -> None:
    for _ in range(2):
        service.aliases.point(service.swapped)
    assert service.held() == {"1": {"write": False}, "2": {"read": None, "write": True}}


def test_other_names_of_an_index_stay(service: Service) -> None:
    service.client.indices.put_alias(index=service.old.name, name=f"{service.name}-mine")
    service.aliases.point(service.swapped)
    assert service.held()["1"] == {"mine": None, "write": False}


def test_who_reads_by_name_finds_one_index_at_any_time(service: Service) -> None:
    service.aliases.point(service.building)
    done, seen = Event(), set[int]()

    def read() -> None:
        while not done.is_set():
            seen.add(len(service.client.indices.get(index=f"{service.name}-read")))

    reader = Thread(target=read)
    reader.start()
    for generations in (service.swapped, service.building) * 15:
        service.aliases.point(generations)
    done.set()
    reader.join()
    assert seen == {1}


def test_an_index_that_is_not_there_is_said_to_be_missing(service: Service) -> None:
    gone = Generation(f"{service.name}-9", {}, 16, "2026-01-01T00:00:00+00:00")
    with pytest.raises(PermanentError, match=f"point the aliases '{service.name}-read' and '{service.name}-write'"):
        service.aliases.point(Generations(gone))
