"""A vector cache in memory; it passes the same contract as DynamoDB's."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragstone.types import Vector


@dataclass
class FakeVectorCache:
    """Raises `failure` instead of reading or writing while it is set."""

    vectors: dict[str, Vector] = field(default_factory=dict[str, Vector])
    failure: Exception | None = None

    def get(self, keys: Sequence[str]) -> Mapping[str, Vector]:
        self._fail()
        return {key: self.vectors[key] for key in keys if key in self.vectors}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        self._fail()
        self.vectors |= {key: list(array("f", vector)) for key, vector in vectors.items()}

    def _fail(self) -> None:
        if self.failure:
            raise self.failure
