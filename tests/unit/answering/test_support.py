"""What a quotation bears out, language by language."""

from __future__ import annotations

import pytest

from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.answering.verification import Verifier
from ragstone.types import Claim, Evidence, Sentence
from tests.support.builders import passage
from tests.support.fake_embedder import FakeEmbedder

TRUE_AND_FALSE = [
    # What the passage says, and what may and may not be said of it.
    ("A crossing costs 12 tallies.", "A crossing costs twelve tallies.", "A crossing costs twenty tallies."),
    ("Platforms close at -5 degrees.", "Platforms close at -5 degrees.", "Platforms close at 5 degrees."),
    ("It runs from 9 to 12 on weekdays.", "It runs from 9 to 12.", "It runs from 12 to 9."),
    ("The pier opened in March 1988.", "The pier opened in March 1988.", "The pier opened in May 1988."),
    ("The first pier burnt down.", "The first pier burnt down.", "The second pier burnt down."),
    ("Alice Reed sued Bob Stone.", "Bob Stone was sued by Alice Reed.", "Bob Stone sued Alice Reed."),
    ("Alice Reed sued Bob Stone.", "Alice Reed sued Bob Stone.", "Alice Reed was sued by Bob Stone."),
    ("Captain Reed steers the ferry.", "The ferry is steered by Captain Reed.", "Captain Ried steers the ferry."),
    ("Dogs aren't allowed on board.", "Dogs are not allowed on board.", "Dogs are allowed on board."),
    ("Dogs and cats may not board.", "Neither dogs nor cats may board.", "Dogs and cats may board."),
    ("It costs 1.50 a day.", "It costs 1.50 a day.", "It costs 1 a day."),
    ("Pier B costs 5 € a day.", "It costs 5 € a day.", "It costs 5 $ a day."),
    ("The long crossing costs 5 crowns.", "The long crossing costs 5 crowns.", "The long crossing costs 5 pounds."),
    ("Gate B opens at nine.", "Gate B opens at nine.", "Gate C opens at nine."),
    ("Gate B opens at nine.", "It opens at nine.", "Gate A opens at nine."),
    ("All lines run except the night line.", "All lines run except the night line.", "All lines run."),
    ("Dogs couldn’t board.", "Dogs could not board.", "Dogs could board."),
    ("Boats carry at most 12 guests.", "At most 12 guests are carried.", "Boats carry at least 12 guests."),
    ("Boats carry up to 12 guests.", "Boats carry at most 12 guests.", "Boats carry 12 guests."),
    ("It took about 300 days.", "It took around 300 days.", "It took 300 days."),
    ("Es dauert mindestens 3 Tage.", "Es dauert wenigstens drei Tage.", "Es dauert höchstens 3 Tage."),
    ("Hunde dürfen nicht mitfahren.", "Hunde dürfen nicht mitfahren.", "Hunde dürfen mitfahren."),
    ("Die Fahrt kostet zwölf Taler.", "Die Fahrt kostet 12 Taler.", "Die Fahrt kostet dreizehn Taler."),
    ("Die Fähre fährt dienstags.", "Die Fähre fährt am Dienstag.", "Die Fähre fährt am Donnerstag."),
    ("Die Fähre steuert Frau Möller.", "Frau Möller steuert die Fähre.", "Frau Schmidt steuert die Fähre."),
    ("Les chiens ne montent pas à bord.", "Les chiens ne montent pas.", "Les chiens montent à bord."),
    ("La traversée coûte douze écus.", "La traversée coûte 12 écus.", "La traversée coûte treize écus."),
    ("Los perros no suben a bordo.", "Los perros no suben.", "Los perros suben a bordo."),
    ("Il traghetto parte di lunedì.", "Il traghetto parte lunedì.", "Il traghetto parte di martedì."),
    ("A balsa parte na terça-feira.", "A balsa parte na terça-feira.", "A balsa parte na quinta-feira."),
    ("Honden mogen niet aan boord.", "Honden mogen niet aan boord.", "Honden mogen aan boord."),
    ("Собаки не допускаются на борт.", "Собаки не допускаются.", "Собаки допускаются на борт."),
    ("Паром ходит по вторникам.", "Паром ходит во вторник.", "Паром ходит в среду."),
    ("渡船在星期二开航，票价十二元。", "渡船票价十二元。", "渡船票价十三元。"),
    ("犬は船に乗ることができません。", "犬は船に乗ることができません。", "犬は船に乗ることができます。"),
]


def is_borne_out(text: str, sentence: str, language: str | None = None, quote: str | None = None) -> bool:
    from ragstone.language import written_language

    verifier = Verifier((passage(text),), language or written_language(sentence))
    return isinstance(verifier.verify(Claim(sentence, (1,), (quote or text,))), Sentence)


@pytest.mark.parametrize(("text", "true", "false"), TRUE_AND_FALSE)
def test_a_sentence_s_facts_stand_in_its_quotation(text: str, true: str, false: str) -> None:
    assert is_borne_out(text, true)
    assert not is_borne_out(text, false)


@pytest.mark.parametrize(
    ("language", "true", "false"),
    [
        ("de", "Eine Überfahrt kostet 12 Taler und geht dienstags.", "Eine Überfahrt kostet 13 Taler."),
        ("de", "Am Dienstag kostet die Überfahrt zwölf Taler.", "Am Mittwoch kostet die Überfahrt zwölf Taler."),
        ("fr", "La traversée du mardi coûte 12 écus.", "La traversée du mardi ne coûte pas 12 écus."),
        ("zh", "星期二的渡船票价为12元。", "星期二的渡船票价为15元。"),
        ("ru", "Переправа стоит 12 монет.", "Переправа не стоит 12 монет."),
    ],
)
def test_an_answer_in_another_language_is_held_to_its_facts(language: str, true: str, false: str) -> None:
    text = "A crossing on Tuesday costs 12 tallies."
    assert is_borne_out(text, true, language)
    assert not is_borne_out(text, false, language)


def test_another_language_than_the_answer_s_is_no_way_around_the_words() -> None:
    assert not is_borne_out("The night ferry runs on Tuesdays.", "Die Fähre ist für alle kostenlos.", "en")


@pytest.mark.parametrize(
    ("quote", "sentence"),
    [
        ("allowed on board", "Dogs are allowed on board."),
        ("are not\nallowed on board", "Dogs are allowed on board."),
        ("allowed on board. Cats are", "Dogs are allowed on board."),
    ],
)
def test_a_denial_is_not_lost_by_quoting_what_stands_after_it(quote: str, sentence: str) -> None:
    text = "Dogs are not\nallowed on board. Cats are carried."
    assert not is_borne_out(text, sentence, quote=quote)


def test_a_quotation_of_half_the_passage_proves_nothing() -> None:
    text = " ".join(f"Ferry {n} leaves pier {n}." for n in range(10))
    assert not is_borne_out(text, "Ferry 3 leaves pier 3.", quote=text)


async def test_what_the_extractive_answerer_quotes_is_always_borne_out() -> None:
    texts = [text for case in TRUE_AND_FALSE for text in case]
    found = tuple(passage(text, ordinal=n, source=f"{n}") for n, text in enumerate(texts))
    for n, text in enumerate(texts):
        evidence = Evidence(found[n : n + 1], found[n : n + 1])
        async for claim in ExtractiveAnswerer(FakeEmbedder()).claims(text, evidence):
            assert isinstance(claim, Claim)
            assert isinstance(Verifier(evidence.passages, "en").verify(claim), Sentence), text
