"""One index of an OpenSearch service: its errors are Ragstone's, and an index that is not there is an empty one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragstone.errors import TransientError
from ragstone.index.failures import failure, translated

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

_SLOW_S = 120
_IDS, _DOCUMENTS = 1_000, 200

Json = dict[str, Any]


class RemoteIndex:
    """The requests that the adapter makes, in terms of queries and hits."""

    def __init__(self, client: OpenSearch, name: str) -> None:
        self.client: Any = client  # its decorators hide the query parameters from type checkers
        self.name = name

    def meta(self) -> Mapping[str, Any] | None:
        """What the index says of itself; None if it is not there."""
        from opensearchpy.exceptions import NotFoundError

        with translated(f"read index {self.name!r}"):
            try:
                answer = self.client.indices.get_mapping(index=self.name)
            except NotFoundError:
                return None
        (index,) = answer.values()
        return index["mappings"].get("_meta", {})

    def create(self, body: Json) -> None:
        """Create the index unless another writer is faster."""
        from opensearchpy.exceptions import RequestError

        with translated(f"create index {self.name!r}"):
            try:
                self.client.indices.create(index=self.name, body=body)
            except RequestError:
                if self.meta() is None:
                    raise

    def drop(self) -> None:
        with translated(f"delete index {self.name!r}"):
            self.client.indices.delete(index=self.name, ignore_unavailable=True)

    def search(self, *bodies: Json, shards: int = 1) -> list[list[Json]]:
        """The hits of each body, all in one round trip; words weigh alike on all shards."""
        header = {} if shards == 1 else {"search_type": "dfs_query_then_fetch"}
        lines = [line for body in bodies for line in (header, body)]
        with translated(f"search index {self.name!r}"):
            answer = self.client.msearch(body=lines, index=self.name)
        return [self._hits(part) for part in answer["responses"]]

    def count(self, query: Json) -> int:
        from opensearchpy.exceptions import NotFoundError

        with translated(f"count in index {self.name!r}"):
            try:
                return self.client.count(index=self.name, body={"query": query})["count"]
            except NotFoundError:
                return 0

    def ids(self, query: Json) -> Iterator[str]:
        """Ids of all chunks that match, a page at a time."""
        return (hit["_id"] for hit in self._in_order(query, source=False, size=_IDS))

    def documents(self, query: Json, fields: Sequence[str], *, after: str = "") -> Iterator[Json]:
        """Those fields of all chunks that match, by chunk id, from after the given one, a page at a time."""
        return (hit["_source"] for hit in self._in_order(query, source=list(fields), size=_DOCUMENTS, after=after))

    def values(self, field: str, *, after: str) -> Iterator[str]:
        """The different values of a field in order, from after the given one, a page at a time."""
        from opensearchpy.exceptions import NotFoundError

        composite: Json = {"size": _IDS, "sources": [{field: {"terms": {"field": field}}}], "after": {field: after}}
        while True:
            with translated(f"read index {self.name!r}"):
                try:
                    body = {"size": 0, "aggs": {field: {"composite": composite}}}
                    answer = self.client.search(body=body, index=self.name)
                except NotFoundError:
                    return
            self._hits(answer)
            found = [bucket["key"][field] for bucket in answer["aggregations"][field]["buckets"]]
            yield from found
            if len(found) < _IDS:
                return
            composite["after"] = {field: found[-1]}

    def _in_order(self, query: Json, *, source: bool | list[str], size: int, after: str = "") -> Iterator[Json]:
        """Ids are unique, so a page begins where the last one ended, whatever is written meanwhile."""
        page: Json = {"size": size, "query": query, "sort": [{"chunk_id": "asc"}], "_source": source}
        if after:
            page["search_after"] = [after]
        while True:
            (hits,) = self.search(page)
            yield from hits
            if len(hits) < size:
                return
            page["search_after"] = hits[-1]["sort"]

    def delete(self, query: Json) -> int:
        """Delete what matches; how many were spared because they changed meanwhile."""
        from opensearchpy.exceptions import NotFoundError

        with translated(f"remove from index {self.name!r}"):
            try:
                self.client.indices.refresh(index=self.name)
                answer = self.client.delete_by_query(
                    index=self.name, body={"query": query}, conflicts="proceed", refresh=True, request_timeout=_SLOW_S
                )
            except NotFoundError:
                return 0
        for problem in answer["failures"]:
            raise failure(f"remove from index {self.name!r}", problem["status"], problem["cause"])
        return answer["version_conflicts"]

    def _hits(self, part: Json) -> list[Json]:
        """One answer's hits; a part that failed or gave up early is an error, never a short list."""
        if "error" in part:
            if part["status"] == 404:
                return []
            raise failure(f"search index {self.name!r}", part["status"], part["error"])
        if part["timed_out"] or part["_shards"]["failed"]:
            raise TransientError(f"could not search index {self.name!r}: not all of its shards answered")
        return part["hits"]["hits"]
