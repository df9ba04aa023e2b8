from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import PermanentError, TransientError
from ragstone.index.codec import description
from ragstone.index.opensearch import OpenSearchIndex
from ragstone.index.profiles import PROFILES
from ragstone.types import EmbeddedChunk, Filter, FilterOp, Legs, SearchRequest
from tests.support.index_suite import chunk
from tests.support.scripted_opensearch import Answer, Script, bulk_answer, scripted_client

SHARDS = {"total": 1, "failed": 0}
NOTHING: dict[str, Any] = {"status": 200, "timed_out": False, "_shards": SHARDS, "hits": {"hits": []}}
MISSING: dict[str, Any] = {"status": 404, "error": {"type": "index_not_found_exception", "reason": "no such index"}}
META = description("fake", 2)
MAPPING: Answer = (200, {"chunks": {"mappings": {"_meta": META}}})
REQUEST = SearchRequest("lamp", [0.6, 0.8], 20, (Filter("source", FilterOp.EQ, "a.md"),), ("crew",))
CHUNK = EmbeddedChunk(chunk("lamp", metadata={"year": 2024}), [0.6, 0.8])


def made(profile: str, *answers: Answer) -> tuple[OpenSearchIndex, Script]:
    client, script = scripted_client(*answers)
    index = OpenSearchIndex(
        client,
        name="chunks",
        embedder_spec="fake",
        dimensions=2,
        profile=PROFILES[profile],
        sleep=lambda seconds: None,
    )
    return index, script


def found(*parts: Any) -> Answer:
    return 200, {"responses": list(parts)}


def test_both_legs_go_in_one_request_with_filter_and_access_inside() -> None:
    index, script = made("domain", found(NOTHING, NOTHING))
    assert index.search(REQUEST) == Legs((), ())
    (request,) = script.requests
    assert request.url == "/chunks/_msearch"
    _, lexical, _, dense = request.lines
    inside = lexical["query"]["bool"]["filter"]
    assert inside == dense["query"]["knn"]["vector"]["filter"]["bool"]["filter"]
    assert {"terms": {"acl": ["crew"]}} in inside[0]["bool"]["should"]
    assert inside[1] == {"terms": {"facts": ['"source"=a.md', '"source"+a.md']}}
    for leg in (lexical, dense):
        assert leg["size"] == 20
        assert {"vector", "facts", "search_tokens"}.isdisjoint(leg["_source"])


def test_an_index_that_is_not_there_finds_nothing() -> None:
    index, _ = made("domain", found(MISSING, MISSING))
    assert index.search(REQUEST) == Legs((), ())


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"status": 429, "error": {"reason": "circuit breaker"}}, TransientError),
        ({"status": 400, "error": {"reason": "bad query"}}, PermanentError),
        ({**NOTHING, "timed_out": True}, TransientError),
        ({**NOTHING, "_shards": {"total": 1, "failed": 1}}, TransientError),
    ],
)
@pytest.mark.parametrize("leg", [0, 1])
def test_a_leg_that_failed_is_an_error_and_no_empty_leg(leg: int, part: Any, kind: type[Exception]) -> None:
    parts = [NOTHING, NOTHING]
    parts[leg] = part
    index, _ = made("domain", found(*parts))
    with pytest.raises(kind, match="could not search index 'chunks'"):
        index.search(REQUEST)


@pytest.mark.parametrize(
    ("profile", "score", "cosine"),
    [
        ("domain", 1.5, 0.5),
        ("domain", 0.5, -1.0),
        ("domain", 1.0, 0.0),
        ("serverless", 0.75, 0.5),
        ("serverless", 0, -1),
    ],
)
def test_a_vector_score_becomes_the_cosine_again(profile: str, score: float, cosine: float) -> None:
    source = {"document_id": "d", "version": "v", "ordinal": 0, "source": "s", "text": "t"}
    source |= {"char_from": 0, "char_to": 1, "kind": "text", "section_path": [], "metadata": {}, "acl": []}
    hit = {"_id": "x", "_score": score, "_source": source}
    index, _ = made(profile, found(NOTHING, {**NOTHING, "hits": {"hits": [hit]}}))
    assert index.search(REQUEST).dense[0].score == pytest.approx(cosine)


def test_a_domain_is_written_to_with_a_wait_for_the_refresh() -> None:
    index, script = made("domain", MAPPING, bulk_answer(201))
    index.add([CHUNK])
    action, document = script.requests[-1].lines
    assert script.requests[-1].params["refresh"] == b"wait_for"
    assert action == {"index": {"_id": CHUNK.chunk.chunk_id}}
    assert (document["chunk_id"], document["vector"]) == (CHUNK.chunk.chunk_id, [0.6, 0.8])
    assert '"metadata.year"=2024' in document["facts"]


def test_a_serverless_write_is_looked_for_until_it_shows() -> None:
    counts: list[Answer] = [(200, {"count": count}) for count in (0, 0, 1)]
    index, script = made("serverless", MAPPING, bulk_answer(201), *counts)
    index.add([CHUNK])
    write_id = script.requests[1].lines[1]["write_id"]
    assert [request.lines for request in script.requests[2:]] == [[{"query": {"term": {"write_id": write_id}}}]] * 3


def test_a_serverless_write_that_never_shows_is_a_transient_error() -> None:
    index, _ = made("serverless", MAPPING, bulk_answer(201), *[(200, {"count": 0})] * 30)
    with pytest.raises(TransientError, match="does not show them yet"):
        index.add([CHUNK])


def test_the_index_is_made_once_and_another_maker_is_no_error() -> None:
    taken: Answer = (400, {"error": {"type": "resource_already_exists_exception", "reason": "exists"}})
    index, script = made("domain", (404, {}), taken, MAPPING, MAPPING)
    index.ensure()
    assert [request.method for request in script.requests] == ["GET", "PUT", "GET", "GET"]


def test_a_new_index_is_looked_for_until_it_shows() -> None:
    index, script = made("serverless", (404, {}), (200, {}), (404, {}), (404, {}), MAPPING)
    index.ensure()
    assert [request.method for request in script.requests] == ["GET", "PUT", "GET", "GET", "GET"]


def test_an_index_that_can_t_be_made_is_an_error_with_the_reason() -> None:
    index, _ = made("domain", (404, {}), (400, {"error": {"type": "t", "reason": "unknown engine"}}), (404, {}))
    with pytest.raises(PermanentError, match="could not create index 'chunks': unknown engine"):
        index.ensure()


def deleted(conflicts: int = 0, *failures: Any) -> Answer:
    return 200, {"version_conflicts": conflicts, "failures": list(failures)}


def test_removal_goes_on_until_no_chunk_was_spared() -> None:
    index, script = made("domain", (200, {}), deleted(2), (200, {}), deleted())
    index.remove("d1", keep="v2")
    assert script.requests[1].lines == [
        {"query": {"bool": {"filter": [{"term": {"document_id": "d1"}}], "must_not": [{"term": {"version": "v2"}}]}}}
    ]
    assert len(script.requests) == 4


def test_a_removal_that_failed_is_an_error() -> None:
    index, _ = made("domain", (200, {}), deleted(0, {"status": 503, "cause": {"reason": "primary is down"}}))
    with pytest.raises(TransientError, match="primary is down"):
        index.remove("d1")


def test_a_serverless_removal_deletes_by_id_until_nothing_shows() -> None:
    shown = {**NOTHING, "hits": {"hits": [{"_id": "c1", "sort": ["c1"]}, {"_id": "c2", "sort": ["c2"]}]}}
    gone = bulk_answer(200, 404, kind="delete")
    index, script = made("serverless", found(shown), gone, found(shown), gone, found(NOTHING))
    index.remove("d1")
    assert script.requests[1].lines == [{"delete": {"_id": "c1"}}, {"delete": {"_id": "c2"}}]
    assert script.answers == []
