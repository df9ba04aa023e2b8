"""Questions over HTTP: answered as a stream or in one piece, or only searched for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from ragstone.answering import Answering
from ragstone.api.dependencies import Groups, Owner, only_json
from ragstone.api.presence import unless_left
from ragstone.api.problems import answers
from ragstone.api.schemas import QueryBody, SearchBody, answer_json, evidence_json
from ragstone.api.sse import begun, event_stream, server_sent
from ragstone.budgets import Budgets
from ragstone.conversations.conversations import Conversations
from ragstone.conversations.values import new_answer_id
from ragstone.errors import CantResume, UnknownConversation
from ragstone.metadata import MetadataField
from ragstone.types import Evidence, Query, Turn

ANSWERS = answers("The answer or a refusal: events, or one object.", "application/json", "text/event-stream")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What every way of asking shares: what a request becomes, and what its caller may spend.

    `schema` is that of the documents' metadata; without `conversations` none are kept.
    """

    answering: Answering
    top_k: int
    budgets: Budgets | None = None
    conversations: Conversations | None = None
    schema: Mapping[str, MetadataField] = field(default_factory=dict[str, MetadataField])

    async def query(self, body: QueryBody, groups: tuple[str, ...], owner: str) -> Query:
        """Raises OverBudget, UnknownConversation and InvalidQuery."""
        asked = await self._admitted(body, groups, owner)
        history = await self._history(body.conversation_id, groups, owner)
        return replace(asked, answer_id=new_answer_id(body.conversation_id), history=history)

    async def evidence(self, body: SearchBody, groups: tuple[str, ...], owner: str) -> Evidence:
        """What an answer would be drawn from; raises OverBudget and InvalidQuery."""
        asked = await self._admitted(body, groups, owner)
        return await asyncio.to_thread(self.answering.retriever.retrieve, asked)

    async def _admitted(self, body: SearchBody, groups: tuple[str, ...], owner: str) -> Query:
        if self.budgets:
            await asyncio.to_thread(self.budgets.admit, owner)
        asked = body.to_query(groups=groups, default_top_k=self.top_k, schema=self.schema)
        return replace(asked, owner=owner)

    async def _history(self, conversation_id: str | None, groups: tuple[str, ...], owner: str) -> tuple[Turn, ...]:
        if conversation_id is None:
            return ()
        if self.conversations is None:
            raise UnknownConversation("This deployment keeps no conversations; ask without conversation_id.")
        return await asyncio.to_thread(self.conversations.window, owner, conversation_id, groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRoutes:
    asking: Asking

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1", tags=["questions"], dependencies=[Depends(only_json)])
        router.post("/query", response_model=None, responses=ANSWERS)(self.query)
        router.post("/search")(self.search)
        return router

    async def query(self, body: QueryBody, request: Request, groups: Groups, owner: Owner) -> Response:
        """Answer a question, as server-sent events unless `stream` is false."""
        if "last-event-id" in request.headers:
            raise CantResume("An answer's stream can't be resumed; send the question again without Last-Event-ID.")
        asked = await self.asking.query(body, groups, owner)
        if not body.stream:
            answer = await unless_left(request, self.asking.answering.answer(asked))
            return JSONResponse(answer_json(answer, asked))
        events = await begun(self.asking.answering.stream(asked))
        trace_id = request.headers.get("x-amzn-trace-id") or uuid4().hex
        return event_stream(server_sent(events, asked, trace_id))

    async def search(self, body: SearchBody, groups: Groups, owner: Owner) -> dict[str, Any]:
        """The passages that an answer would be drawn from, with their text and scores."""
        return evidence_json(await self.asking.evidence(body, groups, owner))
