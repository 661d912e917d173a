"""Hands that a policy plays with itself, and what its moves in them are worth."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from laelo_bots.core import Core
from laelo_bots.domain.features import Move, phase_of
from laelo_bots.domain.playouts import EVEN
from laelo_bots.domain.policy import Policy, shares
from laelo_bots.domain.position import read
from laelo_bots.domain.question import Question, question_of
from laelo_bots.domain.view import NO_TILE, Nonsense
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    HandEnd,
    NextHand,
    Outcome,
    Pass,
    Phase,
    Play,
    judge,
)

from bench.arena.hand import Hand, after, begin, view_of

ODD = 0.1
"""How often a move is made at random, so that odd positions are seen too."""
_LOOKED_AT = 0.5
"""The share of decisions that are looked at: neighbours are much alike."""


class Decision(NamedTuple):
    """A turn with a choice."""

    phase: int
    features: list[list[int]]
    """Of each move."""
    points: list[float]
    """What each move brought on average."""


def decisions(core: Core, policy: Policy, worlds: int, chance: Random) -> Iterator[Decision]:
    """Decisions of one hand after the other, without end."""
    while True:
        for question in questions(policy, chance):
            has_choice = len(question.moves) > 1 and question.table.held[question.table.turn] > 1
            if has_choice and chance.random() < _LOOKED_AT:
                yield _looked_at(core, policy, question, worlds, chance.getrandbits(63))


def _looked_at(core: Core, policy: Policy, question: Question, worlds: int, seed: int) -> Decision:
    every = (1 << len(question.moves)) - 1
    results = core.batch(policy, question, seed, worlds, every)
    return Decision(
        phase_of(question.table),
        [core.features(question.table, question.hand, *move) for move in question.moves],
        [
            sum((index - EVEN) * times for index, times in enumerate(row)) / worlds
            for row in results
        ],
    )


def questions(policy: Policy, chance: Random) -> Iterator[Question]:
    """The questions of one hand, answered by the policy with a little chance."""
    hand = dealt(chance)
    while True:
        seat = hand.state.turn
        if seat is None:
            return
        if hand.state.phase is Phase.CHOOSE_OPENER:
            hand, _ = played(hand, ChooseOpener(seat, seat))
            continue
        position = read(view_of(hand))
        if isinstance(position, Nonsense):
            raise TypeError(position.reason)
        question = question_of(position)
        yield question
        hand, end = played(hand, act(seat, sampled(policy, question, chance)))
        if end is not None:
            return


def dealt(chance: Random) -> Hand:
    """A new hand: one of five is the first of a match, before the others somebody has won."""
    order, winner = chance.sample(range(28), 28), chance.choice([None, 0, 1, 2, 3])
    if winner is None:
        return begin(order, None, None)
    return begin(order, begin(order, None, None).state, NextHand(winner, 1))


def played(hand: Hand, move: Play | Pass | ChooseOpener) -> tuple[Hand, HandEnd | None]:
    """The hand after a move, and its end."""
    outcome = judge(hand.state, move)
    if not isinstance(outcome, Outcome):
        raise TypeError(f"{move} is refused: {outcome}")
    return after(hand, move, outcome), outcome.hand_end


def act(seat: int, move: Move) -> Play | Pass:
    """A move as the rules know it."""
    tile, end = move
    return Pass(seat) if tile == NO_TILE else Play(seat, TILES[tile], end)


def sampled(policy: Policy, question: Question, chance: Random) -> Move:
    """A move, the likelier the better the policy thinks it is."""
    moves = question.moves
    if len(moves) == 1 or chance.random() < ODD:
        return chance.choice(moves)
    scores = policy.scores(question.table, question.hand, moves)
    best, table = max(scores), shares()
    weights = [table[min(best - score, len(table) - 1)] for score in scores]
    return chance.choices(moves, weights)[0]
