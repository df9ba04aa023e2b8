"""Official ragas metrics over Ragstone's own judge and embedder: the one place that calls ragas.

ragas raises, returns NaN or even 0.0 where it has nothing to say. Here each of its metrics ends in a Score.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.errors import SettingsError
from ragstone.evaluation.errors import NothingJudged
from ragstone.evaluation.judge import Judge
from ragstone.evaluation.ragas_import import ragas_module
from ragstone.evaluation.scores import Score
from ragstone.ports import Embedder
from ragstone.types import Vector

Reply = TypeVar("Reply", bound=BaseModel)


class Ragas:
    """Runs ragas' collection metrics by class name; errors of the judge and the embedder pass through."""

    def __init__(self, *, judge: Judge | None, embedder: Embedder) -> None:
        self._judge = judge
        self._embedder = embedder

    async def judged(self, metric: str, *, options: Mapping[str, Any] | None = None, **sample: Any) -> Score:
        """A metric that asks the judge; undefined if the judge replied with an empty list, which ragas may score 0."""
        if self._judge is None:
            raise SettingsError('no judge is set: add "judge": "provider:model" to the evaluation')
        ragas_module("ragas.llms.base").InstructorBaseRagasLLM.register(_JudgeLLM)
        try:
            return await self._run(metric, {"llm": _JudgeLLM(self._judge), **(options or {})}, sample)
        except NothingJudged as nothing:
            return Score.undefined(str(nothing))

    async def compared(self, metric: str, *, reference: str, response: str) -> Score:
        """A metric that compares two texts by their characters or words."""
        return await self._run(metric, {}, {"reference": reference, "response": response})

    async def similarity(self, *, reference: str, response: str) -> Score:
        """Cosine similarity of two texts by the deployment's embedder."""
        texts = [reference, response]
        vectors = await asyncio.to_thread(self._embedder.embed_documents, texts)
        ragas_module("ragas.embeddings.base").BaseRagasEmbedding.register(_Embeddings)
        embeddings = _Embeddings(dict(zip(texts, vectors, strict=True)))
        sample = {"reference": reference, "response": response}
        return await self._run("SemanticSimilarity", {"embeddings": embeddings}, sample)

    async def _run(self, metric: str, options: Mapping[str, Any], sample: Mapping[str, Any]) -> Score:
        metric_class = getattr(ragas_module("ragas.metrics.collections"), metric)
        result = await metric_class(**options).ascore(**sample)
        return Score.of(float(result.value), result.reason)


class _JudgeLLM:
    """Our judge in the shape of ragas' InstructorBaseRagasLLM, of which its metrics call nothing but `agenerate`."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    async def agenerate(self, prompt: str, response_model: type[Reply]) -> Reply:
        reply = await self._judge.ask(prompt, response_model)
        for name, value in reply:
            if value == []:
                raise NothingJudged(f"the judge returned no {name}")
        return reply


class _Embeddings:
    """Vectors made beforehand in the shape of ragas' BaseRagasEmbedding, which would block the event loop for each."""

    def __init__(self, vectors: Mapping[str, Vector]) -> None:
        self._vectors = vectors

    def embed_text(self, text: str) -> Sequence[float]:
        return self._vectors[text]
