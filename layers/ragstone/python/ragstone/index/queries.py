"""Request bodies of searches: both legs, with the filters and the caller's groups inside each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from ragstone.analysis import query_tokens
from ragstone.index.codec import CHUNK_FIELDS
from ragstone.index.facts import Condition, HasAny, HasOrder, HasText, condition
from ragstone.types import Filter, FilterOp, SearchRequest

Body = dict[str, Any]

# HNSW walks about this wide anyhow: candidates beyond the depth cost little, and ties at its edge are all there.
_LEAST_CANDIDATES = 100
_WILDCARD = re.compile(r"([*?\\])")
# "#" marks numbers and "@" dates: the character after each ends its range.
_END = {"#": "$", "@": "A"}


def lexical(request: SearchRequest) -> Body:
    """BM25 over the chunk's search tokens; no words, no hits."""
    query = {"match": {"search_tokens": {"query": " ".join(query_tokens(request.text))}}}
    return _leg(request, {"bool": {"must": [query], "filter": restrictions(request)}})


def dense(request: SearchRequest) -> Body:
    """The nearest vectors among the chunks that pass: the filter is inside, so it can't starve the leg."""
    knn = {
        "vector": [float(value) for value in request.vector],
        "k": max(request.depth, _LEAST_CANDIDATES),
        "filter": {"bool": {"filter": restrictions(request)}},
    }
    return _leg(request, {"knn": {"vector": knn}})


def restrictions(request: SearchRequest) -> list[Body]:
    return within(request.filters, request.groups)


def within(filters: Iterable[Filter], groups: Iterable[str]) -> list[Body]:
    """Access first (no list, or one of the groups), then the filters."""
    everybody = {"bool": {"must_not": [{"exists": {"field": "acl"}}]}}
    readable = {"bool": {"should": [everybody, {"terms": {"acl": list(groups)}}]}}
    return [readable, *(_clause(condition(given)) for given in filters)]


def of_ids(chunk_ids: Sequence[str], *, filters: Iterable[Filter], groups: Iterable[str]) -> Body:
    """Those of the chunks that pass."""
    return {"bool": {"filter": [{"terms": {"chunk_id": list(chunk_ids)}}, *within(filters, groups)]}}


def of_document(document_id: str, *, version: str | None = None, keep: str | None = None) -> Body:
    """A document's chunks: all, those of one version, or all but those of one."""
    wanted = {"document_id": document_id, "version": version}
    return {"bool": {"filter": _terms(wanted), "must_not": _terms({"version": keep})}}


def _terms(wanted: Mapping[str, str | None]) -> list[Body]:
    return [{"term": {field: value}} for field, value in wanted.items() if value is not None]


def _leg(request: SearchRequest, query: Body) -> Body:
    return {
        "size": request.depth,
        "query": query,
        "sort": [{"_score": "desc"}, {"chunk_id": "asc"}],
        "track_total_hits": False,
        "_source": list(CHUNK_FIELDS),
    }


def _clause(given: Condition) -> Body:
    clause = _test(given.test)
    return {"bool": {"must_not": [clause]}} if given.negated else clause


def _test(test: HasAny | HasText | HasOrder) -> Body:
    match test:
        case HasAny():
            return {"terms": {"facts": list(test.facts)}}
        case HasText():
            pattern = f"{_literal(test.prefix)}*{_literal(test.text)}*"
            part = {"wildcard": {"facts": {"value": pattern}}}
            return {"bool": {"should": [part, {"term": {"facts": test.member}}]}}
        case HasOrder():
            return {"range": {"facts": _range(test)}}
        case _:
            assert_never(test)


def _range(test: HasOrder) -> Body:
    bound = {test.op.value: test.prefix + test.key}
    if test.op in (FilterOp.GT, FilterOp.GTE):
        return {**bound, "lt": test.prefix[:-1] + _END[test.prefix[-1]]}
    return {**bound, "gte": test.prefix}


def _literal(text: str) -> str:
    return _WILDCARD.sub(r"\\\1", text)
