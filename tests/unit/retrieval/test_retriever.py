from __future__ import annotations

import itertools
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import InvalidQuery, PermanentError, SettingsError, TransientError
from ragstone.types import Passage, Query, Reranking, TokenUsage
from tests.support.builders import chunk
from tests.support.retrieving import Library, ScriptedReranker, texts

WORDS = ("ferry", "lamp", "quay", "bell", "rope")
CHUNKS = tuple(
    chunk(f"{word} {other} number {n}", ordinal=n)
    for n, (word, other) in enumerate((word, other) for word in WORDS for other in WORDS)
)
LIBRARY = Library(*CHUNKS)


def test_evidence_names_the_strategy_and_times_each_stage() -> None:
    found = LIBRARY.retriever().retrieve(Query("ferry"))
    assert (found.strategy, found.reranker, found.degraded) == ("hybrid", "", ())
    assert {"embed", "search", "registry", "fuse", "select"} <= found.timings_ms.keys()


@pytest.mark.parametrize("name", ["lexical", "dense"])
def test_a_query_chooses_among_the_allowed_strategies(name: str) -> None:
    found = LIBRARY.retriever().retrieve(Query("ferry lamp", strategy=name))
    assert found.strategy == name
    ranks = [passage.lexical_rank if name == "lexical" else passage.dense_rank for passage in found.pool]
    assert ranks == list(range(1, len(ranks) + 1))
    assert {passage.bm25 is None for passage in found.passages} == {False}
    assert {passage.cosine is None for passage in found.passages} == {False}


def test_other_strategies_are_refused_with_the_names_of_those_that_are_allowed() -> None:
    retriever = LIBRARY.retriever(strategies_allowed=("lexical",))
    with pytest.raises(InvalidQuery, match="unknown strategy 'agentic'; allowed here are hybrid, lexical") as caught:
        retriever.retrieve(Query("ferry", strategy="agentic"))
    assert caught.value.code == "unknown_strategy"


def test_settings_with_an_unknown_strategy_are_refused() -> None:
    with pytest.raises(SettingsError, match="unknown strategy 'magic'; known are agentic, dense, graph, hier"):
        LIBRARY.retriever(strategy="magic")


def test_the_reranker_of_the_settings_decides_and_raw_scores_are_kept() -> None:
    backwards = ScriptedReranker(lambda text: float(text.split()[-1]))
    found = LIBRARY.retriever(reranker="r", rerankers={"r": backwards}).retrieve(Query("ferry"))
    numbers = [int(text.split()[-1]) for text in texts(found)]
    assert numbers == sorted(numbers, reverse=True)
    assert [passage.rerank_score for passage in found.passages] == numbers
    assert all(passage.cosine is not None for passage in found.passages)
    assert found.reranker == "r"
    assert "rerank" in found.timings_ms


def test_a_query_chooses_a_reranker_or_none() -> None:
    one, other = ScriptedReranker(len), ScriptedReranker(len)
    retriever = LIBRARY.retriever(reranker="one", rerankers_allowed=("other",), rerankers={"one": one, "other": other})
    assert retriever.retrieve(Query("ferry", reranker="none")).reranker == ""
    assert retriever.retrieve(Query("ferry", reranker="other")).reranker == "other"
    assert (len(one.asked), len(other.asked)) == (0, 1)
    with pytest.raises(InvalidQuery, match="unknown reranker 'third'; allowed here are none, one, other"):
        retriever.retrieve(Query("ferry", reranker="third"))


def test_only_the_first_candidates_are_reranked_and_the_others_follow() -> None:
    plain = LIBRARY.retriever().retrieve(Query("ferry lamp", top_k=20))
    reranker = ScriptedReranker(lambda text: -float(text.split()[-1]))
    found = LIBRARY.retriever(reranker="r", rerank_depth=4, rerankers={"r": reranker}).retrieve(
        Query("ferry lamp", top_k=20)
    )
    assert set(texts(found)[:4]) == set(texts(plain)[:4])
    assert texts(found)[4:] == texts(plain)[4:]
    assert [passage.rerank_score for passage in found.passages[4:]] == [None] * 16


def test_equal_scores_keep_the_fused_order() -> None:
    plain = LIBRARY.retriever().retrieve(Query("ferry"))
    found = LIBRARY.retriever(reranker="r", rerankers={"r": ScriptedReranker(lambda _: 0.5)}).retrieve(Query("ferry"))
    assert texts(found) == texts(plain)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (TransientError("r:x: the server is busy"), "not reranked: r:x: the server is busy"),
        (PermanentError("r:x: refused"), "not reranked: r:x: refused"),
    ],
)
def test_the_fused_order_stands_when_the_reranker_fails(problem: Exception, said: str) -> None:
    plain = LIBRARY.retriever().retrieve(Query("ferry"))
    found = LIBRARY.retriever(reranker="r", rerankers={"r": ScriptedReranker(problem)}).retrieve(Query("ferry"))
    assert texts(found) == texts(plain)
    assert found.degraded == (said,)


def test_scores_that_are_no_numbers_change_nothing() -> None:
    plain = LIBRARY.retriever().retrieve(Query("ferry"))
    broken = ScriptedReranker(lambda _: float("nan"))
    found = LIBRARY.retriever(reranker="r", rerankers={"r": broken}).retrieve(Query("ferry"))
    assert texts(found) == texts(plain)
    assert "did not give each of" in found.degraded[0]


def test_the_fused_order_stands_when_the_reranker_is_late() -> None:
    done = threading.Event()

    def late(text: str) -> float:
        done.wait(10)
        return 0.0

    retriever = LIBRARY.retriever(reranker="r", rerank_seconds=0.05, rerankers={"r": ScriptedReranker(late)})
    try:
        found = retriever.retrieve(Query("ferry"))
    finally:
        done.set()
    assert texts(found) == texts(LIBRARY.retriever().retrieve(Query("ferry")))
    assert found.degraded == ("scripted:ranker took longer than 0.05 s: not reranked",)


def test_what_reranking_took_is_in_the_evidence() -> None:
    class Counting(ScriptedReranker):
        def rerank(self, question: str, texts: object) -> Reranking:
            return Reranking(tuple(0.0 for _ in texts), (TokenUsage("m", 7),))  # pyright: ignore

    found = LIBRARY.retriever(reranker="r", rerankers={"r": Counting(len)}).retrieve(Query("ferry"))
    assert found.usage == (TokenUsage("m", 7),)


def ids(passages: tuple[Passage, ...]) -> list[str]:
    return [passage.chunk.chunk_id for passage in passages]


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    st.sampled_from(["lexical", "dense", "hybrid"]),
    st.sampled_from(["min_max", "rrf"]),
    st.booleans(),
)
def test_a_longer_list_never_reorders_a_shorter_one(question: str, strategy: str, fusion: str, reranked: bool) -> None:
    rerankers = {"r": ScriptedReranker(lambda text: float(len(text) % 3))}
    retriever = LIBRARY.retriever(
        strategy=strategy, fusion=fusion, reranker="r" if reranked else "", rerankers=rerankers
    )
    lists = [ids(retriever.retrieve(Query(question, top_k=k)).passages) for k in (1, 3, 8, 20)]
    assert all(longer[: len(shorter)] == shorter for shorter, longer in itertools.pairwise(lists))


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(8)))
def test_equal_texts_come_by_their_ids_however_they_were_written(order: list[int]) -> None:
    library = Library(*(chunk("ferry lamp", ordinal=n, source=str(n)) for n in order))
    found = library.retriever(collapse_duplicates=False).retrieve(Query("ferry", top_k=8))
    assert [passage.chunk.ordinal for passage in found.passages] == list(range(8))
