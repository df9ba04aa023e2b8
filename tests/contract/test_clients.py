"""The clients that people have already, unmodified, against the real app under uvicorn."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from mcp import Client

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.api.mcp import McpServer
from ragstone.api.queries import Asking
from ragstone.types import DocumentRecord, DocumentStatus, Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.fake_registry import FakeRegistry
from tests.support.routes import asking_of
from tests.support.scripted_chat import ScriptedChat
from tests.support.serving import served

TRUE = (
    '{"sentence": "It runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
    '{"sentence": "Dogs travel free.", "passages": [2], "quotes": ["Dogs travel free"]}\n'
)
ANSWER = "It runs on Tuesdays. Dogs travel free."
WEATHER = "What is the weather?"


class Retriever:
    """Finds nothing about the weather."""

    def __init__(self) -> None:
        self.asked: list[Query] = []

    def retrieve(self, query: Query) -> Evidence:
        self.asked.append(query)
        if query.question == WEATHER:
            return Evidence(())
        ferry = passage("The night ferry runs on Tuesdays only.", cosine=0.8)
        return evidence(ferry, passage("Dogs travel free on all ferries.", cosine=0.7, ordinal=1))


class Service:
    def __init__(self) -> None:
        self.retriever, self.registry = Retriever(), FakeRegistry()
        self.url = ""

    def asking(self) -> Asking:
        return asking_of(self.retriever, ChatAnswerer(ScriptedChat([[TRUE] for _ in range(9)])))

    def document(self, source: str, *acl: str) -> None:
        self.registry.records[source] = DocumentRecord(
            source, "bucket", f"inbox/{source}", "1", DocumentStatus.INDEXED, version="v", acl=acl
        )


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    asking = made.asking()
    with served(make_app(asking, mcp=McpServer(asking=asking, registry=made.registry))) as url:
        made.url = url
        yield made


@pytest.fixture
def client(service: Service) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{service.url}/v1", api_key="unused", max_retries=0) as made:
        yield made


def ask(text: str) -> Any:
    return [{"role": "system", "content": "Talk like a pirate."}, {"role": "user", "content": text}]


def test_the_openai_client_gets_an_answer_with_its_citations(service: Service, client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="ragstone", messages=ask("When does it run?"))
    message = reply.choices[0].message
    assert (message.content, message.refusal, reply.choices[0].finish_reason) == (ANSWER, None, "stop")
    assert message.annotations is not None
    cited = [annotation.url_citation for annotation in message.annotations]
    assert [ANSWER[c.start_index : c.end_index] for c in cited] == ["It runs on Tuesdays.", "Dogs travel free."]
    assert cited[0].title == "handbook.pdf"
    assert cited[0].url == f"{service.url}/v1/documents/{'d' * 32}#page=3"
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 20)


def test_the_openai_client_streams_an_answer(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(
        model="ragstone", messages=ask("When?"), stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == ANSWER
    assert deltas[0].role == "assistant"
    annotations = [a for delta in deltas for a in (delta.model_extra or {}).get("annotations", [])]
    assert [a["url_citation"]["quote"] for a in annotations] == ["night ferry runs on Tuesdays", "Dogs travel free"]
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 120


@pytest.mark.parametrize("streamed", [False, True])
def test_the_openai_client_gets_a_refusal(client: openai.OpenAI, streamed: bool) -> None:
    if streamed:
        chunks = list(client.chat.completions.create(model="ragstone", messages=ask(WEATHER), stream=True))
        refusal = "".join(chunk.choices[0].delta.refusal or "" for chunk in chunks)
        content = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    else:
        message = client.chat.completions.create(model="ragstone", messages=ask(WEATHER)).choices[0].message
        refusal, content = message.refusal or "", message.content
    assert refusal
    assert not content


def test_what_was_said_before_goes_with_the_question(service: Service, client: openai.OpenAI) -> None:
    before: Any = [
        {"role": "user", "content": "When does the night ferry run?"},
        {"role": "assistant", "content": "On Tuesdays."},
        {"role": "user", "content": [{"type": "text", "text": "Why only then?"}]},
    ]
    client.chat.completions.create(model="ragstone", messages=before)
    (asked,) = service.retriever.asked
    assert [(turn.question, turn.answer) for turn in asked.history] == [
        ("When does the night ferry run?", "On Tuesdays.")
    ]


def test_the_openai_client_sees_errors_as_its_own(client: openai.OpenAI) -> None:
    with pytest.raises(openai.UnprocessableEntityError, match="can't be chosen"):
        client.chat.completions.create(model="gpt-none", messages=ask("When?"))
    with pytest.raises(openai.UnprocessableEntityError, match="last message"):
        client.chat.completions.create(model="ragstone", messages=[{"role": "assistant", "content": "Hello."}])


async def test_the_mcp_client_asks_searches_and_lists(service: Service) -> None:
    service.document("a.txt")
    service.document("secret.txt", "crew")
    async with Client(f"{service.url}/mcp") as client:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == {"ask", "search", "list_documents"}
        answer = await client.call_tool("ask", {"question": "When does it run?"})
        assert answer.structured_content is not None
        assert answer.structured_content["answer"] == ANSWER
        refused = await client.call_tool("ask", {"question": WEATHER})
        assert refused.structured_content is not None
        assert refused.structured_content["refusal"]["reason"] == "no_evidence"
        found = await client.call_tool("search", {"question": "night ferry", "top_k": 2})
        assert found.structured_content is not None
        assert found.structured_content["passages"][0]["text"] == "The night ferry runs on Tuesdays only."
        listed = await client.call_tool("list_documents", {})
        assert listed.structured_content is not None
        assert [document["source"] for document in listed.structured_content["documents"]] == ["a.txt"]


async def test_the_mcp_client_is_told_what_was_wrong(service: Service) -> None:
    async with Client(f"{service.url}/mcp") as client:
        for name, arguments in (("ask", {"question": "x", "top_k": 99}), ("ask", {}), ("delete", {})):
            reply = await client.call_tool(name, arguments)
            assert reply.is_error


def test_curl_sees_events_as_they_come(service: Service) -> None:
    command = ["curl", "-sN", f"{service.url}/v1/query", "--json", json.dumps({"question": "When does it run?"})]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout
    names = [line.removeprefix("event: ") for line in text.splitlines() if line.startswith("event: ")]
    assert names[0] == "meta"
    assert names[-1] == "done"
    assert names.count("sentence") == 2
