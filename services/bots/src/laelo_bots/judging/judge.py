"""The judge: each move that there was with its worth, and a word for the one that was made.

Where the view leaves a single world nothing is left to chance: it is solved.
"""

from math import hypot
from typing import Final, NamedTuple

from laelo_bots.domain import playouts
from laelo_bots.domain.chance import Chance
from laelo_bots.domain.equity import stakes
from laelo_bots.domain.features import Move
from laelo_bots.domain.levels import evaluate
from laelo_bots.domain.playouts import EVEN
from laelo_bots.domain.position import Position
from laelo_bots.domain.question import Question, question_of
from laelo_bots.domain.search import Batch, Evaluation, Limits
from laelo_bots.domain.solver import Table, hands_of, solve
from laelo_bots.domain.worlds import draw, worlds_of
from laelo_bots.judging.words import Word, word

SOLVED: Final = 1
"""Worlds that are looked at where there is only one."""


class Verdict(NamedTuple):
    """What is thought of a move."""

    word: Word
    evaluations: tuple[Evaluation, ...]
    """Of every move that there was, the best first."""
    played: int
    """Which of them was made."""
    standard_error: float
    """Of the points by which the best is better than that."""
    worlds: int


def judge(
    position: Position, played: Move, seed: int, worlds: int, batch: Batch = playouts.batch
) -> Verdict:
    """The verdict on a move of a position, which has to be one of its moves (ValueError)."""
    question = question_of(position)
    if played not in question.moves:
        raise ValueError(f"{played} is none of the moves {question.moves}")
    if worlds_of(question).number == SOLVED:
        evaluations, worlds = _solved(position, question), SOLVED
    else:
        found = evaluate(position, seed, Limits(worlds, thorough=True), batch)
        evaluations, worlds = found.evaluations, found.worlds
    place = next(n for n, one in enumerate(evaluations) if one.move == played)
    best, made = evaluations[0], evaluations[place]
    error = hypot(best.standard_error, made.standard_error) if place else 0.0
    cost = (best.equity - made.equity) / _a_point(position)
    return Verdict(word(cost, error / position.view.multiplier), evaluations, place, error, worlds)


def _solved(position: Position, question: Question) -> tuple[Evaluation, ...]:
    """The exact worth of every move, when all hands are known."""
    view, worth = position.view, _stakes(position)
    hands = hands_of(position, draw(worlds_of(question), Chance(0)))
    table = Table(hands, position.state.ends, view.seat)
    values = solve(table, list(question.moves))
    found = [
        Evaluation(move, worth[EVEN + value], float(value * view.multiplier), 0.0, SOLVED)
        for move, value in zip(question.moves, values, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (one.equity, one.points), reverse=True))


def _stakes(position: Position) -> tuple[float, ...]:
    view = position.view
    return stakes(view.target - view.score_us, view.target - view.score_them, view.multiplier)


def _a_point(position: Position) -> float:
    """What a point of this hand is worth, as a chance to win the match."""
    worth = _stakes(position)
    return (worth[EVEN + 1] - worth[EVEN - 1]) / 2
