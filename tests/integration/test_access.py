"""Who learns of documents that ingestion could not read: S3 and DynamoDB on MiniStack, an index on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.sidecar import NOBODY
from ragstone.types import DocumentFilter, DocumentStatus
from tests.integration.test_reconcile import World
from tests.support.fixtures_ministack import Account

SOURCE, DAMAGED = "secret.pdf", "%PDF-1.7 and then nothing"


@pytest.fixture
def world(account: Account, tmp_path: Path) -> World:
    return World(account, tmp_path)


def seen(world: World, *groups: str) -> list[str]:
    return [record.source for record in world.registry.page(where=DocumentFilter(groups=groups)).documents]


def test_a_rejected_document_is_known_to_its_readers_only(world: World) -> None:
    world.put(f"{SOURCE}.metadata.json", '{"acl": ["crew"]}')
    world.add(SOURCE, DAMAGED)
    record = world.registry.get(world.place(SOURCE).document_id)
    assert record is not None
    assert (record.status, record.acl) == (DocumentStatus.REJECTED, ("crew",))
    assert (seen(world), seen(world, "board"), seen(world, "crew")) == ([], [], [SOURCE])


def test_a_sidecar_that_can_t_be_read_hides_a_new_document_and_leaves_an_old_one_as_it_was(world: World) -> None:
    world.add("old.txt")
    for source in ("old.txt", SOURCE):
        world.put(f"{source}.metadata.json", '{"acl": "crew"}')
        world.add(source)
    assert (seen(world), seen(world, "crew")) == (["old.txt"], ["old.txt"])
    record = world.registry.get(world.place(SOURCE).document_id)
    assert record is not None
    assert (record.status, record.reason, record.acl) == (DocumentStatus.REJECTED, "bad_sidecar", NOBODY)
    assert world.index.count() == 0
