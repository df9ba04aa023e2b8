from ragstone.models import Limits
from ragstone.settings import Settings


def test_limits_come_from_the_settings() -> None:
    limits = Limits.from_settings(Settings(index_url="-", first_token_seconds=7, between_tokens_seconds=3))
    assert (limits.first_token_seconds, limits.between_tokens_seconds) == (7, 3)


def test_the_defaults_are_those_of_the_settings() -> None:
    assert Limits.from_settings(Settings(index_url="-")) == Limits()


def test_back_off_doubles_up_to_its_longest() -> None:
    assert [Limits().backoff(attempt) for attempt in range(1, 7)] == [0.5, 1, 2, 4, 8, 8]


def test_a_client_waits_longer_than_the_limits() -> None:
    assert Limits(first_token_seconds=5, between_tokens_seconds=9).read_seconds > 9
