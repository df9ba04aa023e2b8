from __future__ import annotations

import pytest

from ragstone.language import content_stems, language_of, stems


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("When does the night ferry run?", "en"),
        ("Wie viele Minuten vor der Abfahrt schließt die Schranke?", "de"),
        ("Combien de places y a-t-il dans le bac de nuit ?", "fr"),
        ("¿Cuándo sale el transbordador y por qué?", "es"),
        ("Сколько стоит билет на паром?", "ru"),
        ("Mallard?", "en"),
        ("Цена?", "ru"),
    ],
)
def test_a_question_s_language_shows_in_its_function_words(question: str, language: str) -> None:
    assert language_of(question) == language


def test_inflected_forms_share_a_stem() -> None:
    assert stems("runs running", "en") == stems("run", "en")
    assert stems("Fahrzeuge", "de") == stems("Fahrzeuges", "de")


def test_function_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert content_stems("Who are you, the ferry?", "en") == ["ferri"]
    assert content_stems("Who are you?", "en") == ["who", "are", "you"]
