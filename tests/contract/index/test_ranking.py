"""What every chunk index finds, how it scores, and in which order."""

from __future__ import annotations

import numpy as np
import pytest

from ragstone.ports import ChunkIndex
from ragstone.types import EmbeddedChunk
from tests.support.fake_index import bm25_scores
from tests.support.index_suite import chunk, embedded, ordinals, search, unit


def test_dense_scores_are_cosines(index: ChunkIndex) -> None:
    vectors = {number: unit(number) for number in range(40)}
    index.add([EmbeddedChunk(chunk("lamp", number), vector) for number, vector in vectors.items()])
    query = unit(99)
    hits = search(index, vector=query).dense
    expected = {number: float(np.dot(vector, query)) for number, vector in vectors.items()}
    assert ordinals(hits) == sorted(expected, key=lambda number: -expected[number])
    assert [hit.score for hit in hits] == pytest.approx([expected[number] for number in ordinals(hits)], abs=1e-3)
    assert hits[-1].score < 0 < hits[0].score


def test_lexical_scores_are_okapi_bm25(index: ChunkIndex) -> None:
    texts = ["lamp", "lamp oil lamp", "a long text on oil and wicks and a lamp", "harbour", "oil in the harbour " * 3]
    chunks = [chunk(text, number, title="Keeper" if number % 2 else None) for number, text in enumerate(texts)]
    index.add(embedded(*chunks))
    for query in ("lamp", "oil lamp", "the keeper in the harbour"):
        hits = search(index, query).lexical
        expected = {chunk_id: score for chunk_id, score in bm25_scores(query, chunks).items() if score > 0}
        assert {hit.chunk.chunk_id: hit.score for hit in hits} == pytest.approx(expected, rel=1e-3)
        assert list(hits) == sorted(hits, key=lambda hit: -hit.score)


def test_the_title_and_the_sections_are_searched_with_the_text(index: ChunkIndex) -> None:
    index.add(embedded(chunk("It burns oil.", title="Lighthouse", section_path=("Equipment", "Lamps"))))
    assert [len(search(index, word).lexical) for word in ("lighthouse", "equipment", "lamps", "oil")] == [1, 1, 1, 1]


def test_the_context_is_searched_and_a_breadcrumb_only_if_it_is_to_be(index: ChunkIndex) -> None:
    shown_only = {"title": "Lighthouse", "section_path": ("Equipment",), "is_breadcrumb_searched": False}
    index.add(embedded(chunk("It burns oil.", context="This is about wicks.", **shown_only)))
    assert [len(search(index, word).lexical) for word in ("lighthouse", "equipment", "wicks", "oil")] == [0, 0, 1, 1]


@pytest.mark.parametrize("depth", [1, 7, 20])
def test_ties_are_ordered_by_id_also_at_the_edge(index: ChunkIndex, depth: int) -> None:
    index.add(embedded(*(chunk("lamp", number) for number in (17, 3, 11, *range(20, 50))), vector=unit(1)))
    expected = [3, 11, 17, *range(20, 50)][:depth]
    legs = search(index, depth=depth)
    assert (ordinals(legs.lexical), ordinals(legs.dense)) == (expected, expected)


def test_the_order_does_not_depend_on_the_depth(index: ChunkIndex) -> None:
    index.add(embedded(*(chunk("lamp " * (1 + number % 7) + "oil " * (number % 3), number) for number in range(60))))
    deep = search(index, "lamp oil", depth=60)
    for depth in (1, 5, 20):
        legs = search(index, "lamp oil", depth=depth)
        assert (legs.lexical, legs.dense) == (deep.lexical[:depth], deep.dense[:depth])


FINDS: list[tuple[str, str, str]] = [
    # Case and accents
    ("grün", "grun", "de"),
    ("Straße", "STRASSE", "de"),
    ("cafe", "Café", "en"),
    ("ΛΑΜΠΑ", "λαμπα", "el"),
    ("İstanbul Diyarbakır", "istanbul DIYARBAKIR", "tr"),
    ("the lamp", "the", "en"),
    # Forms of one character, and characters that nobody sees
    ("ﾅｲﾄ １２ ﬁnal x²", "ナイト", "ja"),
    ("ﾅｲﾄ １２ ﬁnal x²", "12", "ja"),
    ("ﾅｲﾄ １２ ﬁnal x²", "final", "ja"),
    ("ﾅｲﾄ １２ ﬁnal x²", "x2", "ja"),
    ("ナイト 12 final", "ﾅｲﾄ", "ja"),
    ("ナイト 12 final", "ｆｉｎａｌ", "ja"),
    ("light\u00adhouse", "lighthouse", "en"),
    ("lighthouse", "light\u200bhouse", "en"),
    ("lamp\x00s \ud800", "lamps", "en"),
    ("Fu\u0308hrer Tiê\u0301n", "Führer", "de"),
    ("Führer", "Fu\u0308hrer", "de"),
    ("Acme™ pump", "acme", "en"),
    # Inflected forms, by the language of the document
    ("The keepers were lighting the lamps", "keeper lights lamp", "en"),
    ("Zwei Fahrzeuge auf der Fähre", "Welche Fahrzeugen gibt es?", "de"),
    ("Les phares sont allumés", "Quel phare est allumé ?", "fr"),
    ("Las lámparas encendidas", "¿Qué lámpara está encendida?", "es"),
    ("Le lampade accese", "Quale lampada è accesa?", "it"),
    ("As lâmpadas acesas", "Qual é a lâmpada acesa?", "pt"),
    ("De lampen branden", "Welke lamp brandt er?", "nl"),
    ("Паромы и билеты", "Сколько стоит билет на паром?", "ru"),
    # Words of another language than the question's, and of languages without a stemmer
    ("Die Installation von LanceDB in Hamburg", "What does LanceDB do?", "de"),
    ("Majakan lamput", "majakan", "fi"),
    ("हिन्दी में लिखो", "हिन्दी", "hi"),
    # Scripts without spaces
    ("夜间渡轮的票价是五元", "渡轮票价", "zh"),
    ("船は火曜日だけ出ます", "火曜日", "ja"),
    ("船は火曜日だけ出ます", "船", "ja"),
    ("切符はいらない", "きっぷ 切符", "ja"),
    ("학교에서 등대까지 갑니다", "등대", "ko"),
    ("ราคาตั๋วเรือ", "ตั๋ว", "th"),
]


def test_words_are_found_however_they_are_written(index: ChunkIndex) -> None:
    languages = {text: language for text, _, language in FINDS}
    chunks = [chunk(text, n, language=language) for n, (text, language) in enumerate(languages.items())]
    index.add(embedded(*chunks))
    found = {query: search(index, query).lexical for _, query, _ in FINDS}
    assert [(text, query) for text, query, _ in FINDS if text not in {hit.chunk.text for hit in found[query]}] == []
    assert min(hit.score for hits in found.values() for hit in hits) > 0


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("渡轮票价", "渡价"),
        ("학교에서", "서울"),
        ("ナイト", "ナト"),
        ("concatenate", "cat"),
        ("version 3.11.7", "7"),
        ("the lamp", "Where is the harbour?"),
    ],
)
def test_other_words_are_no_hits(index: ChunkIndex, text: str, query: str) -> None:
    index.add(embedded(chunk(text)))
    assert search(index, query).lexical == ()


def test_a_chunk_keeps_its_original_words(index: ChunkIndex) -> None:
    index.add(embedded(chunk("ﾅｲﾄ １２ ﬁnal x² light\u00adhouse")))
    assert search(index, "final").lexical[0].chunk.text == "ﾅｲﾄ １２ ﬁnal x² light\u00adhouse"


def test_a_question_of_any_length_is_asked(index: ChunkIndex) -> None:
    index.add(embedded(chunk("lamp")))
    question = "lamp " + " ".join(f"word{number}" for number in range(3_000)) + "x" * 50_000
    assert len(search(index, question).lexical) == 1


@pytest.mark.parametrize("query", ["", "   ", "?! …", "\x00"])
def test_a_question_without_words_has_a_dense_leg_only(index: ChunkIndex, query: str) -> None:
    index.add(embedded(chunk("lamp")))
    legs = search(index, query)
    assert (len(legs.lexical), len(legs.dense)) == (0, 1)


@pytest.mark.parametrize(
    "query", ['lamp" OR (', "lamp~ ^2 -oil", "text: lamp AND *", "lamp \\", "'; drop table lamp --"]
)
def test_a_question_is_words_and_no_syntax(index: ChunkIndex, query: str) -> None:
    index.add(embedded(chunk("lamp"), chunk("oil", 1)))
    assert ordinals(search(index, query).lexical)[0] == 0
