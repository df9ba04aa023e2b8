"""Hybrid retrieval by Haystack, LlamaIndex and LangChain beside a bare `_msearch`: `hybrid_retrieval.py URL FILE.json`.

The file holds `texts` and `questions`. Each peer writes its own index by its own means, with the same graph and
vectors, and leaves vectors out of answers where it can. Prints milliseconds of each question by peer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from embedder import EMBEDDER, LangChainEmbeddings
from haystack import Document, component
from haystack_integrations.components.retrievers.opensearch import OpenSearchHybridRetriever
from haystack_integrations.document_stores.opensearch import OpenSearchDocumentStore
from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.vectorstores import OpenSearchVectorSearch
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import TextNode
from llama_index.vector_stores.opensearch import OpensearchVectorClient, OpensearchVectorStore
from opensearchpy import OpenSearch

DEPTH, TOP_K, SLICE, LEXICAL_WEIGHT = 50, 10, 500, 0.7
HNSW = {"m": 16, "ef_construction": 128}
METHOD = {"name": "hnsw", "space_type": "innerproduct", "engine": "lucene", "parameters": HNSW}
WORDS, VECTORS = "text", "vector_field"

Search = Callable[[str], object]


@component
class HaystackEmbedder:
    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        return {"embedding": EMBEDDER.embed_query(text)}


def haystack(url: str, texts: list[str], vectors: list[list[float]]) -> Search:
    store = OpenSearchDocumentStore(hosts=url, index="bench-haystack", embedding_dim=EMBEDDER.dimensions, method=METHOD)
    documents = [
        Document(id=str(n), content=text, embedding=vector)
        for n, (text, vector) in enumerate(zip(texts, vectors, strict=True))
    ]
    store.write_documents(documents, refresh=True)
    retriever = OpenSearchHybridRetriever(
        store, embedder=HaystackEmbedder(), top_k_bm25=DEPTH, top_k_embedding=DEPTH, top_k=TOP_K
    )
    retriever.warm_up()
    return lambda question: retriever.run(query=question)["documents"]


class LlamaIndexEmbedder(BaseEmbedding):
    def _get_query_embedding(self, query: str) -> list[float]:
        return EMBEDDER.embed_query(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return EMBEDDER.embed_query(text)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def llama_index(url: str, texts: list[str], vectors: list[list[float]]) -> Search:
    client = OpensearchVectorClient(
        url,
        "bench-llama-index",
        EMBEDDER.dimensions,
        method=METHOD,
        engine="lucene",
        space_type="innerproduct",
        excluded_source_fields=["embedding"],
    )
    store = OpensearchVectorStore(client)
    nodes = [TextNode(text=text, embedding=vector) for text, vector in zip(texts, vectors, strict=True)]
    for at in range(0, len(nodes), SLICE):
        store.add(nodes[at : at + SLICE])
    index = VectorStoreIndex.from_vector_store(store, embed_model=LlamaIndexEmbedder())
    legs = [
        index.as_retriever(similarity_top_k=DEPTH, vector_store_query_mode=mode) for mode in ("text_search", "default")
    ]
    fused = QueryFusionRetriever(
        legs,
        llm=MockLLM(),
        mode="reciprocal_rerank",
        similarity_top_k=TOP_K,
        num_queries=1,
        use_async=False,
        retriever_weights=[LEXICAL_WEIGHT, 1 - LEXICAL_WEIGHT],
    )
    return fused.retrieve


class WordsRetriever(BaseRetriever):
    """What LangChain has no retriever for: BM25 on OpenSearch."""

    client: Any
    index: str

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[LangChainDocument]:
        body = {"size": DEPTH, "query": {"match": {WORDS: query}}, "_source": [WORDS]}
        hits = self.client.search(index=self.index, body=body)["hits"]["hits"]
        return [LangChainDocument(hit["_source"][WORDS]) for hit in hits]


def langchain(url: str, texts: list[str], vectors: list[list[float]]) -> Search:
    store = OpenSearchVectorSearch(url, "bench-langchain", LangChainEmbeddings(), timeout=60)
    pairs = list(zip(texts, vectors, strict=True))
    for at in range(0, len(pairs), SLICE):
        store.add_embeddings(
            pairs[at : at + SLICE], bulk_size=SLICE, engine="lucene", space_type="innerproduct", **HNSW
        )
    store.client.indices.refresh(index="bench-langchain")
    words = WordsRetriever(client=store.client, index="bench-langchain")
    legs = [words, store.as_retriever(search_kwargs={"k": DEPTH})]
    return EnsembleRetriever(retrievers=legs, weights=[LEXICAL_WEIGHT, 1 - LEXICAL_WEIGHT]).invoke


def bare(url: str, index: str) -> Search:
    """The same legs on LangChain's index."""
    client = OpenSearch([url], timeout=60)
    source = {"excludes": [VECTORS]}

    def search(question: str) -> list[tuple[str, float]]:
        knn = {VECTORS: {"vector": EMBEDDER.embed_documents([question])[0], "k": DEPTH}}
        legs = [{"match": {WORDS: question}}, {"knn": knn}]
        body = [line for leg in legs for line in ({}, {"size": DEPTH, "query": leg, "_source": source})]
        fused: dict[str, float] = {}
        weights = (LEXICAL_WEIGHT, 1 - LEXICAL_WEIGHT)
        for part, weight in zip(client.msearch(body=body, index=index)["responses"], weights, strict=True):
            hits = part["hits"]["hits"]
            scores = [hit["_score"] for hit in hits]
            low, high = min(scores, default=0.0), max(scores, default=0.0)
            for hit in hits:
                share = (hit["_score"] - low) / (high - low) if high > low else 1.0
                fused[hit["_id"]] = fused.get(hit["_id"], 0.0) + weight * share
        return sorted(fused.items(), key=lambda found: (-found[1], found[0]))[:TOP_K]

    return search


def main(url: str, file: str) -> None:
    given = json.loads(Path(file).read_text(encoding="utf-8"))
    texts, vectors = given["texts"], EMBEDDER.embed_documents(given["texts"])
    peers = {peer.__name__: peer(url, texts, vectors) for peer in (haystack, llama_index, langchain)}
    client = OpenSearch([url], timeout=600)
    client.indices.forcemerge(index="bench-*", params={"max_num_segments": 1})
    ways = {"bare _msearch": bare(url, "bench-langchain"), **peers}
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for question in given["questions"]:
        for name, search in ways.items():
            started = perf_counter()
            found = search(question)
            taken[name].append((perf_counter() - started) * 1_000)
            if not found:
                raise RuntimeError(f"{name} finds nothing")
    client.indices.delete(index="bench-haystack,bench-llama-index,bench-langchain")
    sys.stdout.write(json.dumps(taken))


if __name__ == "__main__":
    main(*sys.argv[1:])
