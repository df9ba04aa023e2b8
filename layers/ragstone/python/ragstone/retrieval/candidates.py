"""The one way from a question to chunks: both legs in one round trip, then held against the registry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.ports import ChunkIndex, CurrentVersions, Embedder
from ragstone.retrieval.trace import Trace
from ragstone.text import normalised
from ragstone.types import ChunkKind, Filter, FilterOp, Hit, Legs, Query, SearchRequest

NO_PARENTS = Filter("kind", FilterOp.NE, ChunkKind.PARENT.value)
NO_BACK_MATTER = Filter("back_matter", FilterOp.NE, True)
WIDER = (1, 4, 16)
"""Times the depth: how far a search goes on while chunks that may not be quoted take places away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Searches with filters and access inside both legs; stale and forbidden chunks are dropped and made up for.

    Parents are left to their fragments, and back matter is left out unless it is to be searched. `depth` is the number
    of candidates a leg, whatever `top_k` is, so a longer list never reorders a shorter one.
    """

    embedder: Embedder
    index: ChunkIndex
    registry: CurrentVersions
    depth: int
    search_back_matter: bool = False

    def search(self, query: Query, trace: Trace, *, text: str = "", filters: Sequence[Filter] = ()) -> Legs:
        """The quotable hits for the question, or for other words in its place; `filters` come on top of the query's."""
        words = normalised(text or query.question)
        with trace.stage("embed"):
            vector = self.embedder.embed_query(words)
        restrictions = (*query.filters, *filters, *self.exclusions)
        current = Legs((), ())
        for factor in WIDER:
            depth = self.depth * factor
            with trace.stage("search"):
                legs = self.index.search(SearchRequest(words, vector, depth, restrictions, query.groups))
            with trace.stage("registry"):
                current = self._only_current(legs, query.groups)
            # A leg that gave all it was asked for has more to give, in place of what may not be quoted.
            both = ((legs.lexical, current.lexical), (legs.dense, current.dense))
            if not any(len(found) == depth and len(kept) < self.depth for found, kept in both):
                break
        return Legs(current.lexical[: self.depth], current.dense[: self.depth])

    @property
    def exclusions(self) -> tuple[Filter, ...]:
        return (NO_PARENTS,) if self.search_back_matter else (NO_PARENTS, NO_BACK_MATTER)

    def _only_current(self, legs: Legs, groups: Sequence[str]) -> Legs:
        """The hits whose document version is the registry's and that the caller may read by the registry's list."""
        hits = (*legs.lexical, *legs.dense)
        current = self.registry.current(list({hit.chunk.document_id for hit in hits}))
        quotable = {(document_id, entry.version) for document_id, entry in current.items() if entry.readable_by(groups)}

        def kept(leg: Sequence[Hit]) -> tuple[Hit, ...]:
            return tuple(hit for hit in leg if (hit.chunk.document_id, hit.chunk.version) in quotable)

        return Legs(kept(legs.lexical), kept(legs.dense))
