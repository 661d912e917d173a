"""Positions in which somebody can know all, and their worth by looking at every way to go on."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from laelo_bots.domain.certain import only_world
from laelo_bots.domain.levels import Level
from laelo_bots.domain.position import Position, placements, read
from laelo_rules.engine import TILES, Outcome, Pass, Play, State, judge, legal_plays, team_of
from laelo_rules.engine.tiles import DOUBLES

from .duel import Hand, begin, bot, play, view_of


class Known(NamedTuple):
    """A position with a real choice whose view leaves one world."""

    hand: Hand
    position: Position


def open_hands(seed: int, deals: int) -> Iterator[Hand]:
    """Positions of hands played at random in which the four highest doubles sleep: a first hand
    that is opened with 2|2 tells everybody which tiles these are, so passes can tell the rest.
    """
    chance = Random(seed)
    asleep = list(DOUBLES[3:])
    for _ in range(deals):
        rest = [tile for tile in range(28) if tile not in asleep]
        chance.shuffle(rest)
        hand = begin([*rest, *asleep], None, None, 1)
        over = None
        while over is None:
            yield hand
            hand, outcome = play(hand, bot(Level.RANDOM, chance)(view_of(hand)))
            over = outcome.hand_end


def certain(seed: int, wanted: int) -> list[Known]:
    """So many positions with a choice, each of which leaves one world."""
    found: list[Known] = []
    for hand in open_hands(seed, 5_000):
        if sum(held.bit_count() for held in hand.state.hands) > 12:
            continue
        position = read(view_of(hand))
        assert isinstance(position, Position)
        if len(placements(position)) > 1 and only_world(position) is not None:
            found.append(Known(hand, position))
        if len(found) == wanted:
            break
    return found


def worths(state: State) -> list[int]:
    """What each placement is worth to the team on turn in points of this hand, both teams
    seeing all hands: by the engine, without any shortcut.
    """
    seat = state.turn
    assert seat is not None
    moves = [(tile, end) for tile, ends in legal_plays(state) for end in ends]
    outcomes = [judge(state, Play(seat, TILES[tile], end)) for tile, end in moves]
    if not moves:
        outcomes = [judge(state, Pass(seat))]
    return [_worth(outcome, team_of(seat)) for outcome in outcomes]


def _worth(outcome: object, team: int) -> int:
    assert isinstance(outcome, Outcome)
    end = outcome.hand_end
    if end is not None:
        return end.points if end.team == team else -end.points
    best = max(worths(outcome.state))
    assert outcome.state.turn is not None
    return best if team_of(outcome.state.turn) == team else -best
