"""Ragstone's own offline embedder, from its folder on PYTHONPATH, so that what is compared is all the rest."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

from ragstone.embedding import build_embedder

EMBEDDER = build_embedder("wordllama")


class LangChainEmbeddings(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return EMBEDDER.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return EMBEDDER.embed_query(text)
