"""Weights under which a policy plays the moves that brought most points."""

import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from laelo_bots.domain.features import FEATURES, PHASES

from .deals import Decision

TEMPERATURE = 0.1
"""Points of a hand by which a move has to be better to be e times as likely."""

_RATE = 0.05
_BATCH = 256
_EPOCHS = 12
_MEMORY, _MEMORY_OF_SQUARES, _LEAST = 0.9, 0.999, 1e-8

Rows = list[list[float]]


class Lesson(NamedTuple):
    """A decision made ready: of each move the features that are not 0, and its points."""

    phase: int
    features: list[list[tuple[int, int]]]
    points: list[float]


def lesson_of(decision: Decision) -> Lesson:
    """Only what differs from 0, since most does not."""
    sparse = [
        [(index, value) for index, value in enumerate(row) if value] for row in decision.features
    ]
    return Lesson(decision.phase, sparse, decision.points)


def chances(weights: Sequence[float], lesson: Lesson) -> list[float]:
    """How likely a policy with these weights makes each move."""
    scores = [sum(weights[index] * value for index, value in row) for row in lesson.features]
    best = max(scores)
    each = [math.exp(score - best) for score in scores]
    total = sum(each)
    return [one / total for one in each]


def fitted(begin: Rows, lessons: list[Lesson], chance: Random) -> Rows:
    """Climb (Adam) to the weights with most points on average, and some doubt left: a policy
    that were too sure of itself would be no use as a belief.
    """
    weights = [row[:] for row in begin]
    slopes, squares = _rows(), _rows()
    steps = _EPOCHS * math.ceil(len(lessons) / _BATCH)
    for step in range(1, steps + 1):
        gradient = _gradient(weights, chance.sample(lessons, min(_BATCH, len(lessons))))
        rate = _RATE * (1 - step / (steps + 1))
        for phase in range(PHASES):
            for index, slope in enumerate(gradient[phase]):
                mean = slopes[phase][index] = _MEMORY * slopes[phase][index] + (1 - _MEMORY) * slope
                square = squares[phase][index] = (
                    _MEMORY_OF_SQUARES * squares[phase][index]
                    + (1 - _MEMORY_OF_SQUARES) * slope * slope
                )
                mean /= 1 - _MEMORY**step
                square /= 1 - _MEMORY_OF_SQUARES**step
                weights[phase][index] += rate * mean / (math.sqrt(square) + _LEAST)
    return weights


def _gradient(weights: Rows, lessons: Sequence[Lesson]) -> Rows:
    gradient = _rows()
    for lesson in lessons:
        likely = chances(weights[lesson.phase], lesson)
        worth = [
            points - TEMPERATURE * math.log(max(share, 1e-12))
            for points, share in zip(lesson.points, likely, strict=True)
        ]
        mean = sum(share * value for share, value in zip(likely, worth, strict=True))
        row = gradient[lesson.phase]
        for share, value, features in zip(likely, worth, lesson.features, strict=True):
            push = share * (value - mean) / len(lessons)
            for index, feature in features:
                row[index] += push * feature
    return gradient


def value(weights: Rows, lessons: Sequence[Lesson]) -> float:
    """Points by which the policy's best move beats a move at random, on average."""
    total = 0.0
    for lesson in lessons:
        likely = chances(weights[lesson.phase], lesson)
        best = likely.index(max(likely))
        total += lesson.points[best] - sum(lesson.points) / len(lesson.points)
    return total / len(lessons)


def _rows() -> Rows:
    return [[0.0] * FEATURES for _ in range(PHASES)]
