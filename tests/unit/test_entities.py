from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.entities import MOST, entities_of


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The Night Ferry was built by Marta Lindqvist.", "en", {"night ferry", "marta lindqvist"}),
        ("She ran the Bank of England's branch in Paris.", "en", {"bank of england", "paris"}),
        ("Around 1700 it rained. In 1705 it did not.", "en", set()),
        (
            "NASA follows RFC 2119, and part AB-1234 fits the ISO 27001 shelf.",
            "en",
            {"nasa", "rfc 2119", "ab-1234", "iso 27001"},
        ),
        ('He read "the old man and the sea" twice.', "en", {"the old man and the sea"}),
        ('He said "that it would rain tomorrow and all the days after".', "en", set()),
        ("Who founded it? Nobody knows. I do.", "en", set()),
        ("Die Brücke am Kai entwarf Ludwig van Beethoven, sagt die DB.", "de", {"ludwig van beethoven", "db"}),
        ("La reine visite l'Île de Ré et Zürich.", "fr", {"zurich"}),
        ("Он живёт в Москве, а Анна Каренина нет.", "ru", {"москве", "анна каренина"}),
        ("東京のエッフェルタワーで「君の名は」を見た。", "ja", {"エッフェルタワー", "君の名は"}),
        ("他读了《红楼梦》。", "zh", {"红楼梦"}),
        ("nothing is named here", "en", set()),
        ("", None, set()),
    ],
)
def test_what_a_text_names(text: str, language: str | None, expected: set[str]) -> None:
    assert expected <= set(entities_of(text, language))
    if not expected:
        assert entities_of(text, language) == ()


def test_a_question_and_a_document_name_the_same_thing_alike() -> None:
    document = entities_of("Café Müller stands on the quay. The CAFÉ is old.", "en")
    assert "cafe muller" in document
    assert "cafe muller" in entities_of("Who owns Café Müller?", None)


def test_an_entity_comes_once_and_a_long_text_has_not_too_many() -> None:
    assert entities_of("Ask Marta Lindqvist. Then we ask Marta Lindqvist.", "en") == (
        "ask marta lindqvist",
        "marta lindqvist",
    )
    assert len(entities_of(" and ".join(f"Person Number{n}" for n in range(500)), "en")) == MOST


@given(st.text(), st.sampled_from(["en", "de", "zz", None]))
def test_any_text_has_entities_in_small_letters(text: str, language: str | None) -> None:
    for entity in entities_of(text, language):
        assert len(entity) > 1
        assert entity == entity.casefold().strip()
