"""What bots with accounts make of the frames of a table: always a legal answer, once a turn."""

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain.levels import Level
from laelo_bots.domain.position import Position, read
from laelo_table.domain.view import frames, snapshot
from laelo_tools.bots.memory import Memory
from laelo_tools.bots.seat import Move, Seat

from .played import kit, match

Frame = dict[str, Any]


def told(game: Any, version: int, seat: int) -> Frame:
    """The frame of a commit as a seat is told it."""
    commit, after = game.commits[version - 1], game.states[version]
    return next(json.loads(s.frame) for s in frames(commit, after) if s.viewers >> seat & 1)


def seen(game: Any, version: int, seat: int) -> Frame:
    """All that a seat sees after a commit."""
    view = snapshot(game.states[version], seat, kit().START_MS)
    frame: Frame = json.loads(view.frame)
    return frame


def turn_in(frame: Frame, seat: int) -> Frame | None:
    """The turn of one's own that a frame opens."""
    if frame["t"] == "snapshot":
        turn = frame["d"].get("turn")
    else:
        turns = [event for event in frame["d"]["events"] if event["k"] == "turn"]
        turn = turns[-1] if turns else None
    return turn if turn is not None and turn["seat"] == seat else None


def is_legal(move: Move, turn: Frame, seat: int) -> bool:
    """Whether a command answers a turn as it may be answered."""
    if move.data["turn"] != turn["turn"]:
        return False
    if turn.get("choosing"):
        return move.kind == "choose_opener" and move.data["opener"] in (seat, seat ^ 2)
    if turn.get("must_pass"):
        return move.kind == "pass"
    ends = {tuple(play["tile"]): play.get("ends", [None]) for play in turn["plays"]}
    tile = tuple(sorted(move.data["tile"]))
    return move.kind == "play" and move.data.get("end") in ends[tile]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 15), st.integers(0, 3), st.sampled_from(list(Level)), st.data())
def test_from_any_moment_on_each_turn_is_answered_once_and_legally(
    number: int, seat: int, level: Level, data: st.DataObject
) -> None:
    game = match(number)
    begin = data.draw(st.integers(4, len(game.commits) - 1))
    follower = Seat(kit().TABLE, level, Random(number))
    frame = seen(game, begin, seat)
    for version in range(begin, len(game.commits) + 1):
        follower.take(frame)
        assert not follower.needs_snapshot()
        turn, move = turn_in(frame, seat), follower.move()
        assert (move is None) == (turn is None)
        if turn is not None and move is not None:
            assert is_legal(move, turn, seat)
            assert move.data["fence"] == game.states[version].seats[seat].fence
        assert follower.move() is None
        follower.take(frame)
        assert follower.move() is None or frame["t"] == "snapshot"
        if version < len(game.commits):
            frame = told(game, version + 1, seat)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 15), st.integers(0, 3))
def test_who_sees_all_of_a_hand_has_a_view_that_makes_sense(number: int, seat: int) -> None:
    game = match(number)
    memory = Memory()
    memory.snapshot(seen(game, 4, seat)["d"])
    turns = 0
    for version in range(5, len(game.commits) + 1):
        frame = told(game, version, seat)
        for event in frame["d"]["events"]:
            memory.event(event)
        turn = turn_in(frame, seat)
        if turn is not None:
            turns += 1
            view = memory.view(turn)
            assert view is not None
            assert isinstance(read(view), Position), read(view)
    assert turns > 10


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 15), st.integers(0, 3), st.data())
def test_after_a_gap_it_asks_once_and_waits(number: int, seat: int, data: st.DataObject) -> None:
    game = match(number)
    lost = data.draw(st.integers(5, len(game.commits) - 3))
    follower = Seat(kit().TABLE, Level.SIMPLE, Random(1))
    follower.take(seen(game, lost - 1, seat))
    follower.take(told(game, lost + 1, seat))
    assert [follower.needs_snapshot(), follower.needs_snapshot()] == [True, False]
    assert follower.move() is None
    follower.take(told(game, lost + 2, seat))
    assert not follower.needs_snapshot()
    follower.take(seen(game, lost + 2, seat))
    assert not follower.needs_snapshot()
    turn = turn_in(seen(game, lost + 2, seat), seat)
    move = follower.move()
    assert (move is None) == (turn is None)
