"""Walking the documents that a run is asked about."""

from __future__ import annotations

from ragstone.evaluation.corpus import Corpus
from ragstone.types import ObjectRef
from tests.support.evaluations import CORPUS, DOCUMENTS, store_with_corpus
from tests.support.fake_store import FakeStore, etag_of


def test_documents_come_in_key_order_without_sidecars_and_folders() -> None:
    store = store_with_corpus()
    store.put(DOCUMENTS, "inbox/fares.md.metadata.json", "{}")
    store.put(DOCUMENTS, "inbox/maps/", "")
    store.put(DOCUMENTS, "elsewhere/x.md", "x")
    changes = list(CORPUS.documents(store))
    assert [change.object.key for change in changes] == ["inbox/bicycles.md", "inbox/fares.md"]
    assert changes[1].etag == etag_of(b"The ferry costs 4 euros.")


def test_documents_go_on_after_a_key() -> None:
    [change] = CORPUS.documents(store_with_corpus(), after="inbox/bicycles.md")
    assert change.object.key == "inbox/fares.md"


def test_the_same_upload_is_the_same_change() -> None:
    store = store_with_corpus()
    assert list(CORPUS.documents(store)) == list(CORPUS.documents(store))


def test_the_state_changes_with_a_document_and_with_a_sidecar() -> None:
    store = store_with_corpus()
    before = CORPUS.survey(store).state
    assert CORPUS.survey(store).state == before
    store.put(DOCUMENTS, "inbox/fares.md.metadata.json", '{"acl": ["crew"]}')
    with_sidecar = CORPUS.survey(store).state
    store.put(DOCUMENTS, "inbox/fares.md", "The ferry costs 5 euros.")
    assert len({before, with_sidecar, CORPUS.survey(store).state}) == 3


def test_a_survey_says_which_documents_are_absent() -> None:
    survey = CORPUS.survey(store_with_corpus(), ["fares.md", "harbour.md"])
    assert (survey.documents, survey.absent) == (2, ("harbour.md",))


def test_a_letter_may_be_spelled_in_two_ways() -> None:
    store = FakeStore()
    store.put(DOCUMENTS, "inbox/fa\u0308hre.md", "x")
    assert CORPUS.survey(store, ["f\u00e4hre.md"]).absent == ()


def test_a_folder_is_not_the_start_of_a_name() -> None:
    assert Corpus.at(ObjectRef("b", "gold/v1")) == Corpus.at(ObjectRef("b", "gold/v1/")) == Corpus("b", "gold/v1/")
    assert Corpus.at(ObjectRef("b", "")) == Corpus("b", "")


def test_gold_may_name_a_document_below_its_folder_or_in_full() -> None:
    assert Corpus("b", "gold/").names("gold/a.md") == {"a.md", "gold/a.md"}
    assert Corpus("b", "inbox/tests/").names("tests/a.md") == {"a.md", "tests/a.md"}
    assert CORPUS.names("inbox/a.md") == {"inbox/a.md"}
