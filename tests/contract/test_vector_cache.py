"""What every vector cache keeps to: the fake in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from ragstone.aws.vector_cache import DynamoVectorCache
from ragstone.cli.local.running import free_port
from ragstone.errors import PermanentError, TransientError
from ragstone.ports import VectorCache
from tests.support.fake_vector_cache import FakeVectorCache
from tests.support.fixtures_ministack import Account

TABLE = "vectors"
ONE, OTHER = [0.5, -0.25, 0.0], [1.0, 0.0, 0.125]  # exact as float32


def dynamodb(resource: Any, **options: Any) -> DynamoVectorCache:
    return DynamoVectorCache(resource, table=TABLE, ttl_days=2, **options)


@pytest.fixture
def resource(account: Account) -> Any:
    create_table(account)
    return account.resource("dynamodb")


def create_table(account: Account, key: str = "key") -> None:
    account.client("dynamodb").create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": key, "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"}],
    )


@pytest.fixture(params=["fake", "dynamodb"])
def vectors(request: pytest.FixtureRequest) -> VectorCache:
    return FakeVectorCache() if request.param == "fake" else dynamodb(request.getfixturevalue("resource"))


def test_what_was_put_comes_back_by_its_key(vectors: VectorCache) -> None:
    vectors.put({"a": ONE, "b": OTHER})
    assert vectors.get(["b", "a"]) == {"a": ONE, "b": OTHER}


def test_vectors_come_back_as_float32_holds_them(vectors: VectorCache) -> None:
    vectors.put({"a": [0.1, 1 / 3]})
    assert vectors.get(["a"]) == {"a": [0.10000000149011612, 0.3333333432674408]}


def test_unknown_keys_are_left_out(vectors: VectorCache) -> None:
    vectors.put({"a": ONE})
    assert vectors.get(["a", "b"]) == {"a": ONE}


def test_a_key_that_is_asked_for_twice_comes_back_once(vectors: VectorCache) -> None:
    vectors.put({"a": ONE})
    assert vectors.get(["a", "a"]) == {"a": ONE}


def test_a_later_vector_replaces_an_earlier_one(vectors: VectorCache) -> None:
    vectors.put({"a": ONE})
    vectors.put({"a": OTHER})
    assert vectors.get(["a"]) == {"a": OTHER}


def test_nothing_is_put_and_asked_for_without_harm(vectors: VectorCache) -> None:
    vectors.put({})
    assert vectors.get([]) == {}


def test_more_vectors_than_one_batch_holds_are_kept(vectors: VectorCache) -> None:
    many = {f"key-{number}": [float(number), 0.5] for number in range(256)}
    vectors.put(many)
    assert vectors.get(list(many)) == many


def test_the_longest_vectors_of_providers_fit(vectors: VectorCache) -> None:
    many = {f"key-{number}": [number / 128] * 4_096 for number in range(120)}
    vectors.put(many)
    assert vectors.get(list(many)) == many


# --- DynamoDB's own ----------------------------------------------------------------------------


class Busy:
    """A DynamoDB resource that leaves all but the first entry of a batch unprocessed, `times` times."""

    def __init__(self, resource: Any, *, times: int) -> None:
        self._resource = resource
        self._left = times
        self.sizes: list[int] = []

    def batch_get_item(self, *, RequestItems: dict[str, Any]) -> dict[str, Any]:
        now, later = self._split(RequestItems[TABLE]["Keys"])
        reply = self._resource.batch_get_item(RequestItems={TABLE: {"Keys": now}})
        return {**reply, "UnprocessedKeys": {TABLE: {"Keys": later}} if later else {}}

    def batch_write_item(self, *, RequestItems: dict[str, Any]) -> dict[str, Any]:
        now, later = self._split(RequestItems[TABLE])
        reply = self._resource.batch_write_item(RequestItems={TABLE: now})
        return {**reply, "UnprocessedItems": {TABLE: later} if later else {}}

    def _split(self, entries: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        self.sizes.append(len(entries))
        self._left -= 1
        return (entries[:1], entries[1:]) if self._left >= 0 else (entries, ())


def test_what_a_batch_leaves_over_is_tried_again_with_growing_pauses(resource: Any) -> None:
    pauses: list[float] = []
    wanted = {"a": ONE, "b": OTHER, "c": ONE}
    writing, reading = Busy(resource, times=2), Busy(resource, times=2)
    dynamodb(writing, sleep=pauses.append).put(wanted)
    assert dynamodb(reading, sleep=pauses.append).get(list(wanted)) == wanted
    assert writing.sizes == reading.sizes == [3, 2, 1]
    assert all(0.05 <= first <= 0.1 <= second <= 0.2 for first, second in (pauses[:2], pauses[2:]))


def test_a_table_that_stays_throttled_is_given_up(resource: Any) -> None:
    pauses: list[float] = []
    busy = dynamodb(Busy(resource, times=100), sleep=pauses.append)
    with pytest.raises(TransientError, match="vectors is throttled"):
        busy.put({f"{number}": ONE for number in range(20)})
    with pytest.raises(TransientError, match="vectors is throttled"):
        busy.get([f"{number}" for number in range(20)])
    assert len(pauses) == 10
    assert sum(pauses) < 7


def test_a_vector_is_one_small_item_that_expires_after_the_given_days(account: Account, resource: Any) -> None:
    before = int(time.time())
    dynamodb(resource).put({"a": [0.5] * 1_024})
    [item] = account.client("dynamodb").scan(TableName=TABLE)["Items"]
    assert set(item) == {"key", "vector", "expires_at"}
    assert len(item["vector"]["B"]) == 4 * 1_024
    assert 0 <= int(item["expires_at"]["N"]) - before - 2 * 86_400 <= 60


def test_requests_stay_within_dynamodb_s_limits(resource: Any) -> None:
    counting = Busy(resource, times=0)
    vectors = dynamodb(counting)
    vectors.put({f"{number}": ONE for number in range(60)})
    assert counting.sizes == [25, 25, 10]
    counting.sizes.clear()
    vectors.get([f"{number}" for number in range(230)])
    assert counting.sizes == [100, 100, 30]


def test_a_missing_table_is_a_permanent_error_that_names_the_setting(account: Account) -> None:
    with pytest.raises(PermanentError, match=r"vectors can't be used: there is no such table .*CACHE_TABLE"):
        dynamodb(account.resource("dynamodb")).get(["a"])


def test_a_table_with_another_key_is_a_permanent_error(account: Account) -> None:
    create_table(account, key="pk")
    with pytest.raises(PermanentError, match="partition key must be 'key'"):
        dynamodb(account.resource("dynamodb")).put({"a": ONE})


@pytest.mark.parametrize(
    ("code", "kind", "advice"),
    [
        ("ThrottlingException", TransientError, "does not answer"),
        ("ProvisionedThroughputExceededException", TransientError, "does not answer"),
        ("InternalServerError", TransientError, "does not answer"),
        ("AccessDeniedException", PermanentError, "grant dynamodb:BatchGetItem and dynamodb:BatchWriteItem"),
    ],
)
def test_a_refusal_says_whether_a_retry_may_help(
    account: Account, code: str, kind: type[Exception], advice: str
) -> None:
    resource = account.resource("dynamodb")
    with Stubber(resource.meta.client) as stubber:
        stubber.add_client_error("batch_get_item", code)
        stubber.add_client_error("batch_write_item", code)
        with pytest.raises(kind, match=advice):
            dynamodb(resource).get(["a"])
        with pytest.raises(kind, match=advice):
            dynamodb(resource).put({"a": ONE})


def test_a_service_that_can_t_be_reached_is_a_transient_error() -> None:
    away: Any = boto3.resource(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{free_port()}",
        region_name="eu-central-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(TransientError, match="vectors can't be reached"):
        dynamodb(away).put({"a": ONE})
