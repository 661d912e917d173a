"""Two players, a pair of matches: the same deals twice, the sides changed."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from laelo_rules.engine import (
    HandEnd,
    MatchEnd,
    Move,
    Outcome,
    Pass,
    Phase,
    Play,
    State,
    judge,
    legal_plays,
)
from laelo_rules.engine.tiles import TILES

from .deals import Chance
from .hand import Hand, after, begin, view_of
from .players import Player, PlayerError


class Match(NamedTuple):
    """What came out of one match, for team 0."""

    won: bool
    hands: int
    net: int
    """Points of team 0 less those of team 1, as booked hand by hand."""


class Pair(NamedTuple):
    """What came out of a pair, for the first player."""

    number: int
    wins: int
    hands: int
    net: int
    thought_us: tuple[list[int], list[int]]
    """CPU time of each decision of the first and of the second player, in microseconds."""


class Table:
    """Plays one match; the first player's team is told by its seats."""

    def __init__(self, players: Sequence[Player], first: int, chance: Chance) -> None:
        self._players = players
        self._first = first
        self._chance = chance
        self.thought_us: tuple[list[int], list[int]] = ([], [])

    def play(self) -> Match:
        """To six points. Raises PlayerError."""
        before: State | None = None
        following = None
        number = net = 0
        while True:
            hand = begin(self._chance.deal(number), before, following)
            state, end, over = self._play_hand(hand, number)
            number += 1
            net += end.points if end.team == 0 else -end.points
            if over is not None:
                return Match(over.team == 0, number, net)
            before, following = state, end.next

    def _play_hand(self, hand: Hand, number: int) -> tuple[State, HandEnd, MatchEnd | None]:
        step = 0
        while True:
            move = self._move(hand, number, step)
            outcome = judge(hand.state, move)
            if not isinstance(outcome, Outcome):
                raise PlayerError(f"{move} is refused with {outcome.name}: {view_of(hand)}")
            if outcome.hand_end is not None:
                return outcome.state, outcome.hand_end, outcome.match_end
            hand = after(hand, move, outcome)
            step += 1

    def _move(self, hand: Hand, number: int, step: int) -> Move:
        """Asks only where there is a choice."""
        forced = _forced(hand.state)
        if forced is not None:
            return forced
        view = view_of(hand)
        who = (view.seat & 1) ^ self._first
        began = time.process_time_ns()
        move = self._players[who].choose(view, self._chance.seed(number, step))
        self.thought_us[who].append((time.process_time_ns() - began) // 1000)
        return move


def _forced(state: State) -> Move | None:
    """The only move that there is."""
    if state.phase is not Phase.PLAY or state.turn is None:
        return None
    plays = legal_plays(state)
    if not plays:
        return Pass(state.turn)
    if len(plays) == 1 and len(plays[0].ends) == 1:
        return Play(state.turn, TILES[plays[0].tile], plays[0].ends[0])
    return None


def play_pair(players: Sequence[Player], chance: Chance) -> Pair:
    """Both matches of a pair. Raises PlayerError."""
    wins = hands = net = 0
    thought: tuple[list[int], list[int]] = ([], [])
    for first in (0, 1):
        table = Table(players, first, chance)
        match = table.play()
        wins += match.won != bool(first)
        hands += match.hands
        net += -match.net if first else match.net
        for who, mine in enumerate(table.thought_us):
            thought[who].extend(mine)
    return Pair(chance.pair, wins, hands, net, thought)
