"""Ragstone as a server of the Model Context Protocol: streamable HTTP, nothing kept between two requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from ragstone.api.caller import groups_of, owner_of
from ragstone.api.queries import Asking
from ragstone.api.schemas import QueryBody, SearchBody, answer_json, document_json, evidence_json
from ragstone.errors import RagstoneError
from ragstone.ports import DocumentRegistry
from ragstone.types import DocumentFilter

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

    Context = ServerRequestContext[Any, Request]

INSTRUCTIONS = (
    "Answers from this deployment's documents, each sentence with the words it rests on. A refusal is a result: "
    "the documents don't hold the answer."
)


class Question(BaseModel):
    """Only what is asked; the deployment decides how."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[str, Field(min_length=1, max_length=4_000)]
    top_k: Annotated[int | None, Field(ge=1, le=50, description="How many passages to read.")] = None


class Listing(BaseModel):
    model_config = ConfigDict(extra="forbid")

    prefix: Annotated[str, Field(max_length=1_000, description="Only documents whose source begins so.")] = ""
    cursor: Annotated[str | None, Field(description="The last reply's, for the next page.")] = None


class Caller(NamedTuple):
    owner: str
    groups: tuple[str, ...]


class Tool(NamedTuple):
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any, Caller], Awaitable[dict[str, Any]]]


@dataclass
class McpServer:
    """An ASGI app; the SDK is imported when the first client comes, since most processes never see one.

    Callers are who the authorizer says they are, on this route as on every other.
    """

    asking: Asking
    registry: DocumentRegistry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        manager = StreamableHTTPSessionManager(self._server, stateless=True, json_response=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    @cached_property
    def _server(self) -> Server[Any]:
        from mcp.server.lowlevel import Server

        return Server("ragstone", instructions=INSTRUCTIONS, on_list_tools=self._list, on_call_tool=self._call)

    @property
    def _tools(self) -> Mapping[str, Tool]:
        return {
            "ask": Tool("Answer a question from the documents, with citations, or refuse.", Question, self._ask),
            "search": Tool("Find the passages nearest to a question.", Question, self._search),
            "list_documents": Tool("List the documents that the caller may read.", Listing, self._documents),
        }

    async def _list(
        self, context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        import mcp_types as types

        reading = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        tools = [
            types.Tool(
                name=name,
                description=tool.description,
                input_schema=tool.arguments.model_json_schema(),
                annotations=reading,
            )
            for name, tool in self._tools.items()
        ]
        return types.ListToolsResult(tools=tools)

    async def _call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """What the caller did wrong is a result that says so, so that a model can mend its call."""
        tool = self._tools.get(params.name)
        if tool is None or context.request is None:
            return _failed(f"There is no tool {params.name!r}; known are {', '.join(self._tools)}.")
        headers = context.request.headers
        try:
            arguments = tool.arguments.model_validate(params.arguments or {})
            return _result(await tool.run(arguments, Caller(owner_of(headers), groups_of(headers))))
        except ValidationError as error:
            return _failed("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()))
        except RagstoneError as error:
            return _failed(str(error))

    async def _ask(self, given: Question, caller: Caller) -> dict[str, Any]:
        body = QueryBody(question=given.question, top_k=given.top_k)
        asked = await self.asking.query(body, caller.groups, caller.owner)
        return answer_json(await self.asking.answering.answer(asked), asked)

    async def _search(self, given: Question, caller: Caller) -> dict[str, Any]:
        body = SearchBody(question=given.question, top_k=given.top_k)
        return evidence_json(await self.asking.evidence(body, caller.groups, caller.owner))

    async def _documents(self, given: Listing, caller: Caller) -> dict[str, Any]:
        where = DocumentFilter(prefix=given.prefix, groups=caller.groups)
        page = await asyncio.to_thread(self.registry.page, limit=100, cursor=given.cursor, where=where)
        return {"documents": [document_json(record) for record in page.documents], "cursor": page.cursor}


def _result(value: dict[str, Any]) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    text = TextContent(type="text", text=json.dumps(value, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=value)


def _failed(why: str) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=why)], is_error=True)
