"""What holds for every match: folding, snapshots, frames, and commands from anybody."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code
from laelo_common.log.commit import verify_chain
from laelo_common.log.port import Recorded
from laelo_common.wire.server import ServerFrame
from laelo_table.domain import snapshot
from laelo_table.domain.commands import BotMove, NextDeal, TimeUp
from laelo_table.domain.evolve import evolve
from laelo_table.domain.outcome import Refusal
from laelo_table.domain.state import NO_TABLE, NOBODY, version_of
from laelo_table.domain.view import frames
from laelo_table.domain.view import snapshot as snapshot_frame

from .client import Client
from .kit import PEOPLE, TABLE, Game, random_match

SEEDS = st.integers(0, 2**32)
CLOCKS = st.sampled_from((0, 1, 15))
VIEWERS = range(5)


@given(SEEDS, st.integers(1, 4), CLOCKS)
@settings(max_examples=25, deadline=None)
def test_the_log_alone_gives_the_live_state(seed: int, people: int, clock: int) -> None:
    game = random_match(seed, people, clock)
    state = NO_TABLE
    for data, live in zip(game.stored, game.states[1:], strict=True):
        state = evolve(state, events_pb2.Commit.FromString(data))
        assert state == live
    assert state.match_end is not None
    recorded = [Recorded(n, "tbl", data, 0) for n, data in enumerate(game.stored, 1)]
    assert verify_chain(recorded, game.digest) is None


@given(SEEDS, st.integers(1, 4), CLOCKS, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_snapshot_and_tail_give_the_live_state(
    seed: int, people: int, clock: int, chance: random.Random
) -> None:
    game = random_match(seed, people, clock)
    at = chance.randrange(1, len(game.states))
    kept = snapshot.save(game.states[at], b"digest").SerializeToString()
    state = snapshot.restore(events_pb2.Snapshot.FromString(kept))
    assert state == game.states[at]
    for data in game.stored[at:]:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert state == game.state


@given(SEEDS, st.integers(1, 4), CLOCKS)
@settings(max_examples=15, deadline=None)
def test_frames_add_up_to_the_snapshot_at_every_version(seed: int, people: int, clock: int) -> None:
    game = random_match(seed, people, clock)
    clients: dict[int, Client] = {}
    for commit, state in zip(game.commits, game.states[1:], strict=True):
        sent = frames(commit, state)
        seated = [seat for seat in range(people) if state.seats[seat].player]
        for viewer in (*seated, NOBODY):
            frame = decoded(snapshot_frame(state, viewer, commit.head.time_ms).frame)
            mine = [view.frame for view in sent if view.viewers >> viewer & 1]
            assert len(mine) == 1
            if viewer in clients:
                clients[viewer].take(decoded(mine[0]))
            else:
                clients[viewer] = Client(frame)
            assert clients[viewer].view == frame.d


@given(SEEDS, st.integers(1, 4))
@settings(max_examples=15, deadline=None)
def test_snapshots_stay_below_four_kilobytes(seed: int, people: int) -> None:
    game = random_match(seed, people, 15)
    longest = "\N{DOMINO TILE HORIZONTAL BACK}" * 64
    for state in game.states[1:]:
        a, b, c, d = (s._replace(name=longest if s.player else "") for s in state.seats)
        many = state._replace(seats=(a, b, c, d), hands=state.hands * 8)
        for viewer in VIEWERS:
            assert len(snapshot_frame(many, viewer, game.now_ms).frame) <= 4096


NUMBERS = st.integers(-2, 9)
ANY_COMMAND = st.builds(
    lambda **fields: fields,
    kind=st.integers(0, 13),
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
)
ANY_HOUSE = st.one_of(
    st.builds(TimeUp, st.integers(0, 40)),
    st.builds(NextDeal, st.integers(0, 40)),
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
