"""What rows follow from a table's log, held against the table service's own reading of it."""

import random
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo.tournament.v1 import events_pb2 as championship_events
from laelo_archive.domain import turns
from laelo_archive.domain.project import NOTHING, Known, Stream, decode, encode, project
from laelo_archive.domain.rows import EntryRow, HandRow, MatchRow, PersonRow
from laelo_common.log import Aggregate, Kind
from laelo_common.postgres import Database
from laelo_table.domain.shuffle import deal_order

from services.table.tests.kit import TABLE, Game, drawn_match, lively_match, random_match

from .archiving import finish
from .kit import (
    a_championship,
    a_match,
    an_id,
    log_of,
    mixed,
    newest,
    retold,
    rows_of,
    some_histories,
)

Played = Callable[[int], Game]
MATCHES = st.sampled_from((random_match, lively_match, drawn_match))
SEEDS = st.integers(0, 2**32)
WHOLE = settings(max_examples=25, deadline=None)


def events_of(game: Game) -> list[tuple[events_pb2.Commit, str, Any]]:
    """Everything that happened, each with its commit."""
    return [
        (commit, str(event.WhichOneof("event")), getattr(event, str(event.WhichOneof("event"))))
        for commit in game.commits
        for event in commit.events
    ]


@given(MATCHES, SEEDS)
@WHOLE
def test_rows_say_what_the_log_says(played: Played, seed: int) -> None:
    game = played(seed)
    rows, known = rows_of(Stream.TABLES, TABLE, game.stored)
    assert (known.version, known.digest, known.fault) == (len(game.stored), game.digest, "")
    hands = [row for row in rows if isinstance(row, HandRow)]
    ends = [(commit, event) for commit, kind, event in events_of(game) if kind == "hand_ended"]
    assert len(hands) == len(ends)
    for row, (commit, ended) in zip(hands, ends, strict=True):
        end = ended.end
        assert (row.reason, row.winner, row.team, row.points) == (
            end.reason, end.winner, end.team, end.points,
        )  # fmt: skip
        assert (row.counts, row.multiplier, row.seed) == (
            list(end.counts), ended.multiplier, ended.seed,
        )  # fmt: skip
        after = game.states[commit.head.version]
        assert after.game is not None
        assert (row.score_0, row.score_1) == (after.game.score_0, after.game.score_1)
        assert after.dealt is not None
        assert (row.tiles, row.opener, row.hand) == (after.dealt.order, after.opener, after.hand)
        assert row.ended_ms == commit.head.time_ms
        added = {row.added[at]: row.added[at + 1 : at + 17] for at in range(0, len(row.added), 17)}
        assert deal_order(row.seed, added) == row.tiles
        codes = [turn_code(turn) for turn in turns.unpack(row.turns)]
        assert bytes(codes) == after.turns
        assert len(row.turns) == 14 * len(after.turns)
    check_match(game, rows)


def turn_code(turn: turns.Turn) -> int:
    return 31 if turn.tile == turns.NO_TILE else turn.tile | (0, 32, 64)[turn.end]


def check_match(game: Game, rows: list[Any]) -> None:
    """The last row of the match, and the people in it."""
    started = [
        (commit, event) for commit, kind, event in events_of(game) if kind == "match_started"
    ]
    stands = newest(rows)
    matches = {row.match: row for row in stands.values() if isinstance(row, MatchRow)}
    assert sorted(matches) == [event.match for _, event in started]
    for commit, kind, event in events_of(game):
        if kind == "match_ended":
            row, end = matches[game.states[commit.head.version].match], event.end
            assert (row.winner, row.score_0, row.score_1) == (end.team, end.score_0, end.score_1)
            assert (row.buchuda, row.buchuda_de_re) == (end.buchuda, end.buchuda_de_re)
            seats = game.states[commit.head.version].seats
            assert row.players == [seat.player for seat in seats]
            assert row.bots == [seat.bot for seat in seats]
            assert row.ended_ms == commit.head.time_ms
    sat = {
        (state.match, seat.player): number
        for state in game.states
        if state.next_deal or (state.game is not None and state.match_end is None)
        for number, seat in enumerate(state.seats)
        if seat.player
    }
    people = {
        (row.match, row.player): row.seat for row in stands.values() if isinstance(row, PersonRow)
    }
    # Who sat when a match ended sat in it, also if the state of then was the first of them.
    assert sat.items() <= people.items()
    for (match, player), seat in people.items():
        assert matches[match].players[seat] == player or (match, player) in sat


@given(MATCHES, SEEDS)
@WHOLE
def test_turns_say_who_moved_when_and_what_was_called(played: Played, seed: int) -> None:
    game = played(seed)
    rows, _ = rows_of(Stream.TABLES, TABLE, game.stored)
    told = [
        (row.dealt_ms + turn.after_ms, turn)
        for row in rows
        if isinstance(row, HandRow)
        for turn in turns.unpack(row.turns)
    ]
    happened = [one for one in events_of(game) if one[1] in ("played", "passed")]
    # The turns of a hand that never ended are in no row.
    assert len(told) <= len(happened)
    for (at_ms, turn), (commit, kind, event) in zip(told, happened, strict=False):
        assert (turn.seat, turn.actor, at_ms) == (
            event.seat, commit.head.actor, commit.head.time_ms,
        )  # fmt: skip
        assert (turn.left, turn.right) == (event.after.left, event.after.right)
        calls = [(call.kind, call.number, call.low) for call in event.calls]
        assert list(turn.calls) == calls
        begun = game.states[commit.head.version - 1].begun
        assert begun is not None
        assert (turn.choices, turn.short) == (len(begun.plays), begun.short_clock)
        assert (turn.tile == turns.NO_TILE) == (kind == "passed")


@given(SEEDS)
@WHOLE
def test_of_a_hand_that_is_not_over_no_row_tells_anything(seed: int) -> None:
    game = random_match(seed)
    known: Known = NOTHING
    for data, state in zip(game.stored, game.states[1:], strict=True):
        known, _, rows = project(Stream.TABLES, TABLE, data, known)
        over = state.game is None or state.game.phase in (
            rules_pb2.PHASE_HAND_OVER, rules_pb2.PHASE_MATCH_OVER,
        )  # fmt: skip
        assert over or not any(isinstance(row, HandRow) for row in rows)
        told = repr(rows).encode()
        if state.next_deal is not None:
            assert repr(state.next_deal.seed).encode() not in told


@given(st.randoms(use_true_random=False))
@WHOLE
def test_what_is_known_can_be_stored_after_every_commit(chance: random.Random) -> None:
    for aggregate, stored in some_histories(chance, 1).items():
        stream = Stream(aggregate.kind.stream)
        live = restarted = NOTHING
        for data in stored:
            live, *told = project(stream, aggregate.id, data, live)
            again = restarted._replace(state=decode(stream, encode(restarted.state)))
            restarted, *same = project(stream, aggregate.id, data, again)
            assert (restarted, same) == (live, told)
            assert encode(restarted.state) == encode(live.state)
        assert not live.fault


@given(SEEDS, st.booleans())
@WHOLE
def test_the_names_of_accounts_are_kept_nowhere(seed: int, guests: bool) -> None:
    table = Aggregate(Kind.TABLE, TABLE)
    stored = retold(lively_match(seed).stored, table, guests=guests)
    names = {
        event.seat_taken.name or event.seat_taken_2.person.guest_name
        for data in stored
        for event in events_pb2.Commit.FromString(data).events
        if event.seat_taken.player or event.seat_taken_2.person.player
    }
    known: Known = NOTHING
    kept = b""
    for data in stored:
        known, _, rows = project(Stream.TABLES, TABLE, data, known)
        kept += encode(known.state) + repr(rows).encode()
    assert names
    assert any(name.encode() in kept for name in names) == guests


@given(SEEDS, st.data())
@WHOLE
def test_a_log_that_makes_no_sense_is_given_up_and_never_an_error(
    seed: int, data: st.DataObject
) -> None:
    stored = random_match(seed).stored
    at = data.draw(st.integers(0, len(stored) - 2))
    kind = data.draw(st.sampled_from(("lost", "changed", "twice", "nonsense", "unknown")))
    broken = stored.copy()
    if kind == "lost":
        del broken[at]
    elif kind == "twice":
        broken.insert(at, stored[at])
    elif kind == "nonsense":
        broken[at] = data.draw(st.binary(min_size=1, max_size=40))
    elif kind == "unknown":
        broken[at] = stored[at] + b"\x12\x04\xfa\x07\x01\x00"  # an event of another number
    else:
        broken[at] = events_pb2.Commit.FromString(stored[at]).SerializeToString() + b"\xaa\x06\x00"
    whole, _ = rows_of(Stream.TABLES, TABLE, stored)
    rows, known = rows_of(Stream.TABLES, TABLE, broken)
    assert known.fault
    assert known.state is None
    assert rows == whole[: len(rows)]


def _empty_name(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.seat_taken_2.HasField("person"):
            event.seat_taken_2.person.guest_name = "\0"


def _long_id(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.seat_taken_2.HasField("person"):
            event.seat_taken_2.person.player = random.Random(1).randbytes(4000).hex()


def _long_clock(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.HasField("opened"):
            event.opened.options.move_seconds = 2**32 - 1


def _late(commit: events_pb2.Commit) -> None:
    commit.head.time_ms = 2**62


def _far_on(commit: events_pb2.Commit) -> None:
    commit.head.version = 2**64 - 1


def _again(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.HasField("dealt"):
            event.dealt.hand = 1


def _no_tiles(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.HasField("dealt"):
            event.dealt.order = b""


def _no_such_tile(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.HasField("played"):
            event.played.tile = 28


def _points_from_nowhere(commit: events_pb2.Commit) -> None:
    for event in commit.events:
        if event.HasField("hand_ended"):
            event.hand_ended.end.points = 50


SENSELESS = (
    *(_empty_name, _long_id, _long_clock, _late, _far_on),
    *(_again, _no_tiles, _no_such_tile, _points_from_nowhere),
)
"""Of each of these PostgreSQL would refuse a row, or something beside it, or whoever reads rows
would be told nonsense, or fail.
"""


def spoilt(spoil: Callable[[events_pb2.Commit], None], table: Aggregate) -> list[bytes]:
    """A match of guests with something in it that nobody could keep, well chained."""
    stored: list[bytes] = []
    for data in retold(a_match(1).stored, table, guests=True):
        commit = events_pb2.Commit.FromString(data)
        spoil(commit)
        commit.head.previous = sha256(stored[-1]).digest() if stored else b""
        stored.append(commit.SerializeToString())
    return stored


@pytest.mark.integration
async def test_what_cannot_be_kept_stops_nothing_else(database: Database) -> None:
    tables = {Aggregate(Kind.TABLE, an_id(number)): one for number, one in enumerate(SENSELESS)}
    histories = {table: spoilt(spoil, table) for table, spoil in tables.items()}
    good = Aggregate(Kind.TABLE, an_id(9))
    histories[good] = retold(a_match(2).stored, good)
    streams = mixed(random.Random(1), histories)
    await finish(log_of(streams), database)
    async with database.connection() as connection:
        stored = await connection.fetch("SELECT data FROM archive_commits ORDER BY sequence")
        assert [row["data"] for row in stored] == [one.data for one in streams["TBL"]]
        given_up = await connection.fetch(
            "SELECT aggregate FROM archive_aggregates WHERE fault <> ''"
        )
        assert {row["aggregate"] for row in given_up} == {table.id for table in tables}
        hands = await connection.fetchval(
            "SELECT count(*) FROM archive_hands WHERE table_id = $1", good.id
        )
        assert hands


@given(st.randoms(use_true_random=False))
@WHOLE
def test_nobody_in_a_championship_is_open_before_their_team_is_out(chance: random.Random) -> None:
    (championship, stored), *_ = a_championship(chance).items()
    rows, known = rows_of(Stream.CHAMPIONSHIPS, championship.id, stored)
    assert not known.fault
    placed: set[int] = set()
    is_over = False
    teams: dict[str, int] = {}
    for data in stored:
        for event in championship_events.Commit.FromString(data).events:
            kind = event.WhichOneof("event")
            if kind == "team_drawn":
                drawn = event.team_drawn
                teams |= dict.fromkeys(drawn.players, drawn.number)
            elif kind == "team_placed":
                placed.add(event.team_placed.team)
            is_over = is_over or kind in ("ended", "cancelled")
    entries = [row for row in newest(rows).values() if isinstance(row, EntryRow)]
    assert {row.player: row.team for row in entries} == teams
    for row in entries:
        assert row.open == (is_over or row.team in placed)
