"""The search in C and the search in Python are the same search."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots import core
from laelo_bots.domain import playouts
from laelo_bots.domain.features import FEATURES, PHASES, phase_of
from laelo_bots.domain.levels import POLICY, Level, think
from laelo_bots.domain.policy import Policy, policy_of
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.question import PASSING, Question, question_of
from laelo_bots.domain.search import Limits
from laelo_rules.engine import Phase

from .duel import random_hands, view_of

CORE = core.load()
BUILT = pytest.mark.skipif(CORE is None, reason="there is no C compiler here")


def any_policy(seed: int) -> Policy:
    random = Random(seed)
    return policy_of(
        [[random.randint(-300, 300) for _ in range(FEATURES)] for _ in range(PHASES)], 0.1
    )


def positions(deals: int) -> list[Position]:
    found = [read(view_of(hand)) for hand in random_hands(deals, hands=1)]
    return [one for one in found if isinstance(one, Position) and one.state.phase is Phase.PLAY]


def questions(deals: int) -> list[Question]:
    return [question_of(position) for position in positions(deals)]


@BUILT
@settings(max_examples=30)
@given(deals=st.integers(0, 2**32), weights=st.integers(0, 2**32))
def test_features_and_scores(deals: int, weights: int) -> None:
    assert CORE is not None
    policy = any_policy(weights)
    for question in questions(deals):
        if question.moves == PASSING:
            continue
        scores = policy.scores(question.table, question.hand, question.moves)
        for move, score in zip(question.moves, scores, strict=True):
            features = CORE.features(question.table, question.hand, *move)
            row = policy.phases[phase_of(question.table)]
            assert score == sum(a * b for a, b in zip(row, features, strict=True))


@BUILT
@settings(max_examples=15)
@given(deals=st.integers(0, 2**32), seed=st.integers(0, 2**64 - 1), trained=st.booleans())
def test_worlds_and_playouts(deals: int, seed: int, trained: bool) -> None:
    assert CORE is not None
    policy = POLICY if trained else any_policy(seed)
    for question in questions(deals)[:: 1 + seed % 3]:
        alive = (1 << len(question.moves)) - 1 & ~(seed & 1 if len(question.moves) > 1 else 0)
        asked = (policy, question, seed, 3, alive)
        assert CORE.batch(*asked) == playouts.batch(*asked)


@BUILT
@settings(max_examples=10)
@given(deals=st.integers(0, 2**32), seed=st.integers(0, 2**64 - 1), may_hold=st.integers(0, 2**28))
def test_what_no_world_fits_is_the_same_in_both(deals: int, seed: int, may_hold: int) -> None:
    """A view like that is refused; the core has to stay within its memory whatever it is asked."""
    assert CORE is not None
    for question in questions(deals)[:: 1 + seed % 5]:
        nowhere = question._replace(may_hold=(may_hold, 0, may_hold))
        asked = (POLICY, nowhere, seed, 3, 1)
        assert CORE.batch(*asked) == playouts.batch(*asked)


@BUILT
def test_moves_and_reasons() -> None:
    assert CORE is not None
    for position in positions(deals=6)[::2]:
        asked = (position, Level.STRONG, 77, Limits(worlds=40))
        assert think(*asked, CORE.batch) == think(*asked, playouts.batch)


def test_a_library_that_is_none_is_done_without(tmp_path: Path) -> None:
    wrong = tmp_path / "libcore.so"
    assert core.load(wrong) is None
    wrong.write_bytes(b"no library")
    assert core.load(wrong) is None
