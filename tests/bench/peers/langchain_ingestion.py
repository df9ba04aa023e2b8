"""LangChain's way from documents to an OpenSearch index: `langchain_ingestion.py URL INDEX DOCUMENTS.json`.

Prints the number of chunks and the seconds, without those that imports and the embedder's start take.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter

from embedder import LangChainEmbeddings
from langchain_community.vectorstores import OpenSearchVectorSearch
from langchain_text_splitters import RecursiveCharacterTextSplitter

CHUNK_SIZE, SLICE = 1_000, 500
# The same graph as the others'; by default it asks for an engine that OpenSearch 3 refuses.
GRAPH = {"engine": "lucene", "space_type": "innerproduct", "m": 16, "ef_construction": 128}


def main(url: str, index: str, file: str) -> None:
    documents = json.loads(Path(file).read_text(encoding="utf-8"))
    embedder = LangChainEmbeddings()
    embedder.embed_query("warm")
    started = perf_counter()
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK_SIZE, chunk_overlap=0)
    store = OpenSearchVectorSearch(url, index, embedder, timeout=60)
    texts = [piece for text in documents for piece in splitter.split_text(text)]
    for at in range(0, len(texts), SLICE):
        store.add_texts(texts[at : at + SLICE], bulk_size=SLICE, **GRAPH)
    store.client.indices.refresh(index=index)
    sys.stdout.write(json.dumps({"chunks": len(texts), "seconds": perf_counter() - started}))


if __name__ == "__main__":
    main(*sys.argv[1:])
