"""Histories and replays of what stands in PostgreSQL, held against the rows themselves."""

import random
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from laelo.archive.v1 import archive_pb2
from laelo_archive.adapters.reading import PostgresReading
from laelo_archive.adapters.writing import PostgresShelves, write_known, write_rows
from laelo_archive.app import Archive
from laelo_archive.domain import turns
from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import EntryRow, HandRow, MatchRow, PersonRow, Row
from laelo_archive.domain.shown import history_row
from laelo_archive.migrate import MIGRATIONS
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Aggregate, Kind
from laelo_common.postgres import Database

from services.table.tests.kit import random_match

from .conftest import a_server
from .kit import Histories, a_championship, an_id, newest, retold, rows_of, some_histories

pytestmark = pytest.mark.integration


class World:
    """An archive with a good deal in it, and its rows."""

    def __init__(self, database: Database, rows: Sequence[Row]) -> None:
        self.database = database
        self.archive = Archive(PostgresReading(database))
        self.rows = list(newest(rows).values())

    def of(self, kind: type[Row]) -> list[Row]:
        """The rows of a kind."""
        return [row for row in self.rows if isinstance(row, kind)]

    async def history(self, player: str, **wanted: object) -> list[archive_pb2.HistoryRow]:
        """A whole history, three rows at a time."""
        rows: list[archive_pb2.HistoryRow] = []
        before = ""
        while True:
            request = archive_pb2.HistoryRequest(
                player=player,
                before=before,
                limit=3,
                **wanted,  # type: ignore[arg-type]
            )
            answer = await self.archive.history(request)
            assert len(answer.rows) <= 3
            rows += answer.rows
            before = answer.next
            if not before:
                return rows
            assert len(answer.rows) == 3

    def expected(self, player: str, partner: str = "") -> list[archive_pb2.HistoryRow]:
        """The slow and simple way."""
        people = [row for row in self.of(PersonRow) if isinstance(row, PersonRow)]
        found = []
        for row in self.of(MatchRow):
            assert isinstance(row, MatchRow)
            sat = [person for person in people if person.key[1:] == row.key]
            own = [person for person in sat if person.player == player]
            is_open = {
                entry.player
                for entry in self.of(EntryRow)
                if isinstance(entry, EntryRow)
                and entry.open
                and entry.championship == row.championship
            }
            with_them = not partner or any(
                person.partner == partner and (not row.championship or partner in is_open)
                for person in own
            )
            if own and with_them:
                found.append((row.started_ms, *row.key, history_row(row, sat, is_open, player)))
        return [row for *_, row in sorted(found, key=lambda one: one[:3], reverse=True)]


def busy() -> Histories:
    """Several seasons of everything, under ids of their own."""
    histories: Histories = {}
    for season in range(4):
        chance = random.Random(season)
        for aggregate, stored in some_histories(chance, 4).items():
            own = Aggregate(aggregate.kind, f"{aggregate.id}-{season}")
            championship = an_id(1, "C") + f"-{season}" if aggregate.id >= an_id(90) else ""
            histories[own] = retold(
                stored, own, ahead_ms=season * 4 * 86_400_000, championship=championship
            )
    return histories


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    told: list[Row] = []
    for aggregate, stored in busy().items():
        more, known = rows_of(Stream(aggregate.kind.stream), aggregate.id, stored)
        assert not known.fault
        told += more
    return told


@pytest.fixture
async def world(tmp_path: Path, rows: list[Row]) -> AsyncIterator[World]:
    async with a_server(tmp_path) as server, server.database() as database:
        async with database.connection() as connection:
            await write_rows(connection, rows)
        yield World(database, rows)


async def test_everybody_has_their_history(world: World) -> None:
    players = {row.player for row in world.of(PersonRow) if isinstance(row, PersonRow)}
    assert len(players) > 10
    shared = 0
    for player in sorted(players):
        everything = world.expected(player)
        assert await world.history(player) == everything
        official = [row for row in everything if row.championship]
        assert await world.history(player, kind=archive_pb2.KIND_CHAMPIONSHIP) == official
        friendly = [row for row in everything if not row.championship]
        assert await world.history(player, kind=archive_pb2.KIND_FRIENDLY) == friendly
        weeks = {monday(row.started_ms) for row in everything}
        for week in weeks:
            of_week = [row for row in everything if monday(row.started_ms) == week]
            assert await world.history(player, week=week) == of_week
        for partner in sorted(players):
            together = world.expected(player, partner)
            assert await world.history(player, partner=partner) == together
            shared += len(together)
    assert shared
    assert await world.history("nobody") == []


def monday(moment_ms: int) -> str:
    """The Monday of a week in Recife, by the calendar of the standard library."""
    there = datetime.fromtimestamp(moment_ms / 1000, UTC) - timedelta(hours=3)
    return (there - timedelta(days=there.weekday())).date().isoformat()


async def test_a_partner_that_may_not_be_named_is_not_found_by_name(tmp_path: Path) -> None:
    """R40 holds for what can be asked, too."""
    (championship, stored), (table, match), *_ = a_championship(random.Random(3)).items()
    drawn, known = rows_of(Stream.CHAMPIONSHIPS, championship.id, stored[:1])
    assert not known.fault
    played, _ = rows_of(Stream.TABLES, table.id, match)
    async with a_server(tmp_path) as server, server.database() as database:
        world = World(database, [*drawn, *played])
        async with database.connection() as connection:
            await write_rows(connection, world.rows)
        one = next(row for row in played if isinstance(row, PersonRow))
        assert one.partner
        assert await world.history(one.player, partner=one.partner) == []
        (row,) = await world.history(one.player)
        assert [seat.player for seat in row.seats].count("") == 3
        opened = [
            entry._replace(open=True)
            for entry in world.of(EntryRow)
            if isinstance(entry, EntryRow) and entry.player == one.partner
        ]
        async with database.connection() as connection:
            await write_rows(connection, opened)
        (row,) = await world.history(one.player, partner=one.partner)
        assert [seat.player for seat in row.seats].count("") == 2


async def test_replays_are_found_and_refused(world: World) -> None:
    hands = 0
    for row in world.of(MatchRow):
        assert isinstance(row, MatchRow)
        request = archive_pb2.ReplayRequest(table=row.table_id, match=row.match)
        whole = await world.archive.replay(request)
        assert (whole.table, whole.match) == row.key
        assert [hand.number for hand in whole.hands] == list(range(1, row.hands + 1))
        hands += len(whole.hands)
    assert hands == len(world.of(HandRow))
    for table, match in (("nothing", 1), (an_id(0), 0), (an_id(0), 99), (an_id(0), 2**32 - 1)):
        with pytest.raises(LaeloError) as error:
            await world.archive.replay(archive_pb2.ReplayRequest(table=table, match=match))
        assert error.value.code is Code.UNKNOWN_MATCH
    closed = next(row for row in world.of(MatchRow) if isinstance(row, MatchRow))
    async with world.database.connection() as connection:
        await write_rows(connection, [closed._replace(spectators=False)])
    sat = next(row for row in world.of(PersonRow) if row.key[1:] == closed.key)
    assert isinstance(sat, PersonRow)
    request = archive_pb2.ReplayRequest(table=closed.table_id, match=closed.match)
    with pytest.raises(LaeloError) as error:
        await world.archive.replay(request)
    assert error.value.code is Code.NOT_SEATED
    request.viewer = sat.player
    assert (await world.archive.replay(request)).seat == sat.seat


@pytest.mark.parametrize(
    "wrong",
    [
        {"player": ""},
        {"week": "2026-12-01"},
        {"week": "20261130"},
        {"week": "monday"},
        {"before": "x"},
        {"before": "1-99999999999-a"},
        {"before": "1-2-3-"},
    ],
)
async def test_a_history_that_makes_no_sense_is_refused(wrong: dict[str, str]) -> None:
    archive = Archive(PostgresReading(Database("", MIGRATIONS)))
    request = archive_pb2.HistoryRequest(player="ana")
    for field, value in wrong.items():
        setattr(request, field, value)
    with pytest.raises(LaeloError) as error:
        await archive.history(request)
    # The last one is a place, of a table with a strange name; only the database is missing.
    assert error.value.code is (
        Code.TRY_LATER if wrong.get("before") == "1-2-3-" else Code.BAD_REQUEST
    )


async def test_the_view_of_moves_says_what_the_hands_say(world: World) -> None:
    expected = [
        (
            row.table_id, row.match, row.hand, number, turn.seat, row.players[turn.seat],
            turn.tile, turn.end, turn.actor, turn.short, turn.choices, turn.left, turn.right,
            turn.after_ms,
        )
        for row in world.of(HandRow)
        if isinstance(row, HandRow)
        for number, turn in enumerate(turns.unpack(row.turns), 1)
    ]  # fmt: skip
    late = next(row for row in world.of(HandRow) if isinstance(row, HandRow))
    longest = turns.Turn(1, 28, 0, 3, True, 0, 6, 6, 2**32 - 1, ())
    other = late._replace(hand=99, turns=turns.pack(longest))
    expected.append(
        (
            other.table_id,
            other.match,
            99,
            1,
            1,
            other.players[1],
            28,
            0,
            3,
            True,
            0,
            6,
            6,
            2**32 - 1,
        )
    )
    async with world.database.connection() as connection:
        await write_rows(connection, [other])
        found = await connection.fetch("SELECT * FROM archive_moves")
    assert sorted(tuple(row) for row in found) == sorted(expected)
    assert len(expected) > 1000


async def test_what_is_known_is_found_again(database: Database) -> None:
    game = random_match(1)
    table = Aggregate(Kind.TABLE, an_id(1))
    _, known = rows_of(Stream.TABLES, table.id, retold(game.stored[:50], table))
    shelves = PostgresShelves(database)
    async with database.connection() as connection:
        await write_known(connection, Stream.TABLES, [(table.id, known)])
    assert await shelves.known(Stream.TABLES, [table.id, "x"]) == {table.id: known}
    assert await shelves.known(Stream.CHAMPIONSHIPS, [table.id]) == {}


async def test_the_story_of_a_table_is_that_of_its_commits(database: Database) -> None:
    game = random_match(5)
    archive = Archive(PostgresReading(database))
    with pytest.raises(LaeloError) as refused:
        await archive.story(archive_pb2.StoryRequest(table=an_id(1)))
    assert refused.value.code is Code.UNKNOWN_TABLE
    async with database.connection() as connection:
        await connection.executemany(
            "INSERT INTO archive_commits VALUES ('TBL', 0, $1, $2, $1, '', $3, 0)",
            [(number, an_id(1), data) for number, data in enumerate(game.stored, start=1)],
        )
    whole = await archive.story(archive_pb2.StoryRequest(table=an_id(1), limit=1000))
    assert (whole.more, whole.closed, whole.championship) == (False, False, "")
    assert [commit.version for commit in whole.commits][:2] == [1, 2]
    assert any("is over: team" in line for line in whole.commits[-1].lines)
    some = await archive.story(archive_pb2.StoryRequest(table=an_id(1), limit=5, before=20))
    assert some.more
    assert list(some.commits) == [one for one in whole.commits if one.version < 20][-5:]
