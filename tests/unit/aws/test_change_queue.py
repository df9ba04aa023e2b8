from __future__ import annotations

import json

import pytest

from ragstone.aws.change_queue import SqsChangeQueue, event_of
from ragstone.ingestion import change_of
from ragstone.types import ChangeKind, ObjectChange, ObjectRef
from tests.support.recording_sqs import URL, RecordingSqs

PLACE = ObjectRef("bucket", "inbox/渡し船 & co.pdf")
CHANGES = [
    ObjectChange(ChangeKind.CREATED, PLACE, "00AF", etag="5d41402abc4b2a76b9719d911017c592"),
    ObjectChange(ChangeKind.DELETED, PLACE, "00B0"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_ingestion_reads_the_change_that_was_sent(change: ObjectChange) -> None:
    assert change_of(json.loads(json.dumps(event_of(change)))) == change


def test_a_change_is_sent_to_the_queue() -> None:
    sqs = RecordingSqs()
    SqsChangeQueue(sqs, queue_url=URL).send(CHANGES[0])
    (body,) = sqs.sent
    assert change_of(json.loads(body)) == CHANGES[0]
