"""Every bot's every move is legal, repeatable, and made from the own view only."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain.levels import Level, think
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.search import Limits
from laelo_bots.mind import Mind
from laelo_rules.engine import Move, Outcome, Phase, judge, tiles_in

from .duel import Hand, bot, play_match, random_hands, view_of

MIND = Mind()
LEVELS = pytest.mark.parametrize("level", list(Level))
HANDS = pytest.mark.parametrize("hands", [250, pytest.param(1000, marks=pytest.mark.slow)])


def chosen(hand: Hand, level: Level, seed: int) -> Move:
    """What a bot does; one that searches looks at a few worlds only."""
    return think(position_of(hand), level, seed, Limits(worlds=4), MIND.batch).move


def position_of(hand: Hand) -> Position:
    position = read(view_of(hand))
    assert isinstance(position, Position), position
    return position


@LEVELS
@HANDS
def test_every_move_is_legal(level: Level, hands: int) -> None:
    seen = set()
    share = 10 if level is Level.STRONG else 1
    for number, hand in enumerate(random_hands(seed=level, hands=hands // share)):
        move = chosen(hand, level, seed=number)
        assert isinstance(judge(hand.state, move), Outcome), (hand, move)
        seen.add(type(move))
    assert len(seen) == 3  # tiles, passes and choices of opener


@LEVELS
@settings(max_examples=25)
@given(seed=st.integers(0, 2**64 - 1), deals=st.integers(0, 1000))
def test_the_same_question_has_the_same_answer(level: Level, seed: int, deals: int) -> None:
    for hand in random_hands(deals, hands=1):
        assert chosen(hand, level, seed) == chosen(hand, level, seed)


def dealt_anew(hand: Hand, random: Random) -> Hand:
    """The same hand for the seat on turn, with the unseen tiles in other places."""
    state = hand.state
    seat = state.turn
    assert seat is not None
    laid = {code & 31 for code in hand.turns if code & 31 < 28}
    unseen = [tile for tile in range(28) if tile not in laid and not state.hands[seat] >> tile & 1]
    random.shuffle(unseen)
    hands = list(state.hands)
    for other in {0, 1, 2, 3} - {seat}:
        size = len(tiles_in(state.hands[other]))
        hands[other] = sum(1 << tile for tile in unseen[:size])
        del unseen[:size]
    return hand._replace(state=state._replace(hands=(hands[0], hands[1], hands[2], hands[3])))


@LEVELS
def test_unseen_tiles_change_nothing(level: Level) -> None:
    random, moved = Random(7), 0
    hands = 30 if level is Level.STRONG else 200
    for number, hand in enumerate(random_hands(seed=3, hands=hands)):
        other = dealt_anew(hand, random)
        moved += other.state != hand.state
        assert chosen(other, level, number) == chosen(hand, level, number)
    assert moved > hands * 5


@given(deals=st.integers(0, 100_000))
def test_nobody_is_thought_unable_to_hold_what_they_hold(deals: int) -> None:
    for hand in random_hands(deals, hands=1):
        position = position_of(hand)
        for seat, tiles in enumerate(hand.state.hands):
            assert not tiles & ~position.may_hold[seat]
            assert position.held[seat] == len(tiles_in(tiles))
        assert position.state.ends == hand.state.ends


def test_simple_opens_itself() -> None:
    for hand in random_hands(seed=11, hands=100):
        if hand.state.phase is Phase.CHOOSE_OPENER:
            move: Any = chosen(hand, Level.SIMPLE, 0)
            assert move.opener == hand.state.turn


@pytest.mark.parametrize(
    ("level", "least"), [(Level.SIMPLE, 0.58), (Level.EASY, 0.58), (Level.MEDIUM, 0.68)]
)
@pytest.mark.slow
def test_all_play_better_than_chance(level: Level, least: float) -> None:
    """Duplicate deals: each is played twice, with the teams changing places."""
    matches, won, seeds = 200, 0, Random(1)
    for deals in range(matches // 2):
        better, other = bot(level, seeds), bot(Level.RANDOM, seeds)
        won += play_match(deals, [better, other, better, other]).team == 0
        won += play_match(deals, [other, better, other, better]).team == 1
    assert won / matches > least


def test_equal_bots_win_as_often() -> None:
    """What the duel itself adds to the figure above: nothing."""
    won = 0
    for deals in range(100):
        for team in (0, 1):
            bots = [bot(Level.RANDOM, Random(9)) for _ in range(4)]
            won += play_match(deals, bots).team == team
    assert won == 100
