"""Servers that rerank by Cohere's API or one much like it: where each is, and how its requests and replies differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragstone.models.compatible import Server


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A POST to `path` with the question as `query`, the texts under `texts`, and `extra` fields.

    The reply's list stands under `results`, or is all of the reply where that is empty; `names_model` is off for
    servers that run one model and take no name of it.
    """

    server: Server
    path: str
    texts: str = "documents"
    results: str = "results"
    score: str = "relevance_score"
    names_model: bool = True
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


DIALECTS: Mapping[str, Dialect] = {
    "cohere": Dialect(
        server=Server("COHERE_BASE_URL", "COHERE_API_KEY", "https://api.cohere.com"),
        path="/v2/rerank",
    ),
    "jina": Dialect(
        server=Server("JINA_BASE_URL", "JINA_API_KEY", "https://api.jina.ai/v1"),
        path="/rerank",
        extra={"return_documents": False},
    ),
    "tei": Dialect(
        server=Server("TEI_BASE_URL", "TEI_API_KEY", "http://localhost:8080", keyless=True),
        path="/rerank",
        texts="texts",
        results="",
        score="score",
        names_model=False,
        extra={"raw_scores": True, "truncate": True},
    ),
    "vllm": Dialect(
        server=Server("VLLM_BASE_URL", "VLLM_API_KEY", "http://localhost:8000", keyless=True),
        path="/rerank",
    ),
    "voyage": Dialect(
        server=Server("VOYAGE_BASE_URL", "VOYAGE_API_KEY", "https://api.voyageai.com/v1"),
        path="/rerank",
        results="data",
    ),
}
"""By the provider's name in a spec. Fields are those of each server's API reference; any other server that speaks
Cohere's API is `cohere` with its address in `COHERE_BASE_URL`."""
