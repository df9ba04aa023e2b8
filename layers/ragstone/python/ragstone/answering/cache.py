"""Stages 2 and 10: answers that were given before, as long as every document they rest on is what it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from ragstone.answering.facts import Facts, negations
from ragstone.answering.run import Run
from ragstone.errors import TransientError
from ragstone.ports import AnswerCache, CurrentVersions, Embedder
from ragstone.text import normalised
from ragstone.types import Answer, CachedAnswer, Evidence, Query, Vector


@dataclass(frozen=True, slots=True)
class Likeness:
    """Lets questions in other words share an answer, where their vectors' cosine is at least `at_least`."""

    embedder: Embedder
    at_least: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCaching:
    """Looks answers up by question, caller's groups, model, strategy and `settings`.

    `settings` is a fingerprint of all that shapes an answer and a request can't choose, the index among it. An entry is
    used only while all its documents' versions are current and readable by the caller, so that a change to one of them
    holds at once; that a new document would have answered better shows when the entry expires.
    """

    entries: AnswerCache
    registry: CurrentVersions
    settings: str
    likeness: Likeness | None = None

    async def look_up(self, run: Run) -> None:
        why = _why_not(run.query)
        if why:
            run.spans.skip("cache", why)
            run.cache = "skipped"
            return
        with run.spans.stage("cache") as span:
            try:
                found, how = await asyncio.to_thread(self._find, run)
            except TransientError as error:
                found, how = None, "failed"
                run.degraded.append(f"the cache was not read: {error}")
            run.cached, run.cache = found, how
            span.outcome = how
            if found:
                run.evidence = Evidence(found.answer.passages)
                run.sentences = list(found.answer.sentences)
                run.confidence = found.answer.confidence

    async def keep(self, run: Run, answer: Answer) -> None:
        """Keep an answer that was worked out; refusals are not kept, since the next document may answer.

        Neither is an answer that something had to be left out of: the next try may be better.
        """
        if run.cache != "miss" or not answer.sentences or answer.telemetry.degraded:
            return
        try:
            await asyncio.to_thread(self._put, run, answer)
        except TransientError as error:
            run.degraded.append(f"the answer was not cached: {error}")

    def _find(self, run: Run) -> tuple[CachedAnswer | None, str]:
        query, scope = run.query, self._scope(run)
        entry, how = self.entries.get(_key(scope, query)), "hit"
        if entry is None and self.likeness:
            vector, how = self.likeness.embedder.embed_query(query.question), "semantic hit"
            entry = self.entries.nearest(scope, vector, at_least=self.likeness.at_least)
            entry = entry if entry and _ask_alike(entry.question, query.question, run.language) else None
        if entry is None:
            return None, "miss"
        if not self._is_current(entry, query.groups):
            self.entries.remove(entry.key)
            return None, "miss"
        return entry, how

    def _put(self, run: Run, answer: Answer) -> None:
        query, scope = run.query, self._scope(run)
        vector: Vector = self.likeness.embedder.embed_query(query.question) if self.likeness else ()
        chunks = [passage.chunk for passage in answer.passages]
        documents = {chunk.document_id: chunk.version for chunk in chunks}
        kept = replace(answer, trace=())
        self.entries.put(CachedAnswer(_key(scope, query), scope, query.question, vector, kept, documents))

    def _is_current(self, entry: CachedAnswer, groups: Sequence[str]) -> bool:
        current = self.registry.current(list(entry.documents))
        return all(
            (now := current.get(document_id)) and now.version == version and now.readable_by(groups)
            for document_id, version in entry.documents.items()
        )

    def _scope(self, run: Run) -> str:
        query = run.query
        parts = {
            "answerer": run.answerer.spec,
            "groups": sorted(set(query.groups)),
            "language": run.language,
            "reranker": query.reranker,
            "settings": self.settings,
            "strategy": query.strategy,
            "top_k": query.top_k,
        }
        return _hash(json.dumps(parts))


def _why_not(query: Query) -> str:
    if query.filters:
        return "filters"
    return "conversation" if query.conversation_id is not None or query.history else ""


def _key(scope: str, query: Query) -> str:
    return _hash(f"{scope}\n{' '.join(normalised(query.question).casefold().split())}")


def _ask_alike(known: str, asked: str, language: str) -> bool:
    """Near vectors are not enough: "line 2" and "line 3" are near. Numbers, dates, names and denials have to match."""
    return negations(known, language) == negations(asked, language) and _asked(known, language) == _asked(
        asked, language
    )


def _asked(question: str, language: str) -> tuple[frozenset[str], ...]:
    facts = Facts.of(question, language)
    return frozenset(facts.numbers), frozenset(facts.dates), frozenset(facts.names)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
