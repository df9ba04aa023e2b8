"""A chat model as a judge: it is asked for JSON of a given form until it gives some."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ragstone.evaluation.errors import JudgeError
from ragstone.ports import ChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage

Reply = TypeVar("Reply", bound=BaseModel)

ATTEMPTS = 3
MAX_TOKENS = 8192
"""Room for the verdicts on a long answer's statements; a reasoning model's thoughts count too."""

SYSTEM = """\
You judge answers. Reply with one JSON object and nothing around it. It has to fit this JSON schema:
{schema}
"""

RETRY = """\
{prompt}

Your last reply did not fit the schema: {problem}
Reply with the JSON object only."""

_ledger: ContextVar[list[TokenUsage] | None] = ContextVar("judge_usage", default=None)


@contextmanager
def judge_usage() -> Generator[list[TokenUsage]]:
    """Collects the usage of every judge call made inside, by tasks started inside too."""
    usage: list[TokenUsage] = []
    token = _ledger.set(usage)
    try:
        yield usage
    finally:
        _ledger.reset(token)


class Judge:
    """Asks for a reply of a pydantic type, with a cap on calls at a time and a time limit for each.

    A reply of another form is asked for again, `ATTEMPTS` times in all; a cut-off or late one is not, since it would
    end the same way. TransientError of the model passes through.
    """

    def __init__(self, model: ChatModel, *, concurrency: int = 8, timeout_s: float = 120) -> None:
        self._model = model
        self._calls = asyncio.Semaphore(concurrency)
        self._timeout_s = timeout_s

    @property
    def spec(self) -> str:
        return self._model.spec

    async def ask(self, prompt: str, form: type[Reply]) -> Reply:
        """The reply to `prompt`; raises JudgeError."""
        system = SYSTEM.format(schema=json.dumps(form.model_json_schema()))
        asked = prompt
        for attempt in range(1, ATTEMPTS + 1):
            text = await self._in_time(Prompt(system, asked, MAX_TOKENS))
            try:
                return form.model_validate_json(_json_of(text))
            except ValidationError as error:
                problem = "; ".join(f"{p['msg']} at {p['loc']}" for p in error.errors()[:3])
                if attempt == ATTEMPTS:
                    raise JudgeError(f"{self.spec} gave no {form.__name__} in {ATTEMPTS} tries: {problem}") from error
                asked = RETRY.format(prompt=prompt, problem=problem)
        raise AssertionError("the last attempt returns or raises")

    async def _in_time(self, prompt: Prompt) -> str:
        try:
            async with self._calls, asyncio.timeout(self._timeout_s):
                return await self._reply(prompt)
        except TimeoutError as error:
            raise JudgeError(f"{self.spec} took longer than {self._timeout_s:g} s to judge") from error

    async def _reply(self, prompt: Prompt) -> str:
        text, output_tokens = "", 0
        async with aclosing(self._model.stream(prompt)) as stream:
            async for item in stream:
                if isinstance(item, TextDelta):
                    text += item.text
                else:
                    output_tokens = item.output_tokens
                    _note(item)
        if output_tokens >= prompt.max_tokens and not text.rstrip("` \n").endswith("}"):
            raise JudgeError(f"the reply of {self.spec} was cut off at {output_tokens} tokens")
        return text


def _note(usage: TokenUsage) -> None:
    ledger = _ledger.get()
    if ledger is not None:
        ledger.append(usage)


def _json_of(text: str) -> str:
    """The outermost object in a reply, without the code fence or the words that some models put around it."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
