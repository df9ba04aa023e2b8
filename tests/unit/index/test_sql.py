from __future__ import annotations

from ragstone.index import sql


def test_quotes_are_doubled() -> None:
    assert sql.of_document("d'1", keep="v'2") == "document_id = 'd''1' AND version <> 'v''2'"


def test_facts_stand_between_separators_and_hold_none() -> None:
    assert sql.joined(["a", "b\x1ec"]) == "\x1ea\x1eb c\x1e"


def test_no_facts_are_one_separator() -> None:
    assert sql.joined([]) == "\x1e"
