"""What holds for every match: folding, snapshots, frames, and commands from anybody."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code
from laelo_common.log.commit import verify_chain
from laelo_common.log.port import Recorded
from laelo_common.wire import table as wire
from laelo_common.wire.marks import ACCOUNT_MARK
from laelo_common.wire.server import ServerFrame
from laelo_table.domain import snapshot
from laelo_table.domain.commands import (
    BotMove,
    Empty,
    GiveBack,
    Gone,
    Here,
    MatchOver,
    NextDeal,
    StartByItself,
    TimeUp,
)
from laelo_table.domain.evolve import evolve
from laelo_table.domain.outcome import Refusal
from laelo_table.domain.state import NO_TABLE, NOBODY, version_of
from laelo_table.domain.view import frames
from laelo_table.domain.view import snapshot as snapshot_frame

from .client import Client
from .kit import PEOPLE, TABLE, Game, lively_match, random_match

Played = Callable[[int, int, int], Game]
SEEDS = st.integers(0, 2**32)
CLOCKS = st.sampled_from((0, 1, 15))
VIEWERS = range(5)
MARK = msgspec.json.encode(ACCOUNT_MARK)[1:-1]
MATCHES = st.sampled_from((random_match, lively_match))


@given(MATCHES, SEEDS, st.integers(1, 4), CLOCKS)
@settings(max_examples=25, deadline=None)
def test_the_log_alone_gives_the_live_state(
    played: Played, seed: int, people: int, clock: int
) -> None:
    game = played(seed, people, clock)
    state = NO_TABLE
    for data, live in zip(game.stored, game.states[1:], strict=True):
        state = evolve(state, events_pb2.Commit.FromString(data))
        assert state == live
    assert played is lively_match or state.match_end is not None
    recorded = [Recorded(n, "tbl", data, 0) for n, data in enumerate(game.stored, 1)]
    assert verify_chain(recorded, game.digest) is None


@given(MATCHES, SEEDS, st.integers(1, 4), CLOCKS, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_snapshot_and_tail_give_the_live_state(
    played: Played, seed: int, people: int, clock: int, chance: random.Random
) -> None:
    game = played(seed, people, clock)
    at = chance.randrange(1, len(game.states))
    kept = snapshot.save(game.states[at], b"digest").SerializeToString()
    state = snapshot.restore(events_pb2.Snapshot.FromString(kept))
    assert state == game.states[at]
    for data in game.stored[at:]:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert state == game.state


@given(MATCHES, SEEDS, st.integers(1, 4), CLOCKS)
@settings(max_examples=30, deadline=None)
def test_frames_add_up_to_the_snapshot_at_every_version(
    played: Played, seed: int, people: int, clock: int
) -> None:
    game = played(seed, people, clock)
    clients: dict[str, tuple[int, Client]] = {}
    for commit, state in zip(game.commits, game.states[1:], strict=True):
        sent = frames(commit, state)
        seated = {seat.player: number for number, seat in enumerate(state.seats) if seat.player}
        known, clients = clients, {}
        for player, viewer in {**seated, "": NOBODY}.items():
            frame = decoded(snapshot_frame(state, viewer, commit.head.time_ms).frame)
            mine = [view.frame for view in sent if view.viewers >> viewer & 1]
            assert len(mine) == 1
            before, client = known.get(player, (-1, Client(frame)))
            if before == viewer:
                client.take(decoded(mine[0]))
            else:
                # Who gets another seat, or window, gets a snapshot.
                client = Client(frame)
            clients[player] = (viewer, client)
            if commit.head.turn == commit.head.version:
                assert client.view == frame.d
            else:
                assert timeless(client.view) == timeless(frame.d)


@given(SEEDS, st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_accounts_are_named_only_where_it_changes_who_sits(seed: int, people: int) -> None:
    game = lively_match(seed, people, guests=False)
    named = 0
    for commit, before, after in zip(game.commits, game.states, game.states[1:], strict=False):
        # A gateway looks for names in updates that tell who sits, and in no others.
        if any(MARK in shown.frame for shown in frames(commit, after)):
            named += 1
            assert before.seats is not after.seats
    assert named or people == 1


def timeless(view: wire.TableView) -> wire.TableView:
    """Without what goes by between two commits, which clients count down by themselves."""
    turn = None if view.turn is None else msgspec.structs.replace(view.turn, ms=0)
    return msgspec.structs.replace(view, turn=turn, next_ms=None)


@given(st.integers(0, 2**32), st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_nobodys_coming_and_going_moves_another_seats_deadline(seed: int, people: int) -> None:
    """other-clock: only who takes a seat from a bot, or leaves one to it, moves that seat's."""
    game = lively_match(seed, people, 15)
    kinds = {"seat_taken_2", "seat_left", "seat_held", "person_back", "bot_stands_in"}
    for commit, before, after in zip(game.commits, game.states, game.states[1:], strict=False):
        if after.turn != before.turn or not before.begun or after.closed:
            continue
        events = [(event.WhichOneof("event"), event) for event in commit.events]
        if commit.head.deadline_ms != before.deadline_ms and events[0][0] != "deadline_moved":
            assert {kind for kind, _ in events} <= kinds
            about = {getattr(event, str(kind)).seat for kind, event in events}
            assert about == {before.begun.seat}
        if events[0][0] == "person_gone":
            assert commit.head.deadline_ms == before.deadline_ms


@given(MATCHES, SEEDS, st.integers(1, 4))
@settings(max_examples=15, deadline=None)
def test_snapshots_stay_below_four_kilobytes(played: Played, seed: int, people: int) -> None:
    game = played(seed, people, 15)
    every = tuple(events_pb2.BytesAdded(seat=seat, bytes=bytes(16)) for seat in range(4))
    longest = "\N{DOMINO TILE HORIZONTAL BACK}" * 64
    for state in game.states[1:]:
        a, b, c, d = (s._replace(name=longest if s.player else "") for s in state.seats)
        many = state._replace(
            seats=(a, b, c, d),
            hands=state.hands * 8,
            added=every,
            next_added=every if state.next_deal else (),
        )
        for viewer in VIEWERS:
            assert len(snapshot_frame(many, viewer, game.now_ms).frame) <= 4096


NUMBERS = st.integers(-2, 9)
ANY_COMMAND = st.builds(
    lambda **fields: fields,
    kind=st.integers(0, 20),
    player=st.sampled_from((*PEOPLE, "eve", "")),
    command=st.sampled_from(("x", "clock-5", "bot-1", "deal-9", "", "a b", "\n", "y" * 129)),
    name=st.sampled_from(("Eve", "", "\n", "n" * 65)),
    seat=st.integers(-3, 6),
    tile_a=NUMBERS,
    tile_b=NUMBERS,
    end=st.integers(0, 4),
    opener=NUMBERS,
    level=st.integers(0, 4),
    turn=st.integers(0, 40),
    fence=st.integers(0, 4),
    window=st.sampled_from(("", "w1", "w" * 65)),
    other=st.integers(-3, 6),
    hand=st.integers(0, 3),
    deal_bytes=st.sampled_from((b"", bytes(16))),
)
ANY_HOUSE = st.one_of(
    st.builds(TimeUp, st.integers(0, 40)),
    st.builds(NextDeal, st.integers(0, 40)),
    st.builds(StartByItself, st.integers(0, 40)),
    st.builds(GiveBack, st.integers(0, 40), st.integers(0, 2**41)),
    st.builds(Gone, st.sampled_from((*PEOPLE, "eve", "")), st.integers(0, 3), st.integers(0, 4)),
    st.builds(
        Here,
        st.sampled_from((*PEOPLE, "eve", "")),
        st.sampled_from(("", "w1", "w2")),
        st.integers(0, 3),
        st.integers(0, 40),
    ),
    st.builds(Empty, st.integers(0, 2**41), st.integers(0, 1000)),
    st.builds(MatchOver, st.integers(0, 40)),
    st.builds(
        BotMove,
        turn=st.integers(0, 40),
        fence=st.integers(0, 4),
        act=st.integers(0, 7),
        tile=st.integers(0, 40),
        end=st.integers(0, 3),
        opener=st.integers(0, 5),
    ),
)


@given(SEEDS, st.data())
@settings(max_examples=60, deadline=None)
def test_anybody_may_ask_for_anything(seed: int, data: st.DataObject) -> None:
    game = Game(random.Random(seed))
    if data.draw(st.booleans()):
        game.open_match()
    elif data.draw(st.booleans()):
        game.open(data.draw(st.integers(1, 4)), move_seconds=data.draw(CLOCKS))
        if data.draw(st.booleans()):
            game.start().play_on(data.draw(st.integers(0, 60)))
    for _ in range(20):
        before, stored = game.state, list(game.stored)
        refusal = game.do(draw_command(game, data))
        if isinstance(refusal, Refusal):
            assert refusal.code in Code.__members__
            assert refusal.reason
            assert game.state is before
            assert game.stored == stored
        else:
            assert game.state.version == before.version + 1


def draw_command(game: Game, data: st.DataObject) -> Any:
    if data.draw(st.booleans()):
        return data.draw(ANY_HOUSE)
    fields = data.draw(ANY_COMMAND)
    if data.draw(st.booleans()):
        for name in ("command", "turn", "fence"):
            del fields[name]
    return game.ask(fields.pop("kind"), fields.pop("player"), **fields)


@given(SEEDS, st.integers(1, 4))
@settings(max_examples=10, deadline=None)
def test_the_newest_64_commands_are_remembered(seed: int, people: int) -> None:
    game = random_match(seed, people)
    ids = [commit.head.command for commit in game.commits]
    for version, number in enumerate(ids, 1):
        remembered = version > len(ids) - 64
        assert version_of(game.state, number) == (version if remembered else 0)


def decoded(frame: bytes) -> Any:
    return msgspec.json.decode(frame, type=ServerFrame)


@pytest.mark.parametrize("kind", [table_pb2.KIND_UNSPECIFIED, table_pb2.KIND_WATCH, 99])
def test_a_kind_that_changes_nothing_is_no_command(kind: int) -> None:
    game = Game().open()
    refusal = game.do(game.ask(kind, "ana"))  # type: ignore[arg-type]
    assert refusal is not None
    assert refusal.code == "BAD_REQUEST"


def test_tables_are_named_in_their_frames() -> None:
    game = Game().open(1)
    assert decoded(snapshot_frame(game.state, 0, game.now_ms).frame).table == TABLE
