"""late-answer: a command that is not for the open turn is refused, never reinterpreted.

Seen elsewhere: vck3000/ProAvalon#258. At every turn of a match comes what would be right
now but names another turn, or another holder of the seat: late, from a turn that the same
seat had before; early, for one to come. It changes nothing, neither from people nor from
the house's own clocks and bots.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_table.domain.commands import BotMove, NextDeal, TimeUp
from laelo_table.domain.outcome import STALE_FENCE, STALE_TURN
from laelo_table.domain.state import Phase, Table, phase_of

from services.table.tests.kit import PEOPLE, Game

pytestmark = pytest.mark.faults

HOUSE_REFUSES = {"STALE_TURN", "STALE_FENCE"}


def other_turns(game: Game, chance: random.Random) -> Iterator[int]:
    """Turns that are not open: the one before, one long ago, one to come."""
    now = game.state.turn
    past = [state.turn for state in game.states if state.turn != now]
    yield past[-1]
    yield chance.choice(past)
    yield 0
    yield from (now + 1, now + 9)


def the_right_move(game: Game) -> Any:
    """What the person on turn may do now."""
    begun = game.state.begun
    assert begun is not None
    return game.person_move(game.state.seats[begun.seat].player)


def refused_all(game: Game, chance: random.Random) -> None:
    """Everything that is for another turn is refused, and the table stays as it is."""
    before = game.state
    for turn in other_turns(game, chance):
        if phase_of(before) is not Phase.PAUSE:
            late = the_right_move(game)
            late.turn = turn
            assert game.do(late) == STALE_TURN
        for command in (TimeUp(turn), NextDeal(turn), bot_move(before, turn)):
            refusal = game.do(command)
            assert refusal is not None
            assert refusal.code in HOUSE_REFUSES
    assert game.state is before


def bot_move(state: Table, turn: int) -> BotMove:
    fence = 1 if state.begun is None else state.seats[state.begun.seat].fence
    return BotMove(turn, fence, rules_pb2.ACT_PASS)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_for_another_turn_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)
    game = Game(chance).open(4, move_seconds=15).start()
    while game.state.match_end is None:
        refused_all(game, chance)
        game.step()


def test_what_is_for_a_match_before_changes_nothing() -> None:
    game = Game(random.Random(7)).open(4).start()
    first = the_right_move(game)
    game.play_on()
    game.must(game.ask(table_pb2.KIND_START, PEOPLE[0]))
    while phase_of(game.state) is Phase.PAUSE:
        game.step()
    begun = game.state.begun
    assert begun is not None
    again = the_right_move(game)
    again.turn, again.fence = first.turn, first.fence
    assert game.do(again) == STALE_TURN


@pytest.mark.parametrize("seed", range(3))
def test_who_does_not_hold_the_seat_any_more_changes_nothing(seed: int) -> None:
    game = Game(random.Random(seed)).open(4, move_seconds=15).start()
    while game.state.match_end is None:
        if phase_of(game.state) is not Phase.PAUSE:
            before = game.state
            for fence in (0, before.seats[before.begun.seat].fence + 1):
                other = the_right_move(game)
                other.fence = fence
                assert game.do(other) == STALE_FENCE
            assert game.state is before
        game.step()
