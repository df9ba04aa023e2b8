"""How servers answer requests to rerank, each in its own words; results come best first, as theirs do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragstone.text import words


def is_rerank(path: str) -> bool:
    return path.endswith("/rerank") or ("rerank" in path and path.endswith("/invoke"))


def relevance(query: str, text: str) -> float:
    """The share of the query's words that a text holds."""
    asked = set(words(query))
    return len(asked & set(words(text))) / len(asked)


def reranked(path: str, body: Mapping[str, Any]) -> Any:
    """The reply's JSON; fails where a field is missing that the server asks for."""
    if path.startswith("/tei/"):
        return _best(body["query"], body["texts"], "score")
    found = _best(body["query"], body["documents"], "relevance_score")
    if path.endswith("/invoke"):
        if "cohere" in path:
            assert body["api_version"] == 2
        return {"results": found[: body["top_n"]]}
    assert body["model"]
    if path.startswith("/voyage/"):
        return {"object": "list", "data": found, "model": body["model"], "usage": {"total_tokens": 26}}
    if path.startswith("/jina/"):
        return {"model": body["model"], "object": "list", "usage": {"total_tokens": 26}, "results": found}
    if path.startswith("/vllm/"):
        results = [{**result, "document": {"text": body["documents"][result["index"]]}} for result in found]
        return {"id": "rerank-1", "model": body["model"], "usage": {"total_tokens": 26}, "results": results}
    meta = {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}}
    return {"results": found, "id": "07734bd2", "meta": meta}


def _best(query: str, texts: list[str], score: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"index": n, score: relevance(query, text)} for n, text in enumerate(texts)]
    return sorted(found, key=lambda result: -result[score])
