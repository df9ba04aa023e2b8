from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from ragstone.errors import IndexMismatch, ReindexRefused
from ragstone.generations.steps import Steps
from ragstone.types import Generation, Generations, Role
from tests.support.fake_index import FakeIndex, FakeStore
from tests.unit.generations.world import World

LATER = timedelta(minutes=2)


@pytest.fixture
def world() -> World:
    made = World()
    made.steps.generations()
    return made


def names(found: Generations) -> tuple[str, str | None, Role | None]:
    return found.live.name, found.other and found.other.name, found.role


def begin(world: World) -> Generations:
    return world.steps.begin(world.next_generation())


def swapped(world: World) -> Generations:
    begin(world)
    return world.steps.swap("chunks-02")


def test_the_first_generation_makes_itself_with_its_index_and_aliases() -> None:
    world = World()
    assert names(world.steps.generations()) == ("chunks-01", None, None)
    assert world.stores["chunks-01"].owner == ("fake", 64)
    assert (world.aliases.read, world.aliases.written) == ("chunks-01", ("chunks-01",))
    assert names(world.steps.generations()) == ("chunks-01", None, None)


def test_of_two_who_make_the_first_generation_one_is_faster_and_both_use_it() -> None:
    world = World()

    def slow() -> Generation:
        world.steps.generations()
        return world.next_generation()

    assert names(replace(world.steps, first=slow).generations()) == ("chunks-01", None, None)


def test_a_begun_generation_is_written_while_the_old_one_answers(world: World) -> None:
    found = begin(world)
    assert names(found) == ("chunks-01", "chunks-02", Role.BUILDING)
    assert [generation.name for generation in found.written] == ["chunks-02", "chunks-01"]
    assert world.stores["chunks-02"].owner == ("fake", 64)
    assert (world.aliases.read, world.aliases.written) == ("chunks-01", ("chunks-02", "chunks-01"))


def test_a_swap_keeps_the_old_generation_in_step_and_can_be_taken_back(world: World) -> None:
    found = swapped(world)
    assert names(found) == ("chunks-02", "chunks-01", Role.PREVIOUS)
    assert [generation.name for generation in found.written] == ["chunks-01", "chunks-02"]
    assert world.aliases.read == "chunks-02"
    assert names(world.steps.swap("chunks-01")) == ("chunks-01", "chunks-02", Role.PREVIOUS)
    assert world.aliases.read == "chunks-01"


def test_a_swap_that_is_repeated_changes_nothing(world: World) -> None:
    found = swapped(world)
    assert world.steps.swap("chunks-02") == found


def test_only_what_is_there_can_be_swapped_in(world: World) -> None:
    with pytest.raises(ReindexRefused, match="chunks-09 is not there to be swapped in"):
        world.steps.swap("chunks-09")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (begin, "chunks-02 is half built: go on with --resume, or give it up with --drop"),
        (swapped, "chunks-01 is kept from the last swap: delete it with --drop"),
    ],
)
def test_one_index_beside_the_live_one_is_enough(
    world: World, prepare: Callable[[World], Generations], message: str
) -> None:
    found = prepare(world)
    with pytest.raises(ReindexRefused, match=message):
        begin(world)
    assert world.steps.generations() == found


def test_a_drop_deletes_the_index_that_is_not_live(world: World) -> None:
    swapped(world)
    world.pass_time(LATER)
    dropped = world.steps.drop()
    assert dropped and dropped.name == "chunks-01"
    assert names(world.steps.generations()) == ("chunks-02", None, None)
    assert (world.stores["chunks-01"].owner, world.stores["chunks-02"].owner) == (None, ("fake", 64))
    assert world.aliases.written == ("chunks-02",)
    assert world.steps.drop() is None


def test_a_half_built_index_can_be_given_up_at_once(world: World) -> None:
    begin(world)
    dropped = world.steps.drop()
    assert dropped and dropped.name == "chunks-02"
    assert names(world.steps.generations()) == ("chunks-01", None, None)


def test_what_queries_may_still_read_is_not_dropped(world: World) -> None:
    swapped(world)
    with pytest.raises(ReindexRefused, match="queries may still read chunks-01: try again in 61 seconds"):
        world.steps.drop()
    assert world.stores["chunks-01"].owner


class Broken(FakeIndex):
    """An index that can't be deleted."""

    def drop(self) -> None:
        raise ConnectionError("gone away")


def test_a_drop_that_was_killed_is_finished_by_the_next_one(world: World) -> None:
    swapped(world)
    world.pass_time(LATER)
    with pytest.raises(ConnectionError):
        replace(world.steps, index=lambda _: Broken(store=world.stores["chunks-01"])).drop()
    assert names(world.steps.generations()) == ("chunks-02", "chunks-01", Role.DROPPED)
    assert [generation.name for generation in world.steps.generations().written] == ["chunks-02"]
    with pytest.raises(ReindexRefused, match="chunks-01 is not there to be swapped in"):
        world.steps.swap("chunks-01")
    with pytest.raises(ReindexRefused, match="chunks-01 is not deleted yet: finish that with --drop"):
        begin(world)
    assert world.steps.drop()
    assert names(world.steps.generations()) == ("chunks-02", None, None)
    assert world.stores["chunks-01"].owner is None


def test_a_begin_that_was_killed_is_finished_by_resume(world: World) -> None:
    def killed(generation: Generation) -> FakeIndex:
        raise ConnectionError("gone away")

    with pytest.raises(ConnectionError):
        replace(world.steps, index=killed).begin(world.next_generation())
    assert "chunks-02" not in world.stores
    world.steps.resume()
    assert world.stores["chunks-02"].owner == ("fake", 64)
    assert world.aliases.written == ("chunks-02", "chunks-01")


class Overtaken(World):
    """Somebody else begins a generation between reading and writing."""

    def overtaken(self) -> Steps:
        other = self.steps

        class Pointer:
            def read(self) -> Generations | None:
                found = other.pointer.read()
                if found and found.role is None:
                    other.begin(Generation("chunks-faster", {"chunk_size": 10}, 64, "2026-01-01T00:00:00+00:00"))
                return found

            def write(self, generations: Generations) -> bool:
                return other.pointer.write(generations)

        return replace(other, pointer=Pointer())


def test_of_two_who_begin_one_is_told_that_the_other_was_faster() -> None:
    world = Overtaken()
    world.steps.generations()
    with pytest.raises(ReindexRefused, match="somebody else has changed the generations meanwhile"):
        world.overtaken().begin(world.next_generation())
    assert names(world.steps.generations()) == ("chunks-01", "chunks-faster", Role.BUILDING)


def test_an_old_index_that_can_t_be_written_any_more_can_be_replaced(world: World) -> None:
    world.stores["chunks-01"].owner = ("an older layout", 64)
    begin(world)
    assert names(world.steps.resume()) == ("chunks-01", "chunks-02", Role.BUILDING)
    assert names(world.steps.swap("chunks-02")) == ("chunks-02", "chunks-01", Role.PREVIOUS)
    with pytest.raises(IndexMismatch):
        world.steps.swap("chunks-01")
    world.pass_time(LATER)
    assert world.steps.drop()


def test_a_half_built_index_can_be_given_up_though_the_live_one_can_t_be_written(world: World) -> None:
    world.stores["chunks-01"].owner = ("an older layout", 64)
    begin(world)
    assert world.steps.drop()
    assert names(world.steps.generations()) == ("chunks-01", None, None)


def test_an_index_of_an_older_layout_is_taken_over_as_the_first_one() -> None:
    world = World()
    world.stores["chunks-01"] = FakeStore(owner=("an older layout", 64))
    assert names(world.steps.generations()) == ("chunks-01", None, None)


def test_an_index_of_another_embedder_is_not_swapped_in(world: World) -> None:
    begin(world)
    world.stores["chunks-02"].owner = ("another", 64)
    with pytest.raises(IndexMismatch):
        world.steps.swap("chunks-02")
    assert names(world.steps.generations()) == ("chunks-01", "chunks-02", Role.BUILDING)
