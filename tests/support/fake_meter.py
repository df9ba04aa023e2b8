"""Counters in memory; they pass the same contract as DynamoDB's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class FakeMeter:
    counters: Counter[str] = field(default_factory=Counter[str])

    def add(self, counter: str, amount: int, *, until: datetime) -> int:
        self.counters[counter] += amount
        return self.counters[counter]

    def total(self, counter: str) -> int:
        return self.counters[counter]
