"""What readers think of answers, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from ragstone.api.dependencies import Groups, Owner, only_json
from ragstone.api.problems import answers
from ragstone.api.schemas import Text, example
from ragstone.conversations.feedback import FeedbackBook
from ragstone.conversations.values import Rating

GOLD = answers("Gold items, a line each.", "application/x-ndjson")


class FeedbackBody(BaseModel):
    """`answer_id` is that of a query's result; a second word replaces the first."""

    model_config = example({"answer_id": "single.06617465094f04", "rating": "down", "comment": "Wrong year."})

    answer_id: Annotated[Text, Field(max_length=100)]
    rating: Rating
    comment: Annotated[Text, Field(max_length=2_000)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackRoutes:
    """Everybody rates their own answers; `only_editors` guards the export, which holds everybody's questions."""

    feedback: FeedbackBook
    only_editors: Callable[..., None]

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1/feedback", tags=["feedback"])
        router.post("", status_code=204, dependencies=[Depends(only_json)])(self.give)
        editors = [Depends(self.only_editors)]
        router.get("/export", response_model=None, responses=GOLD, dependencies=editors)(self.export)
        return router

    def give(self, body: FeedbackBody, owner: Owner) -> None:
        self.feedback.give(owner, body.answer_id, body.rating, body.comment)

    def export(self, groups: Groups) -> StreamingResponse:
        """Gold items for evaluations, a line each."""
        lines = (f"{json.dumps(item, ensure_ascii=False)}\n" for item in self.feedback.gold_items(groups))
        return StreamingResponse(lines, media_type="application/x-ndjson")
