"""A command that comes again very late is done once all the same, and told of as done.

The state remembers the newest 64 commands. Who was away for longer, such as a phone in a pocket,
sends again what it has no answer to: that must not begin another match, or sit down anew.
"""

from typing import Any

from laelo.table.v1 import table_pb2

from services.table.tests.house import House, Replica, play_match
from services.table.tests.kit import PEOPLE

AWAY_MS = 300_000
"""For longer than JetStream knows an id by itself."""


async def played(house: House, replica: Replica) -> None:
    """A match is begun under the id `begun`, and played to its end."""
    await replica.open(4)
    await replica.must(table_pb2.KIND_START, PEOPLE[0], command="begun")
    await play_match(replica)
    house.ahead_ms += AWAY_MS


async def test_a_match_is_not_begun_again_by_who_asked_for_it_long_ago() -> None:
    house = House()
    async with house.replica() as replica:
        await played(house, replica)
        stored = house.commits()
        (version,) = [c.head.version for c in stored if c.head.command == "begun"]
        assert len(stored) - version > 64
        update = await replica.ask(table_pb2.KIND_START, PEOPLE[0], command="begun")
        assert not update.code
        assert update.seq == version
        assert [c.head.command for c in house.commits()] == [c.head.command for c in stored]


async def test_another_replica_that_has_read_a_snapshot_knows_it_too() -> None:
    house = House()
    async with house.replica() as replica:
        await played(house, replica)
    stored = house.commits()
    async with house.replica() as another:
        update = await another.ask(table_pb2.KIND_START, PEOPLE[0], command="begun")
        assert not update.code
        assert len(house.commits()) == len(stored)


async def test_who_opened_a_table_long_ago_is_told_so_and_nobody_else() -> None:
    """By the replica where it was opened, and by one that has read a snapshot."""
    house = House()
    opening: dict[str, Any] = {"kind": table_pb2.KIND_OPEN, "player": PEOPLE[0], "command": "open"}
    async with house.replica() as replica:
        await replica.must(**opening)
        for player in PEOPLE[1:]:
            await replica.must(table_pb2.KIND_SIT, player, seat=-1)
        await replica.must(table_pb2.KIND_WATCH, PEOPLE[0])
        await replica.start()
        await play_match(replica)
        house.ahead_ms += AWAY_MS
        assert (await replica.must(**opening)).seq == 1
    async with house.replica() as another:
        assert (await another.must(**opening)).seq == 1
        other = await another.ask(**(opening | {"command": "another"}))
        assert other.code == "TABLE_EXISTS"


async def test_a_new_command_is_done_at_a_table_that_has_seen_many() -> None:
    house = House()
    async with house.replica() as replica:
        await played(house, replica)
        before = len(house.commits())
        await replica.must(table_pb2.KIND_START, PEOPLE[0], command="again")
        assert len(house.commits()) > before


async def test_nobody_sits_down_leaves_or_is_shown_out_by_what_was_sent_long_ago() -> None:
    """Ana has shown Davi out, he is back, and both tries come once more, much later."""
    house = House()
    async with house.replica() as replica:
        await replica.open(4)
        await replica.must(table_pb2.KIND_KICK, PEOPLE[0], seat=3, command="kicked")
        await replica.must(table_pb2.KIND_SIT, PEOPLE[3], seat=3, command="sat")
        await replica.must(table_pb2.KIND_LEAVE, PEOPLE[2], command="left")
        await replica.must(table_pb2.KIND_SIT, PEOPLE[2], seat=2)
        await replica.start()
        await play_match(replica)
        house.ahead_ms += AWAY_MS
        stored = len(house.commits())
        await replica.must(table_pb2.KIND_KICK, PEOPLE[0], seat=3, command="kicked")
        await replica.must(table_pb2.KIND_LEAVE, PEOPLE[2], command="left")
        await replica.must(table_pb2.KIND_SIT, PEOPLE[3], seat=3, command="sat")
        assert len(house.commits()) == stored
        seats = (await replica.state()).seats
        assert [seat.player for seat in seats] == list(PEOPLE)


async def test_what_was_done_under_an_id_is_told_whatever_is_asked_under_it() -> None:
    """So quick play sees, before it looks elsewhere, that an earlier try has opened its table."""
    house = House()
    async with house.replica() as replica:
        unknown = await replica.ask(table_pb2.KIND_SIT, PEOPLE[0], seat=-1, command="quick")
        assert unknown.code == "UNKNOWN_TABLE"
        await replica.must(table_pb2.KIND_OPEN, PEOPLE[0], command="quick")
        again = await replica.must(table_pb2.KIND_SIT, PEOPLE[0], seat=-1, command="quick")
        assert (again.seat, again.seq) == (0, 1)
        assert len(house.commits()) == 1
