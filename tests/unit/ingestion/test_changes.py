from __future__ import annotations

from typing import Any

import pytest

from ragstone.ingestion import change_of
from ragstone.types import ChangeKind, ObjectChange, ObjectRef, Part
from tests.support.events import load


def test_a_created_object_is_a_change_of_its_document() -> None:
    event = load("s3_object_created")
    assert change_of(event) == ObjectChange(
        kind=ChangeKind.CREATED,
        object=ObjectRef(event["detail"]["bucket"]["name"], "inbox/de/Fährordnung für Fahrgäste.html"),
        sequencer=event["detail"]["object"]["sequencer"],
        etag=event["detail"]["object"]["etag"],
    )


def test_a_delete_marker_is_a_deletion() -> None:
    change = change_of(load("s3_delete_marker_created"))
    assert change is not None
    assert (change.kind, change.etag, change.permanent) == (ChangeKind.DELETED, "", False)


def test_the_removal_of_a_stored_version_is_told_apart() -> None:
    change = change_of(load("s3_version_deleted"))
    assert change is not None
    assert (change.kind, change.permanent) == (ChangeKind.DELETED, True)


@pytest.mark.parametrize("key", ["inbox/", "inbox/folder/", "inbox/.metadata.json", "elsewhere/a.pdf", "a.pdf"])
def test_keys_that_are_no_documents_are_no_changes(key: str) -> None:
    event: dict[str, Any] = load("s3_object_created")
    event["detail"]["object"]["key"] = key
    assert change_of(event) is None


@pytest.mark.parametrize("event", ["s3_object_created", "s3_delete_marker_created"])
def test_a_sidecar_s_event_is_a_change_of_its_document(event: str) -> None:
    told: dict[str, Any] = load(event)
    told["detail"]["object"]["key"] = "inbox/a/b.pdf.metadata.json"
    change = change_of(told)
    assert change is not None
    assert (change.object.key, change.part, change.etag) == ("inbox/a/b.pdf", Part.SIDECAR, "")


def test_other_events_are_no_changes() -> None:
    assert change_of(load("s3_test_event")) is None
