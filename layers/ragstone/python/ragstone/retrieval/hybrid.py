"""Hybrid retrieval: words and vectors in one round trip, fused, and held against the registry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from ragstone.ports import ChunkIndex, DocumentRegistry, Embedder
from ragstone.retrieval.fusion import fuse, min_max
from ragstone.types import ChunkKind, Evidence, Filter, FilterOp, Hit, Legs, Query, SearchRequest

NO_PARENTS = Filter("kind", FilterOp.NE, ChunkKind.PARENT.value)
NO_BACK_MATTER = Filter("back_matter", FilterOp.NE, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridRetriever:
    """Both legs with filters and access inside, weighted min-max fusion, stale and forbidden chunks dropped.

    Parents are left to their fragments, and back matter is left out unless it is to be searched. `depth` is the number
    of candidates a leg, whatever `top_k` is, so a longer list never reorders a shorter one.
    """

    embedder: Embedder
    index: ChunkIndex
    registry: DocumentRegistry
    depth: int
    lexical_weight: float
    search_back_matter: bool = False

    def retrieve(self, query: Query) -> Evidence:
        started = perf_counter()
        vector = self.embedder.embed_query(query.question)
        embedded = perf_counter()
        filters = (*query.filters, NO_PARENTS, *(() if self.search_back_matter else (NO_BACK_MATTER,)))
        legs = self.index.search(
            SearchRequest(text=query.question, vector=vector, depth=self.depth, filters=filters, groups=query.groups)
        )
        searched = perf_counter()
        current = self._only_current(legs, query.groups)
        pool = fuse(current, lexical_weight=self.lexical_weight, normalise=min_max)
        return Evidence(
            passages=tuple(pool[: query.top_k]),
            pool=tuple(pool),
            timings_ms={
                "embed": (embedded - started) * 1000,
                "search": (searched - embedded) * 1000,
                "registry": (perf_counter() - searched) * 1000,
            },
        )

    def _only_current(self, legs: Legs, groups: Sequence[str]) -> Legs:
        """The hits whose document version is the registry's and that the caller may read by the registry's list."""
        current = self.registry.current([hit.chunk.document_id for hit in (*legs.lexical, *legs.dense)])

        def quotable(hit: Hit) -> bool:
            entry = current.get(hit.chunk.document_id)
            return entry is not None and entry.version == hit.chunk.version and entry.readable_by(groups)

        return Legs(
            lexical=tuple(hit for hit in legs.lexical if quotable(hit)),
            dense=tuple(hit for hit in legs.dense if quotable(hit)),
        )
