"""Dead letters on their way back, between queues of MiniStack."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError

from ragstone.aws.dead_letters import DeadLetters
from tests.support.events import load
from tests.support.fixtures_ministack import Account

EVENT = json.dumps(load("s3_object_created"))
KEY = load("s3_object_created")["detail"]["object"]["key"]


@dataclass
class Queues:
    """A queue and the one for its dead letters."""

    sqs: Any
    queue: str
    dead: str

    def letters(self) -> DeadLetters:
        return DeadLetters(self.sqs, dead_letters_url=self.dead, queue_url=self.queue)

    def die(self, *bodies: str, **more: Any) -> None:
        for body in bodies:
            self.sqs.send_message(QueueUrl=self.dead, MessageBody=body, **more)
        time.sleep(0.01)  # a message of the very millisecond in which a replay begins is not from before it

    def bodies(self, url: str) -> list[str]:
        """What is in a queue, hidden or not; it is taken out."""
        found: list[str] = []
        while messages := self.receive(url):
            for message in messages:
                found.append(message["Body"])
                self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return found

    def receive(self, url: str) -> list[dict[str, Any]]:
        reply = self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, MessageAttributeNames=["All"])
        return reply.get("Messages", [])

    def count(self, url: str) -> int:
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        attributes = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        return sum(int(attributes[name]) for name in names)


@pytest.fixture
def queues(account: Account) -> Queues:
    sqs = account.client("sqs")
    return Queues(sqs, *(sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("ingest", "dead")))


def test_every_message_goes_back_and_is_named(queues: Queues) -> None:
    queues.die(EVENT, "not json at all")
    replayed = list(queues.letters().replay())
    assert Counter((each.key, each.kind, each.error) for each in replayed) == Counter(
        [(KEY, "Object Created", None), (None, None, None)]
    )
    assert (sorted(queues.bodies(queues.queue)), queues.count(queues.dead)) == (sorted([EVENT, "not json at all"]), 0)


def test_more_messages_than_one_call_takes_go_back(queues: Queues) -> None:
    queues.die(*(f"{number}" for number in range(25)))
    assert len(list(queues.letters().replay())) == 25
    assert Counter(queues.bodies(queues.queue)) == Counter(f"{number}" for number in range(25))


def test_no_more_go_back_than_the_limit(queues: Queues) -> None:
    queues.die(*(f"{number}" for number in range(25)))
    assert len(list(queues.letters().replay(limit=12))) == 12
    assert (queues.count(queues.queue), queues.count(queues.dead)) == (12, 13)


def test_attributes_go_with_their_message(queues: Queues) -> None:
    queues.die(EVENT, MessageAttributes={"ERROR_CODE": {"DataType": "String", "StringValue": "NO_PERMISSIONS"}})
    list(queues.letters().replay())
    (message,) = queues.receive(queues.queue)
    assert message["MessageAttributes"]["ERROR_CODE"]["StringValue"] == "NO_PERMISSIONS"


def test_an_empty_queue_is_nothing_to_do(queues: Queues) -> None:
    assert list(queues.letters().replay()) == []


def test_what_died_since_the_replay_began_stays(queues: Queues) -> None:
    """Else a message that fails again at once would go round for ever."""
    queues.die("first")
    replaying = queues.letters().replay()
    assert next(replaying).error is None
    queues.die("failed again")
    assert list(replaying) == []
    assert queues.count(queues.dead) == 1


class Refusing:
    """SQS that refuses one call for one message, and carries out the others."""

    def __init__(self, sqs: Any, refused: str) -> None:
        self._sqs = sqs
        self._refused = refused

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sqs, name)

    def send_message(self, **request: Any) -> Any:
        if request["MessageBody"] == self._refused:
            error: Any = {"Error": {"Code": "InvalidMessageContents", "Message": "no such characters"}}
            raise ClientError(error, "SendMessage")
        return self._sqs.send_message(**request)


def test_what_can_t_be_sent_is_not_deleted_and_the_rest_goes_back(queues: Queues) -> None:
    queues.die("good", "bad", "fine")
    letters = DeadLetters(Refusing(queues.sqs, "bad"), dead_letters_url=queues.dead, queue_url=queues.queue)
    errors = {each.error for each in letters.replay()}
    told = "can't be used: the message has characters that a queue does not take; rename the object"
    assert errors == {None, f"the queue {queues.queue} {told}"}
    assert sorted(queues.bodies(queues.queue)) == ["fine", "good"]
    assert queues.count(queues.dead) == 1


def test_a_message_is_sent_before_it_is_deleted(queues: Queues) -> None:
    """A process that is killed between the two leaves it in both queues, and in neither only if it was in none."""
    queues.die(EVENT)

    class Killed(Exception):
        pass

    class Dying(Refusing):
        def delete_message(self, **request: Any) -> None:
            raise Killed

    with pytest.raises(Killed):
        list(DeadLetters(Dying(queues.sqs, ""), dead_letters_url=queues.dead, queue_url=queues.queue).replay())
    assert (queues.count(queues.queue), queues.count(queues.dead)) == (1, 1)
