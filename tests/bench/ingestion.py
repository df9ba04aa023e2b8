"""Chunks a second from text to searchable index, beside one plain thread and LangChain, on an OpenSearch node.

All split, embed and write the same documents with the same splitter, embedder and engine, in turns; the ratio is the
median of the rounds' own, after a round that warms the node. LangChain runs from a lock of its own in
`tests/bench/peers`. Ragstone runs in as many processes as the least that Lambda runs functions for a queue, and in one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from multiprocessing import get_context
from statistics import median
from time import perf_counter
from typing import Any

from langchain_text_splitters import RecursiveCharacterTextSplitter
from opensearchpy import OpenSearch
from opensearchpy.helpers import streaming_bulk

from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.embedding import build_embedder
from ragstone.index import build_index
from ragstone.index.profiles import PROFILES
from ragstone.ingestion import Chunking
from ragstone.ingestion.budget import UNLIMITED
from ragstone.ingestion.pipeline import EMBED_BATCH
from ragstone.ingestion.vectors import VectorStream
from ragstone.settings import Settings
from ragstone.types import ObjectRef, ParsedDocument, StoredObject
from tests.support.made_texts import made_texts
from tests.support.opensearch_node.node import opensearch_node
from tests.support.peers import run_peer

DOCUMENTS, TEXTS_A_DOCUMENT, ROUNDS = 10, 2_000, 4
FUNCTIONS = 2
CHUNK_SIZE = 1_000
NAME = "bench-ingestion"
EMBEDDER = build_embedder("wordllama")

Ingest = Callable[[str, Sequence[str]], "Ingested"]
"""Documents into a new index of the service at a URL."""


@dataclass(frozen=True, slots=True)
class Ingested:
    chunks: int
    seconds: float


def with_ragstone(url: str, documents: Sequence[str], *, each: Callable[..., Iterable[int]]) -> Ingested:
    started = perf_counter()
    written = sum(each(partial(ingest, url), count(), documents))
    return Ingested(written, perf_counter() - started)


def ingest(url: str, number: int, text: str) -> int:
    """What a function does with a document once it is parsed."""
    index = build_index(Settings(index_url=url, index_name=NAME, index_profile="lucene"), EMBEDDER)
    document = ParsedDocument(text, "text/plain", "made", language="en")
    stored = StoredObject(ObjectRef("bench", f"inbox/{number}.txt"), b"", "etag")
    chunking = Chunking(chunker=RecursiveChunker(CHUNK_SIZE, 0), filters=KEEP_ALL)
    stream = VectorStream(
        chunking.chunks_of(document, stored, "v1").chunks, EMBEDDER, budget=UNLIMITED, size=EMBED_BATCH
    )
    index.add(stream)
    return stream.written


def with_one_thread(url: str, documents: Sequence[str]) -> Ingested:
    started = perf_counter()
    vector = {"type": "knn_vector", "dimension": EMBEDDER.dimensions, **PROFILES["lucene"].vector}
    settings = {"index": {"knn": True, **PROFILES["lucene"].settings}}
    body: dict[str, Any] = {
        "settings": settings,
        "mappings": {"properties": {"text": {"type": "text"}, "vector": vector}},
    }
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK_SIZE, chunk_overlap=0)
    texts = [piece for text in documents for piece in splitter.split_text(text)]
    with OpenSearch([url], timeout=60) as client:
        client.indices.create(index=NAME, body=body)
        for _ in streaming_bulk(client, _actions(texts), index=NAME, chunk_size=500):
            pass
        client.indices.refresh(index=NAME)
    return Ingested(len(texts), perf_counter() - started)


def _actions(texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    waiting = iter(texts)
    while batch := list(islice(waiting, EMBED_BATCH)):
        for text, vector in zip(batch, EMBEDDER.embed_documents(batch), strict=True):
            yield {"text": text, "vector": vector}


def with_langchain(url: str, documents: Sequence[str]) -> Ingested:
    return Ingested(**run_peer("langchain_ingestion.py", url, NAME, given=documents))


def main(texts_a_document: int) -> None:
    texts = made_texts(DOCUMENTS * texts_a_document)
    documents = ["\n\n".join(islice(texts, texts_a_document)) for _ in range(DOCUMENTS)]
    functions = ProcessPoolExecutor(FUNCTIONS, mp_context=get_context("spawn"))
    with opensearch_node() as url, OpenSearch([url], timeout=60) as client, functions:
        ways: dict[str, Ingest] = {
            "one thread": with_one_thread,
            "LangChain": with_langchain,
            "ragstone, one function": partial(with_ragstone, each=map),
            "ragstone": partial(with_ragstone, each=functions.map),
        }
        rounds = [{way: _speed(client, url, ways[way], documents) for way in ways} for _ in range(ROUNDS + 1)][1:]
    for way in ways:
        speed = median(each[way] for each in rounds)
        ratios = (f"{median(each[way] / each[other] for each in rounds):5.2f} x {other}" for other in list(ways)[:2])
        sys.stdout.write(f"  {way:<22} {speed:7.0f} chunks/s  {'  '.join(ratios)}\n")


def _speed(client: Any, url: str, ingest: Ingest, documents: Sequence[str]) -> float:
    ingested = ingest(url, documents)
    found = client.count(index=NAME)["count"]
    client.indices.delete(index=NAME)
    if found != ingested.chunks:
        raise RuntimeError(f"{found} of {ingested.chunks} chunks are found")
    return ingested.chunks / ingested.seconds


if __name__ == "__main__":
    main(TEXTS_A_DOCUMENT)
