"""Latency of hybrid retrieval beside a bare `_msearch` of the same legs, on an OpenSearch node, as it grows tenfold.

Question by question, one after the other; the question's embedding is part of both, the registry's batch read of
neither. Haystack, LlamaIndex and LangChain follow on the same texts, each beside a bare `_msearch` on such an index as
they make, from a lock of their own in `tests/bench/peers`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from ragstone.composition import build_retriever
from ragstone.embedding import build_embedder
from ragstone.evaluation.benchmark_corpus import VERSION, AllCurrent
from ragstone.index import build_index, queries
from ragstone.index.client import connect
from ragstone.ingestion.budget import UNLIMITED
from ragstone.ingestion.vectors import VectorStream
from ragstone.ports import Embedder
from ragstone.retrieval.candidates import NO_BACK_MATTER, NO_PARENTS
from ragstone.settings import Settings
from ragstone.types import Chunk, Query, SearchRequest
from tests.support.made_texts import made_question, made_texts
from tests.support.opensearch_node.node import opensearch_node
from tests.support.peers import run_peer

SIZES = (20_000, 200_000)
QUESTIONS, WARM_UP = 300, 50
DEPTH, TOP_K, LEXICAL_WEIGHT = 50, 10, 0.7
NAME = "bench-retrieval"


def main() -> None:
    with opensearch_node() as url:
        settings = Settings(index_url=url, index_profile="lucene", index_name=NAME)
        client: Any = connect(settings)
        embedder = build_embedder(settings.embedder)
        index = build_index(settings, embedder)
        index.drop()
        texts, filled = made_texts(SIZES[-1]), 0
        questions = [made_question(text, seed=n) for n, text in enumerate(made_texts(QUESTIONS + WARM_UP))]
        ways = {"bare _msearch": _bare(client, embedder), "retrieve()": _ragstone(settings)}
        medians: list[float] = []
        for size in SIZES:
            chunks = [_chunk(number, next(texts)) for number in range(filled, size)]
            index.add(VectorStream(chunks, embedder, budget=UNLIMITED, size=256))
            client.indices.forcemerge(index=NAME, max_num_segments=1, request_timeout=600)
            filled = size
            taken = _timed(questions, ways)
            _report(size, taken)
            medians.append(median(taken["retrieve()"]))
            if size == SIZES[0]:
                _report(size, _peers(url, questions))
        index.drop()
    sys.stdout.write(f"retrieve() with {SIZES[-1]} chunks: {medians[-1] / medians[0]:.2f} x the time with {SIZES[0]}\n")


def _chunk(number: int, text: str) -> Chunk:
    return Chunk(f"d{number // 50}", VERSION, number, f"{number // 50}.md", text, 0, len(text), language="en")


def _ragstone(settings: Settings) -> Callable[[str], object]:
    retriever = build_retriever(settings, registry=AllCurrent())
    return lambda question: retriever.retrieve(Query(question, top_k=TOP_K))


def _bare(client: Any, embedder: Embedder) -> Callable[[str], object]:
    """Two bodies, one request, and the least code that fuses them."""

    def search(question: str) -> list[tuple[str, float]]:
        request = SearchRequest(question, embedder.embed_query(question), DEPTH, (NO_PARENTS, NO_BACK_MATTER))
        body = [{}, queries.lexical(request), {}, queries.dense(request)]
        lexical, dense = (part["hits"]["hits"] for part in client.msearch(body=body, index=NAME)["responses"])
        fused: dict[str, float] = {}
        for hits, weight in ((lexical, LEXICAL_WEIGHT), (dense, 1 - LEXICAL_WEIGHT)):
            scores = [hit["_score"] for hit in hits]
            low, high = min(scores, default=0.0), max(scores, default=0.0)
            for hit in hits:
                share = (hit["_score"] - low) / (high - low) if high > low else 1.0
                fused[hit["_id"]] = fused.get(hit["_id"], 0.0) + weight * share
        return sorted(fused.items(), key=lambda found: (-found[1], found[0]))[:TOP_K]

    return search


def _timed(questions: Sequence[str], ways: Mapping[str, Callable[[str], object]]) -> dict[str, list[float]]:
    """Milliseconds of each question by each way, which take turns at being first."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number, question in enumerate(questions):
        for name in _turn(list(ways), number):
            started = perf_counter()
            ways[name](question)
            taken[name].append((perf_counter() - started) * 1_000)
    return {name: times[WARM_UP:] for name, times in taken.items()}


def _peers(url: str, questions: Sequence[str]) -> dict[str, list[float]]:
    given = {"texts": list(made_texts(SIZES[0])), "questions": questions}
    taken: dict[str, list[float]] = run_peer("hybrid_retrieval.py", url, given=given)
    return {name: times[WARM_UP:] for name, times in taken.items()}


def _turn(names: list[str], number: int) -> Iterator[str]:
    return iter(names if number % 2 else names[::-1])


def _report(size: int, taken: Mapping[str, Sequence[float]]) -> None:
    sys.stdout.write(f"{size} chunks, {QUESTIONS} questions\n")
    bare = median(taken["bare _msearch"])
    for name, times in taken.items():
        p50, p95 = median(times), quantiles(times, n=20)[-1]
        sys.stdout.write(f"  {name:<14} p50 {p50:6.1f} ms   p95 {p95:6.1f} ms   {p50 / bare:5.2f} x bare\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
