"""What a request may choose, within what the environment allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ragstone.errors import InvalidQuery
from ragstone.ports import Answerer
from ragstone.types import Query

LANGUAGE_LENGTH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The answerers beside the default one, by spec, each built when it is first asked for; and the largest `top_k`.

    `shows_trace` lets a request ask for its spans.
    """

    answerers: Mapping[str, Callable[[], Answerer]] = field(default_factory=dict[str, Callable[[], Answerer]])
    max_top_k: int = 50
    shows_trace: bool = True

    def answerer(self, query: Query, default: Answerer) -> Answerer:
        """The answerer of a query; raises InvalidQuery for anything that it may not choose."""
        if not 1 <= query.top_k <= self.max_top_k:
            raise InvalidQuery("top_k_too_large", f"top_k is {query.top_k}; allowed is 1 to {self.max_top_k}.")
        if query.trace and not self.shows_trace:
            raise InvalidQuery("trace_not_allowed", "Traces are switched off here; ask without trace.")
        if query.language and not (query.language.isalpha() and len(query.language) == LANGUAGE_LENGTH):
            raise InvalidQuery("unknown_language", f"language is {query.language!r}; write a code such as en or de.")
        if query.chat_model in (None, default.spec):
            return default
        if query.chat_model in self.answerers:
            return self.answerers[query.chat_model]()
        known = ", ".join(dict.fromkeys((default.spec, *self.answerers)))
        raise InvalidQuery("unknown_model", f"The model {query.chat_model!r} can't be chosen here; known are {known}.")
