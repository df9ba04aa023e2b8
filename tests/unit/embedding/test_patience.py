import pytest

from ragstone.embedding.patience import Patience
from ragstone.errors import PermanentError, TransientError


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    def __call__(self) -> float:
        return self.now


class Call:
    """Fails with the given errors in turn, then answers; `None` as the last error repeats the one before for ever."""

    def __init__(self, *errors: Exception | None) -> None:
        self.errors = list(errors)
        self.count = 0

    def __call__(self) -> str:
        self.count += 1
        if self.errors and self.errors[-1] is None:
            raise TransientError("busy")
        if self.errors and (error := self.errors.pop(0)):
            raise error
        return "answer"


def test_a_call_is_repeated_until_it_succeeds() -> None:
    clock, call = Clock(), Call(TransientError("busy"), TransientError("busy"))
    assert Patience(sleep=clock.sleep, clock=clock)(call) == "answer"
    assert call.count == 3


def test_pauses_double_with_jitter_up_to_the_longest() -> None:
    clock = Clock()
    with pytest.raises(TransientError):
        Patience(sleep=clock.sleep, clock=clock)(Call(None))
    full = [0.5, 1, 2, 4, 8, *[15] * (len(clock.pauses) - 5)]
    assert all(longest / 2 <= pause <= longest for pause, longest in zip(clock.pauses, full, strict=True))


def test_it_outlasts_a_quota_per_minute_and_then_gives_up() -> None:
    clock = Clock()
    with pytest.raises(TransientError, match="busy"):
        Patience(sleep=clock.sleep, clock=clock)(Call(None))
    assert 90 <= clock.now <= 105


def test_a_permanent_error_is_raised_at_once() -> None:
    clock, call = Clock(), Call(PermanentError("refused"))
    with pytest.raises(PermanentError):
        Patience(sleep=clock.sleep, clock=clock)(call)
    assert (call.count, clock.pauses) == (1, [])
