"""Short ways to the values that many tests need."""

from __future__ import annotations

from dataclasses import replace

from ragstone.types import Chunk, Evidence, Passage

CHUNK = Chunk(
    document_id="d" * 32, version="v1", ordinal=0, source="handbook.pdf", text="", char_from=0, char_to=0, page_from=3
)


def chunk(text: str, **changes: object) -> Chunk:
    start = changes.pop("char_from", 0)
    assert isinstance(start, int)
    return replace(CHUNK, text=text, char_from=start, char_to=start + len(text), **changes)  # pyright: ignore[reportArgumentType]


def passage(text: str, *, fused: float = 1.0, cosine: float | None = 0.5, **changes: object) -> Passage:
    return Passage(chunk(text, **changes), fused, bm25=1.0, cosine=cosine)


def evidence(*passages: Passage) -> Evidence:
    return Evidence(passages, pool=passages)
