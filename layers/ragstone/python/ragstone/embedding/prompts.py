"""The words that some models were trained to find before a text, and that no server adds by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Prompts(NamedTuple):
    """What goes before a document and before a query."""

    document: str = ""
    query: str = ""


_E5 = Prompts("passage: ", "query: ")
_GOOGLE = Prompts("title: none | text: ", "task: search result | query: ")
_REPRESENT = Prompts(query="Represent this sentence for searching relevant passages: ")
_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

PROMPTS: Mapping[str, Prompts] = {
    "arctic-embed2": Prompts(query="query: "),
    "arctic-embed-l-v2": Prompts(query="query: "),
    "arctic-embed-m-v2": Prompts(query="query: "),
    "arctic-embed": _REPRESENT,
    "bge-base-en": _REPRESENT,
    "bge-large-en": _REPRESENT,
    "bge-small-en": _REPRESENT,
    "e5-base": _E5,
    "e5-large-instruct": Prompts(query=f"{_INSTRUCT} "),
    "e5-large": _E5,
    "e5-small": _E5,
    "embeddinggemma": _GOOGLE,
    "gemini-embedding-2": _GOOGLE,
    "mxbai-embed-large": _REPRESENT,
    "nomic-embed-text": Prompts("search_document: ", "search_query: "),
    "qwen3-embedding": Prompts(query=_INSTRUCT),
}
"""From the models' cards, by a part of the model's name; of several the first counts.

A change here changes vectors under the same spec: what is indexed has to be embedded anew.
"""


def prompts_of(model: str) -> Prompts:
    name = model.lower()
    return next((prompts for part, prompts in PROMPTS.items() if part in name), Prompts())
