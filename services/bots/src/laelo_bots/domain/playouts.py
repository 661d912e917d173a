"""From a move to the end of the hand, all four seats playing like the policy.

`core/playout.c` and `core/batch.c` hold the same.
"""

from itertools import accumulate
from typing import Final

from laelo_rules.engine import count
from laelo_rules.engine.hand_end import POINTS, domino_kind

from . import belief
from .chance import Chance
from .features import Move
from .policy import Policy, first_best, legal_moves
from .question import Question
from .table import BIT, Table
from .view import NO_TILE
from .worlds import Hands, draw, worlds_of

RESULTS: Final = 9
EVEN: Final = 4
"""The index of a tie; a result is this plus the points of the own team, before the multiplier."""

CANDIDATES: Final = 4
"""Worlds drawn for each that is played out."""

Results = list[list[int]]
"""For each move how often it came to each result."""


def batch(policy: Policy, question: Question, seed: int, worlds: int, alive: int) -> Results:
    """Play the moves of the mask `alive` out in as many worlds, drawn by what is believed."""
    results = [[0] * RESULTS for _ in question.moves]
    for hands in _believed(policy, question, Chance(seed), worlds):
        for index, move in enumerate(question.moves):
            if alive >> index & 1:
                results[index][play_out(policy, question, move, hands)] += 1
    return results


def _believed(policy: Policy, question: Question, chance: Chance, number: int) -> list[Hands]:
    """Worlds, each as often as it is likely: some of more candidates, evenly spread."""
    possible = worlds_of(question)
    candidates = number * CANDIDATES if question.choices else number
    drawn = [draw(possible, chance) for _ in range(candidates)]
    up_to = list(accumulate(belief.weight(policy, question, hands) for hands in drawn))
    step, first = up_to[-1] / number, chance.share()
    chosen, index = [], 0
    for position in range(number):
        target = (first + position) * step
        while index < candidates - 1 and up_to[index] < target:
            index += 1
        chosen.append(drawn[index])
    return chosen


def play_out(policy: Policy, question: Question, move: Move, hidden: Hands) -> int:
    """The index of the result for the team on turn, once this move is made in this world."""
    table = question.table.copy()
    me = table.turn
    hands = [0, 0, 0, 0]
    hands[me] = question.hand
    hands[(me + 1) & 3], hands[(me + 2) & 3], hands[(me + 3) & 3] = hidden
    passes = 0
    while True:
        tile, end = move
        if tile == NO_TILE:
            passes += 1
            if passes == 4:
                return _blocked(hands, me)
            table.skip()
        else:
            passes = 0
            seat = table.turn
            hands[seat] &= ~BIT[tile]
            if not hands[seat]:
                return _result(seat, me, _domino(table, tile))
            table.lay(tile, end)
        move = _next(policy, table, hands[table.turn])


def _next(policy: Policy, table: Table, hand: int) -> Move:
    moves = legal_moves(table, hand)
    if not moves:
        return NO_TILE, 0
    if len(moves) == 1 or not hand & (hand - 1):
        return moves[0]
    return moves[first_best(policy.scores(table, hand, moves))]


def _result(seat: int, me: int, points: int) -> int:
    return EVEN - points if (seat ^ me) & 1 else EVEN + points


def _domino(table: Table, tile: int) -> int:
    left, right = table.ends
    return POINTS[domino_kind(tile, (left, right))]


def _blocked(hands: list[int], me: int) -> int:
    ours, theirs = (min(count(hands[seat]), count(hands[seat ^ 2])) for seat in (me, (me + 1) & 3))
    if ours == theirs:
        return EVEN
    return _result(me if ours < theirs else me + 1, me, 1)
