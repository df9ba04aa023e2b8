"""What a caller may spend: requests a minute, and tokens a day, of their own and of all together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from ragstone.errors import OverBudget
from ragstone.types import Answer, Query, Span

EVERYBODY = "*"


class UsageMeter(Protocol):
    """Counters that begin at 0 and vanish some time after `until`."""

    def add(self, counter: str, amount: int, *, until: datetime) -> int:
        """The counter's total with `amount`."""
        ...

    def total(self, counter: str) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """None sets no limit. Tokens are counted once an answer is complete, so the last one may go over."""

    meter: UsageMeter
    requests_a_minute: int | None = None
    tokens_a_day: int | None = None
    tokens_a_day_in_all: int | None = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def admit(self, owner: str) -> None:
        """Count a request; raises OverBudget with the seconds until there is room again."""
        moment = self.clock()
        if self.requests_a_minute is not None:
            minute = moment.replace(second=0, microsecond=0)
            until = minute + timedelta(minutes=1)
            if self.meter.add(f"requests#{owner}#{minute:%Y%m%dT%H%M}", 1, until=until) > self.requests_a_minute:
                _refuse(f"{self.requests_a_minute} requests a minute", until - moment)
        for who, limit in ((owner, self.tokens_a_day), (EVERYBODY, self.tokens_a_day_in_all)):
            if limit is not None and self.meter.total(_tokens(who, moment)) >= limit:
                whose = "of all callers together" if who == EVERYBODY else "of yours"
                _refuse(f"{limit} tokens a day {whose}", _midnight(moment) - moment)

    def spend(self, owner: str, tokens: int) -> None:
        moment = self.clock()
        for who, limit in ((owner, self.tokens_a_day), (EVERYBODY, self.tokens_a_day_in_all)):
            if limit is not None and tokens:
                self.meter.add(_tokens(who, moment), tokens, until=_midnight(moment))


def _tokens(who: str, moment: datetime) -> str:
    return f"tokens#{who}#{moment:%Y%m%d}"


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _refuse(limit: str, room_in: timedelta) -> None:
    seconds = max(1, round(room_in.total_seconds()))
    raise OverBudget(f"The limit of {limit} is reached; ask again in {seconds} s.", seconds)


@dataclass(frozen=True, slots=True)
class Spending:
    """An AnswerObserver that counts an answer's tokens, also those of models that were asked on the way."""

    budgets: Budgets

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None:
        tokens = sum(call.input_tokens + call.output_tokens for call in answer.telemetry.usage)
        self.budgets.spend(query.owner, tokens)
