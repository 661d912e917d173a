"""The levels: from a position to a move."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from random import Random
from typing import Final, NamedTuple

from laelo_rules.engine import TILES, ChooseOpener, Pass, Phase, Play, partner_of
from laelo_rules.engine import Move as Act

from . import playouts, simple, weights
from .equity import stakes
from .features import Move
from .policy import first_best, policy_of
from .position import Position, placements
from .question import PASSING, Question, question_of
from .search import Batch, Evaluation, Found, Limits, Search
from .view import View

POLICY: Final = policy_of(weights.PHASES, weights.POINTS_PER_UNIT)
"""What the bots have learned."""

DEFAULT_LIMITS: Final = Limits(worlds=128)
"""For who asks for no time and no number of worlds."""

_ODD: Final = 0.3
"""How often an easy bot makes any move."""


class Level(IntEnum):
    """How well a bot plays; the numbers are those on the wire."""

    RANDOM = 1
    SIMPLE = 2
    EASY = 3
    MEDIUM = 4
    STRONG = 5


class Thought(NamedTuple):
    """A move, and what a searching bot thinks of all moves."""

    move: Act
    evaluations: tuple[Evaluation, ...] = ()
    """The best first; empty where nothing was searched."""
    worlds: int = 0


Picker = Callable[[Position, Sequence[Move], Random], Move]


def choose(position: Position, level: Level, seed: int) -> Act:
    """The move of a bot; the same for the same position, level and seed. Always legal."""
    return think(position, level, seed).move


def think(
    position: Position,
    level: Level,
    seed: int,
    limits: Limits = DEFAULT_LIMITS,
    batch: Batch = playouts.batch,
) -> Thought:
    """The move of a bot and its reasons; `limits` and `batch` are for who searches."""
    seat = position.view.seat
    random = Random(seed)
    if position.state.phase is Phase.CHOOSE_OPENER:
        return Thought(ChooseOpener(seat, _choose_opener(seat, level, random)))
    if level is Level.STRONG:
        return _searched(position, seed, limits, batch)
    possible = placements(position)
    if not possible:
        return Thought(Pass(seat))
    return Thought(_act(seat, _PICKERS[level](position, possible, random)))


def evaluate(position: Position, seed: int, limits: Limits, batch: Batch = playouts.batch) -> Found:
    """What each move is worth, also where there is one only. Not for the choice of an opener."""
    return _search(position.view, question_of(position), seed, limits, batch)


def _searched(position: Position, seed: int, limits: Limits, batch: Batch) -> Thought:
    """The best move as far as was seen; without time to see anything, the policy's."""
    seat, question = position.view.seat, question_of(position)
    found = _search(position.view, question, seed, limits, batch)
    best = found.evaluations[0].move if found.evaluations else _policys(question)
    return Thought(_act(seat, best), found.evaluations, found.worlds)


def _search(view: View, question: Question, seed: int, limits: Limits, batch: Batch) -> Found:
    worth = stakes(view.target - view.score_us, view.target - view.score_them, view.multiplier)
    return Search(POLICY, question, worth, view.multiplier).run(batch, seed, limits)


def _act(seat: int, move: Move) -> Act:
    if (move,) == PASSING:
        return Pass(seat)
    tile, end = move
    return Play(seat, TILES[tile], end)


def _choose_opener(seat: int, level: Level, random: Random) -> int:
    """Who opens (R5). To open is worth a fifth of a point and the own tiles are the only ones
    known, so who plays to win opens.
    """
    if level is Level.RANDOM:
        return random.choice((seat, partner_of(seat)))
    return seat


def _policys(question: Question) -> Move:
    """The move that the policy likes best."""
    if len(question.moves) == 1:
        return question.moves[0]
    found = POLICY.scores(question.table, question.hand, question.moves)
    return question.moves[first_best(found)]


def _at_random(position: Position, possible: Sequence[Move], random: Random) -> Move:
    return random.choice(possible)


def _simple(position: Position, possible: Sequence[Move], random: Random) -> Move:
    """Among moves of equal worth the seed decides, so that nobody can count on one."""
    worth = [simple.worth(position, tile, end) for tile, end in possible]
    best = max(worth)
    return random.choice(
        [move for move, value in zip(possible, worth, strict=True) if value == best]
    )


def _easy(position: Position, possible: Sequence[Move], random: Random) -> Move:
    if random.random() < _ODD:
        return random.choice(possible)
    return _policys(question_of(position))


def _medium(position: Position, possible: Sequence[Move], random: Random) -> Move:
    return _policys(question_of(position))


_PICKERS: Final[dict[Level, Picker]] = {
    Level.RANDOM: _at_random,
    Level.SIMPLE: _simple,
    Level.EASY: _easy,
    Level.MEDIUM: _medium,
}
