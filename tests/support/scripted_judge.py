"""A chat model that replies by the form it is asked for, as a judge that follows its schema would."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ragstone.types import Prompt, TextDelta, TokenUsage

Said = Mapping[str, Any] | str | Exception


@dataclass
class ScriptedJudge:
    """`replies` by the form's name, each used once and the last for ever; `output_tokens` is what each call reports."""

    replies: Mapping[str, Sequence[Said]]
    output_tokens: int = 20
    spec: str = "scripted:judge"
    prompts: list[Prompt] = field(default_factory=list[Prompt])
    _used: dict[str, int] = field(default_factory=dict[str, int])

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        self.prompts.append(prompt)
        said = self._next(self._form(prompt))
        if isinstance(said, Exception):
            raise said
        yield TextDelta(said if isinstance(said, str) else json.dumps(said))
        yield TokenUsage(self.spec, 100, self.output_tokens)

    def _form(self, prompt: Prompt) -> str:
        return next(form for form in self.replies if f'"title": "{form}", "type": "object"' in prompt.system)

    def _next(self, form: str) -> Said:
        used = self._used.get(form, 0)
        self._used[form] = used + 1
        return self.replies[form][min(used, len(self.replies[form]) - 1)]


def verdicts(*values: int) -> dict[str, Any]:
    """The reply to a request for verdicts on statements."""
    return {"statements": [{"statement": f"s{n}", "reason": "r", "verdict": value} for n, value in enumerate(values)]}
