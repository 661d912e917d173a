"""What a seat knows, frame by frame: its own tiles, what is open, whose turn it is."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_client.moves import Open, Pass, Play, command_of, moves_of
from laelo_client.seat import Seat
from laelo_rules.engine import TILES, tiles_in
from laelo_table.domain.state import Table, hand_of
from laelo_table.domain.view import frames, snapshot

from services.table.tests.kit import TABLE, Game, random_match

VIEWER = 1


def told(game: Game, number: int) -> dict[str, Any]:
    """The frame that a viewer is sent of a commit."""
    shown = frames(game.commits[number], game.states[number + 1])
    text = next(one.frame for one in shown if one.viewers >> VIEWER & 1)
    frame: dict[str, Any] = json.loads(text)
    return frame


def snapshot_of(state: Table) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(snapshot(state, VIEWER, state.turn_ms).frame)
    return frame


def check(seat: Seat, state: Table) -> None:
    """The seat knows what the table knows of it."""
    begun, game = state.begun, state.game
    turn = seat.turn()
    if begun is None or begun.seat != VIEWER or game is None:
        assert turn is None
        return
    assert turn is not None
    assert seat.turn_number == state.turn
    assert sorted(turn.hand) == sorted(TILES[tile] for tile in tiles_in(hand_of(game, VIEWER)))
    assert turn.ends == (None if game.left > 6 else (game.left, game.right))
    assert turn.scores == (game.score_1, game.score_0)
    if begun.choosing:
        assert turn.moves == (Open(1), Open(3))
    elif begun.must_pass:
        assert turn.moves == (Pass(),)
    else:
        laid = {move.tile for move in turn.moves if isinstance(move, Play)}
        assert laid == {TILES[play & 31] for play in begun.plays}
        assert len(turn.moves) == sum(max(1, (play >> 5).bit_count()) for play in begun.plays)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_a_seat_follows_a_match(seed: int) -> None:
    game = random_match(seed)
    first = next(n for n, state in enumerate(game.states) if state.seats[VIEWER].player)
    seat = Seat(TABLE)
    seat.take(snapshot_of(game.states[first]))
    assert seat.number == VIEWER
    for number in range(first, len(game.commits)):
        seat.take(told(game, number))
        assert not seat.missed
        check(seat, game.states[number + 1])
    assert seat.end is not None
    assert seat.end["scores"] == [game.state.match_end.score_0, game.state.match_end.score_1]


def test_what_was_missed_is_noticed_and_a_snapshot_mends_it() -> None:
    game = random_match(3)
    begin = len(game.commits) // 2
    seat = Seat(TABLE)
    seat.take(snapshot_of(game.states[begin]))
    seat.take(told(game, begin + 1))
    assert seat.missed
    assert seat.turn() is None
    seat.take(told(game, begin - 1))  # an old one changes nothing
    assert seat.seq == game.states[begin].version
    seat.take(snapshot_of(game.states[begin + 2]))
    assert not seat.missed
    check(seat, game.states[begin + 2])


@pytest.mark.parametrize(
    ("turn", "moves"),
    [
        ({"seat": 2, "choosing": True}, (Open(2), Open(0))),
        ({"seat": 2, "must_pass": True}, (Pass(),)),
        (
            {"seat": 2, "plays": [{"tile": [1, 2], "ends": ["left", "right"]}, {"tile": [6, 6]}]},
            (Play((1, 2), "left"), Play((1, 2), "right"), Play((6, 6))),
        ),
    ],
)
def test_moves_are_those_that_the_gateway_names(turn: dict[str, Any], moves: tuple[Any]) -> None:
    assert moves_of(turn) == moves


def test_moves_are_sent_as_documented() -> None:
    assert command_of(Play((1, 2), "left")) == ("play", {"tile": [1, 2], "end": "left"})
    assert command_of(Play((6, 6))) == ("play", {"tile": [6, 6]})
    assert command_of(Open(3)) == ("choose_opener", {"opener": 3})
    assert command_of(Pass()) == ("pass", {})
