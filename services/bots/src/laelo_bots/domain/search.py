"""Looks at possible worlds in growing batches, for as long as it may, and knows the best move so
far at any time.

After each batch a move that is surely worse is looked at no more. What the policy thinks counts
as much as some worlds do: it steadies what was seen in few. Batches depend on nothing but the
seed and their number, so the same seed and number of worlds give the same answer, however the
end was found.
"""

from collections.abc import Callable
from math import sqrt
from typing import Final, NamedTuple

from .chance import mixed
from .features import Move
from .playouts import EVEN, RESULTS, Results
from .policy import UNIT, Policy
from .question import PASSING, Question

Batch = Callable[[Policy, Question, int, int, int], Results]
"""As `playouts.batch`, which is one."""

PRIOR: Final = 100
"""How many worlds the opinion of the policy counts for."""

_SURE: Final = 3.0
"""Standard errors by which a move has to be worse to be looked at no more."""
_ENOUGH: Final = 128
"""Worlds below which nothing is sure: few candidates know little of what is likely."""
_SIZES: Final = (32, 32, 64, 128)
_SIZE: Final = 256


class Limits(NamedTuple):
    """How long to look."""

    worlds: int
    """At most so many."""
    in_time: Callable[[int, int], bool] = lambda done, more: True
    """Whether there is time for `more` worlds after `done`."""
    thorough: bool = False
    """Look at all moves in all worlds, to compare each with each."""


class Evaluation(NamedTuple):
    """What a move is worth."""

    move: Move
    equity: float
    """Chance to win the match."""
    points: float
    """Expected points of the hand for the own team, as they are booked."""
    standard_error: float
    """Of the points."""
    playouts: int


class Found(NamedTuple):
    """What a search has found."""

    evaluations: tuple[Evaluation, ...]
    """Of every move, the best first; empty when there was no time for a single batch."""
    worlds: int


class _Values(NamedTuple):
    """Sum and sum of squares of what a move brought, over its playouts."""

    playouts: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        return self.total / self.playouts

    @property
    def variance_of_mean(self) -> float:
        """0 is as good as impossible: a single world's result tells nothing of the next."""
        return max(self.squares / self.playouts - self.mean**2, 0.0) / self.playouts


class Search:
    """One question, looked at batch by batch."""

    def __init__(
        self, policy: Policy, question: Question, stakes: tuple[float, ...], multiplier: int
    ) -> None:
        """`stakes`: the chance to win the match after each result."""
        self._policy = policy
        self._question = question
        self._stakes = stakes
        self._points = tuple(float((result - EVEN) * multiplier) for result in range(RESULTS))
        moves = question.moves
        scores = [0] if moves == PASSING else policy.scores(question.table, question.hand, moves)
        mean = sum(scores) / len(scores)
        self._prior = [policy.points_per_unit * (score - mean) / UNIT for score in scores]
        self._results: Results = [[0] * RESULTS for _ in moves]
        self._alive = list(range(len(moves)))
        self.worlds = 0

    def run(self, batch: Batch, seed: int, limits: Limits) -> Found:
        """Look until the limits are reached, or only one move is left that may be the best."""
        number = 0
        while self.worlds < limits.worlds and (limits.thorough or len(self._alive) > 1):
            size = min(_size(number), limits.worlds - self.worlds)
            if not limits.in_time(self.worlds, size):
                break
            alive = sum(1 << move for move in self._alive)
            found = batch(self._policy, self._question, mixed(seed + number), size, alive)
            for row, more in zip(self._results, found, strict=True):
                row[:] = [a + b for a, b in zip(row, more, strict=True)]
            self.worlds += size
            number += 1
            if not limits.thorough:
                self._drop()
        return Found(self._evaluations(), self.worlds)

    def _drop(self) -> None:
        """Look no more at what is surely worse than the best."""
        if self.worlds < _ENOUGH:
            return
        values = {move: self._values(move, self._stakes) for move in self._alive}
        opinions = self._opinions(self._stakes)
        best = max(self._alive, key=lambda move: opinions[move])
        weight = self.worlds / (self.worlds + PRIOR)

        def is_surely_worse(move: int) -> bool:
            error = sqrt(values[best].variance_of_mean + values[move].variance_of_mean)
            return opinions[best] - opinions[move] > _SURE * error * weight

        self._alive = [move for move in self._alive if move == best or not is_surely_worse(move)]

    def _values(self, move: int, worth: tuple[float, ...]) -> _Values:
        row = self._results[move]
        return _Values(
            sum(row),
            sum(times * value for times, value in zip(row, worth, strict=True)),
            sum(times * value * value for times, value in zip(row, worth, strict=True)),
        )

    def _opinions(self, worth: tuple[float, ...]) -> list[float]:
        """What each move is thought to bring, the policy's opinion counted in."""
        values = [self._values(move, worth) for move in range(len(self._results))]
        middle = sum(value.mean for value in values) / len(values)
        point = (worth[EVEN + 1] - worth[EVEN - 1]) / 2
        return [
            (value.total + PRIOR * (middle + prior * point)) / (value.playouts + PRIOR)
            for value, prior in zip(values, self._prior, strict=True)
        ]

    def _evaluations(self) -> tuple[Evaluation, ...]:
        if not self.worlds:
            return ()
        equities, points = self._opinions(self._stakes), self._opinions(self._points)
        order = sorted(
            range(len(equities)),
            key=lambda move: (move in self._alive, equities[move]),
            reverse=True,
        )
        found = []
        for move in order:
            values = self._values(move, self._points)
            found.append(
                Evaluation(
                    self._question.moves[move],
                    equities[move],
                    points[move],
                    sqrt(values.variance_of_mean),
                    values.playouts,
                )
            )
        return tuple(found)


def _size(number: int) -> int:
    """How many worlds a batch looks at: few at first, so that a short time suffices."""
    return _SIZES[number] if number < len(_SIZES) else _SIZE
