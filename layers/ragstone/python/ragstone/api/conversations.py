"""Conversations over HTTP: each caller sees their own, and what others share with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, Field

from ragstone.api.dependencies import Groups, Owner, only_json
from ragstone.api.problems import answers
from ragstone.api.schemas import Text, conversation_json, example, share_json, turn_json
from ragstone.conversations.conversations import Conversations
from ragstone.conversations.export import markdown
from ragstone.conversations.sharing import Sharing

Cursor = Annotated[str | None, Query()]
PageSize = Annotated[int, Query(ge=1, le=100)]
Title = Annotated[Text, Field(max_length=200)]
EXPORT = answers("The conversation with its sources.", "application/json", "text/markdown")
SEARCHED = Query(alias="q", max_length=200, description="Words in a row, of a title or of what was said.")


class NewConversation(BaseModel):
    """Without a title it is called by its first question."""

    model_config = example({"title": "Fares"})

    title: Title = ""


class ConversationChange(BaseModel):
    """What is left out stays as it is."""

    model_config = example({"title": "Night fares", "is_pinned": True})

    title: Title | None = None
    is_pinned: bool | None = None


class NewShareBody(BaseModel):
    model_config = example({"days": 7})

    days: Annotated[int, Field(ge=1, le=30)] = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRoutes:
    """What documents say is shown only as far as its reader may see it now, in one's own conversations too."""

    conversations: Conversations
    sharing: Sharing

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1", tags=["conversations"])
        json_body = [Depends(only_json)]
        router.post("/conversations", status_code=201, dependencies=json_body)(self.create)
        router.get("/conversations")(self.page)
        router.get("/conversations/{conversation_id}")(self.conversation)
        router.patch("/conversations/{conversation_id}", dependencies=json_body)(self.change)
        router.delete("/conversations/{conversation_id}", status_code=204)(self.delete)
        router.get("/conversations/{conversation_id}/export", response_model=None, responses=EXPORT)(self.export)
        router.post("/conversations/{conversation_id}/shares", status_code=201, dependencies=json_body)(self.share)
        router.get("/conversations/{conversation_id}/shares")(self.shares)
        router.delete("/conversations/{conversation_id}/shares/{share_id}", status_code=204)(self.revoke)
        router.get("/shared/{token}")(self.shared)
        return router

    def create(self, body: NewConversation, owner: Owner) -> dict[str, Any]:
        return conversation_json(self.conversations.create(owner, body.title))

    def page(
        self, owner: Owner, limit: PageSize = 50, cursor: Cursor = None, containing: Annotated[str, SEARCHED] = ""
    ) -> dict[str, Any]:
        """Pinned ones first, then those changed last; a page may be short while its cursor goes on."""
        found = self.conversations.page(owner, limit=limit, cursor=cursor, containing=containing)
        return {"conversations": [conversation_json(each) for each in found.conversations], "cursor": found.cursor}

    def conversation(
        self, conversation_id: str, owner: Owner, groups: Groups, limit: PageSize = 50, cursor: Cursor = None
    ) -> dict[str, Any]:
        """With its turns, from the first on."""
        found = self.conversations.get(owner, conversation_id)
        page = self.conversations.turns_of(owner, conversation_id, groups, limit=limit, cursor=cursor)
        return {**conversation_json(found), "turns": [turn_json(turn) for turn in page.turns], "cursor": page.cursor}

    def change(self, conversation_id: str, body: ConversationChange, owner: Owner) -> dict[str, Any]:
        changed = self.conversations.change(owner, conversation_id, title=body.title, is_pinned=body.is_pinned)
        return conversation_json(changed)

    def delete(self, conversation_id: str, owner: Owner) -> None:
        """Its turns and shares go with it."""
        self.conversations.delete(owner, conversation_id)

    def export(
        self,
        conversation_id: str,
        owner: Owner,
        groups: Groups,
        format_: Annotated[Literal["markdown", "json"], Query(alias="format")] = "markdown",
    ) -> Response:
        found = self.conversations.get(owner, conversation_id)
        turns = self.conversations.all_turns(owner, conversation_id, groups)
        if format_ == "json":
            return JSONResponse({**conversation_json(found), "turns": [turn_json(turn) for turn in turns]})
        return PlainTextResponse(markdown(found, turns), media_type="text/markdown; charset=utf-8")

    def share(self, conversation_id: str, body: NewShareBody, owner: Owner) -> dict[str, Any]:
        """The token is told only here."""
        made = self.sharing.share(owner, conversation_id, days=body.days)
        return {**share_json(made.share), "token": made.token, "path": f"/v1/shared/{made.token}"}

    def shares(self, conversation_id: str, owner: Owner) -> dict[str, Any]:
        return {"shares": [share_json(share) for share in self.sharing.shares_of(owner, conversation_id)]}

    def revoke(self, conversation_id: str, share_id: str, owner: Owner) -> None:
        self.sharing.revoke(owner, conversation_id, share_id)

    def shared(self, token: str, groups: Groups) -> dict[str, Any]:
        """Another's conversation, to read."""
        found = self.sharing.shared(token, groups)
        return {**conversation_json(found.conversation), "turns": [turn_json(turn) for turn in found.turns]}
