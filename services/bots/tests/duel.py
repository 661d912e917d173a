"""Hands and matches between bots, each of which is given its own seat's view only."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from laelo_bots.domain.levels import Level, choose
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.view import NO_TILE, NOBODY, PASS, Opening, View
from laelo_rules.engine import (
    ChooseOpener,
    MatchEnd,
    Move,
    Outcome,
    Pass,
    State,
    deal,
    judge,
    tile_id,
)

Bot = Callable[[View], Move]
Watcher = Callable[[State, View], None]


class Hand(NamedTuple):
    """A hand as the table keeps it."""

    state: State
    opening: Opening
    opener: int
    turns: bytes = b""


def begin(order: Sequence[int], winner: int | None, before: State | None, multiplier: int) -> Hand:
    """Deal a hand of a match."""
    scores = before.scores if before else (0, 0)
    state = deal(order, winner, scores, multiplier, before.led_5_0 if before else None)
    assert isinstance(state, State)
    assert state.turn is not None
    if winner is not None:
        return Hand(state, Opening.WON, NOBODY)
    return Hand(state, Opening.TIE if before else Opening.FIRST, state.turn)


def view_of(hand: Hand) -> View:
    """What the seat on turn sees."""
    seat = hand.state.turn
    assert seat is not None
    us, them = hand.state.scores[seat & 1], hand.state.scores[1 - (seat & 1)]
    must_open = NO_TILE if hand.state.must_open is None else hand.state.must_open
    return View(
        seat=seat,
        hand=hand.state.hands[seat],
        opener=hand.opener,
        opening=hand.opening,
        turns=hand.turns,
        must_open=must_open,
        score_us=us,
        score_them=them,
        multiplier=hand.state.multiplier,
    )


def play(hand: Hand, move: Move) -> tuple[Hand, Outcome]:
    """The hand after a move, which has to be legal."""
    outcome = judge(hand.state, move)
    assert isinstance(outcome, Outcome), (hand, move, outcome)
    after = hand._replace(state=outcome.state)
    if isinstance(move, ChooseOpener):
        return after._replace(opener=move.opener), outcome
    if isinstance(move, Pass):
        return after._replace(turns=hand.turns + bytes([PASS])), outcome
    tile = tile_id(*move.tile)
    assert tile is not None
    return after._replace(turns=hand.turns + bytes([tile + 32 * outcome.laid_at])), outcome


def play_match(seed: int, bots: Sequence[Bot]) -> MatchEnd:
    """A whole match; the same seed deals the same tiles, whoever plays."""
    deals = Random(seed)
    winner, before, multiplier = None, None, 1
    while True:
        hand = begin(deals.sample(range(28), 28), winner, before, multiplier)
        while True:
            view = view_of(hand)
            hand, outcome = play(hand, bots[view.seat](view))
            if outcome.hand_end is not None:
                break
        if outcome.match_end is not None:
            return outcome.match_end
        assert outcome.hand_end.next is not None
        winner, multiplier = outcome.hand_end.next
        before = hand.state


def bot(level: Level, seeds: Random) -> Bot:
    """A bot of a level that draws a new seed for each of its turns."""

    def answer(view: View) -> Move:
        position = read(view)
        assert isinstance(position, Position), position
        return choose(position, level, seeds.getrandbits(64))

    return answer


def random_hands(seed: int, hands: int) -> list[Hand]:
    """Every position of hands that are played at random: choices of opener, tiles, passes."""
    random = Random(seed)
    seen = []
    for number in range(hands):
        winner = random.choice([None, *range(4)])
        hand = begin(random.sample(range(28), 28), winner, None, 1 + number % 3)
        over = None
        while over is None:
            seen.append(hand)
            hand, outcome = play(hand, bot(Level.RANDOM, random)(view_of(hand)))
            over = outcome.hand_end
    return seen
