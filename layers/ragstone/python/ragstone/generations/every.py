"""Each change to every generation that is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ragstone.ingestion import Ingestion, OutOfTime
from ragstone.ingestion.budget import UNLIMITED, Budget
from ragstone.types import DocumentRecord, Generation, Generations, ObjectChange


class Interrupted(Exception):
    """The time of one invocation ended while a generation had `written` chunks of a long document."""

    def __init__(self, generation: str, written: int) -> None:
        super().__init__(f"{written} chunks are written to {generation}")
        self.generation = generation
        self.written = written


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryGeneration:
    """Carries out changes in all generations, the live one last, so that a swap takes nothing back that was seen.

    Which they are is read anew for each change: a generation is begun before the bucket is listed for it, so whatever
    is not in that list comes as a change that finds it here.
    """

    generations: Callable[[], Generations]
    ingestion: Callable[[Generation], Ingestion]
    _made: dict[str, Ingestion] = field(default_factory=dict[str, Ingestion], init=False)

    def apply(self, change: ObjectChange, budget: Budget = UNLIMITED, *, at: str = "") -> DocumentRecord | None:
        """Carry out one change; what the live generation came to. `budget.written` counts in the generation `at`.

        Raises Interrupted when the time is over, and whatever else a generation raises once the live one has its turn.
        """
        *others, live = self.generations().written
        outcome, is_over = None, False
        try:
            for other in others:
                self._apply(other, change, budget, at)
        except Interrupted:
            is_over = True
            raise
        finally:  # a half-built index that fails keeps no change from the users
            if not is_over:
                outcome = self._apply(live, change, budget, at)
        return outcome

    def _apply(self, generation: Generation, change: ObjectChange, budget: Budget, at: str) -> DocumentRecord | None:
        mine = budget if generation.name == at else replace(budget, written=0)
        try:
            return self._ingestion(generation).apply(change, mine)
        except OutOfTime as stopped:
            raise Interrupted(generation.name, stopped.written) from stopped

    def _ingestion(self, generation: Generation) -> Ingestion:
        if generation.name not in self._made:
            self._made[generation.name] = self.ingestion(generation)
        return self._made[generation.name]
