"""What readers think of answers, and the evaluation items that become of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.conversations.ports import TurnStore
from ragstone.conversations.values import Feedback, KeptTurn, Rating, now
from ragstone.conversations.visibility import visible
from ragstone.errors import UnknownAnswer
from ragstone.ports import DocumentRegistry

READ_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackBook:
    """Each answer has its owner's last word."""

    turns: TurnStore
    registry: DocumentRegistry

    def give(self, owner: str, answer_id: str, rating: Rating, comment: str = "") -> None:
        """Raises UnknownAnswer for an answer that is not there, or another's."""
        if not self.turns.rate(owner, answer_id, Feedback(rating, comment, now())):
            raise UnknownAnswer("No answer of yours has this id; it is the answer_id of a query's result.")

    def gold_items(self, groups: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Each rated answer as a gold item for evaluations, as far as these groups may see it."""
        cursor: str | None = None
        while True:
            page = self.turns.rated(limit=READ_AT_ONCE, cursor=cursor)
            yield from map(_gold_item, visible(page.turns, groups, self.registry))
            cursor = page.cursor
            if cursor is None:
                return


def _gold_item(turn: KeptTurn) -> dict[str, Any]:
    """Only an answer that was liked is a reference, and its quotations gold; a liked refusal had no answer to give."""
    assert turn.feedback is not None  # noqa: S101 - only rated turns are read
    liked = turn.feedback.rating is Rating.UP and not turn.withheld
    citations = [citation for sentence in turn.sentences for citation in sentence.citations] if liked else []
    gold = [{"document": c.document, "page": c.page, "quote": c.quote} for c in dict.fromkeys(citations)]
    return {
        "id": turn.answer_id,
        "question": turn.question,
        "answerable": not (liked and turn.refusal),
        **({"reference": turn.text} if liked and turn.text else {}),
        "gold": [{name: value for name, value in place.items() if value is not None} for place in gold],
        "tags": ["feedback", turn.feedback.rating.value],
        "comment": turn.feedback.comment,
        "settings": dict(turn.settings),
    }
