"""A join or leave that comes again very late is done once all the same, and told of as done.

The state remembers the newest 64 commands, and a rush brings as many within a second. Who was away
meanwhile, such as a phone in a pocket, sends again what it has no answer to: that must not have
somebody wait, or lose a place, who does not know of it.
"""

import pytest
from laelo_common.testing.waiting import until
from laelo_matchmaking.domain.commands import Leave
from laelo_matchmaking.domain.state import REMEMBERED

from .kit import WISH, people
from .town import PATIENT, Hall, Town

LATER_MS = (1, 300_000)
"""While JetStream knows an id by itself, and when it does not any more."""


async def others_come_and_go(hall: Hall) -> None:
    """So many commands that the state has forgotten all before."""
    for player in people(REMEMBERED // 2 + 1, 500):
        assert await hall.join(player) is None
        assert await hall.leave(player) is None


@pytest.mark.parametrize("later_ms", LATER_MS)
async def test_who_has_left_does_not_wait_again_by_the_old_join(later_ms: int) -> None:
    town = Town()
    async with town.replica() as hall:
        assert await hall.join("ana", "old") is None
        await hall.leave("ana")
        await others_come_and_go(hall)
        town.ahead_ms += later_ms
        stored = len(town.commits())
        assert await hall.join("ana", "old") is None
        assert hall.waiting == []
        assert len(town.commits()) == stored
        assert await hall.join("ana", "new") is None
        assert hall.waiting == ["ana"]


@pytest.mark.parametrize("later_ms", LATER_MS)
async def test_who_has_come_back_keeps_the_place_when_the_old_leave_comes(later_ms: int) -> None:
    town = Town()
    async with town.replica() as hall:
        leave = Leave("ana", "old", WISH)  # type: ignore[arg-type]
        await hall.join("ana")
        assert await hall.app.run(leave) is None
        await hall.join("ana")
        await others_come_and_go(hall)
        town.ahead_ms += later_ms
        assert await hall.app.run(leave) is None
        assert hall.waiting == ["ana"]


async def test_another_replica_that_has_read_a_snapshot_knows_it_too() -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join("ana", "old")
        await hall.leave("ana")
        await others_come_and_go(hall)
        loaded = await town.log.load(hall.store.aggregate)
        assert loaded.snapshot is not None
    town.ahead_ms += LATER_MS[1]
    async with town.replica() as another, town.replica() as third:
        for hall in (another, third):
            assert await hall.join("ana", "old") is None
        await others_come_and_go(another)
        await until(lambda: third.state == another.state)
        assert await third.join("ana", "old") is None
        assert [place.player for place in town.state().line] == []


async def test_a_join_that_was_done_is_not_refused_because_one_was_called_since() -> None:
    town = Town(PATIENT._replace(wait_ms=1))
    async with town.replica() as hall:
        assert await hall.join("ana", "old") is None
        await hall.join_all(people(7))
        await until(lambda: bool(town.cups.begun) and not hall.state.pending)
        await others_come_and_go(hall)
        assert "ana" in hall.state.busy
        assert await hall.join("ana", "old") is None


async def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laelo_matchmaking.store.ASKED_KEPT", 10)
    town = Town()
    async with town.replica() as hall:
        await others_come_and_go(hall)
        assert len(hall.store.asked) == 10
    async with town.replica() as hall:
        assert len(hall.store.asked) == 10
        newest = town.commits()[-10].head.command
        assert newest in hall.store.asked
