"""What rerankers behind an API reply: a list that names texts by their number and gives each a score."""

from __future__ import annotations

from typing import Any

from ragstone.errors import TransientError


def scores_of(
    reply: Any, *, spec: str, count: int, results: str = "results", score: str = "relevance_score"
) -> tuple[float, ...]:
    """The scores in the order of the texts; raises TransientError unless each of `count` texts has one.

    The list stands in the reply under `results`, or is all of it where that is empty.
    """
    try:
        listed = reply[results] if results else reply
        scores = {int(result["index"]): float(result[score]) for result in listed}
    except (KeyError, TypeError, ValueError) as error:
        raise TransientError(f"{spec}: the reply holds no scores") from error
    if scores.keys() != set(range(count)):
        raise TransientError(f"{spec}: the reply holds scores for {len(scores)} texts, not for each of {count}")
    return tuple(scores[number] for number in range(count))
