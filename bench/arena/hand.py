"""A hand as the arena keeps it, and what a seat sees of it."""

from typing import NamedTuple

from laelo_bots.domain.view import NO_TILE, NOBODY, PASS, Opening, View
from laelo_rules.engine import ChooseOpener, NextHand, Outcome, Pass, Play, State, deal, tile_id

POINTS_TO_WIN = 6


class Hand(NamedTuple):
    """A hand that is being played."""

    state: State
    opening: Opening
    opener: int
    turns: bytes = b""


def begin(order: list[int], before: State | None, following: NextHand | None) -> Hand:
    """Deal a hand: the first one of a match, or the one that follows another."""
    if before is None or following is None:
        state = deal(order)
    else:
        winner, multiplier = following
        state = deal(order, winner, before.scores, multiplier, before.led_5_0)
    if not isinstance(state, State) or state.turn is None:
        raise ValueError(f"no deal: {order}")
    if following is None:
        return Hand(state, Opening.FIRST, state.turn)
    if following.winner is None:
        return Hand(state, Opening.TIE, state.turn)
    return Hand(state, Opening.WON, NOBODY)


def view_of(hand: Hand) -> View:
    """What the seat on turn sees, and nothing more (R31)."""
    state = hand.state
    if state.turn is None:
        raise ValueError("nobody has to act")
    seat = state.turn
    return View(
        seat=seat,
        hand=state.hands[seat],
        opener=hand.opener,
        opening=hand.opening,
        turns=hand.turns,
        must_open=NO_TILE if state.must_open is None else state.must_open,
        score_us=state.scores[seat & 1],
        score_them=state.scores[1 - (seat & 1)],
        multiplier=state.multiplier,
        target=POINTS_TO_WIN,
    )


def after(hand: Hand, move: Play | Pass | ChooseOpener, outcome: Outcome) -> Hand:
    """The hand after a move that was accepted."""
    played = hand._replace(state=outcome.state)
    if isinstance(move, ChooseOpener):
        return played._replace(opener=move.opener)
    if isinstance(move, Pass):
        return played._replace(turns=hand.turns + bytes((PASS,)))
    code = (tile_id(*move.tile) or 0) + 32 * outcome.laid_at
    return played._replace(turns=hand.turns + bytes((code,)))
