"""The search: it looks as long as it may, knows the best so far, and plays for the match."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain import equity, playouts
from laelo_bots.domain.equity import Opens, stakes
from laelo_bots.domain.levels import POLICY, Level, evaluate, think
from laelo_bots.domain.policy import Policy
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.question import Question, question_of
from laelo_bots.domain.search import Limits
from laelo_bots.mind import WORLDS, Mind
from laelo_rules.engine import Outcome, Phase, judge

from .duel import Hand, random_hands, view_of


def choices(deals: int, hands: int = 1) -> list[tuple[Hand, Position]]:
    """Positions with something to choose from."""
    found = []
    for hand in random_hands(deals, hands):
        position = read(view_of(hand))
        assert isinstance(position, Position)
        if hand.state.phase is Phase.PLAY and len(question_of(position).moves) > 1:
            found.append((hand, position))
    return found


class SlowBatch:
    """A batch that takes a known time for each world, by a clock that only it moves."""

    def __init__(self, seconds: float) -> None:
        self.now = 100.0
        self._seconds = seconds
        self.sizes: list[int] = []

    def clock(self) -> float:
        return self.now

    def __call__(
        self, policy: Policy, question: Question, seed: int, worlds: int, alive: int
    ) -> playouts.Results:
        self.now += self._seconds * worlds
        self.sizes.append(worlds)
        return [[0, 0, 0, worlds // 2, 0, worlds - worlds // 2, 0, 0, 0] for _ in question.moves]


@given(
    seconds=st.floats(0.000_01, 0.01), budget=st.floats(0.001, 1.0), deals=st.integers(0, 10_000)
)
@settings(max_examples=50)
def test_the_time_is_kept(seconds: float, budget: float, deals: int) -> None:
    _, position = choices(deals)[0]
    batch = SlowBatch(seconds)
    thought = Mind(batch, batch.clock).think(position, Level.STRONG, 1, 0, budget)
    spent = batch.now - 100
    # The first batch is begun on a guess of how long a world takes.
    assert spent <= max(budget, 32 * seconds) * 1.000_001
    assert thought.worlds == sum(batch.sizes)
    if thought.worlds < WORLDS:
        assert not thought.worlds or spent + 256 * seconds * 1.26 > budget


def test_without_any_time_the_policy_plays() -> None:
    for _, position in choices(3):
        thought = Mind().think(position, Level.STRONG, 1, 0, 0.0)
        assert not thought.evaluations
        assert thought.move == think(position, Level.MEDIUM, 1).move


@pytest.mark.parametrize("worlds", [1, 16, 17, 50])
def test_as_many_worlds_as_asked_for(worlds: int) -> None:
    for _, position in choices(4)[:4]:
        found = evaluate(position, 5, Limits(worlds, thorough=True), Mind().batch)
        assert found.worlds == worlds
        assert {one.playouts for one in found.evaluations} == {worlds}
        assert len(found.evaluations) == len(question_of(position).moves)


@given(deals=st.integers(0, 2**32), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=10)
def test_the_best_is_legal_and_first(deals: int, seed: int) -> None:
    for hand, position in choices(deals)[::3]:
        thought = Mind().think(position, Level.STRONG, seed, 40, 0)
        assert isinstance(judge(hand.state, thought.move), Outcome)
        first = thought.evaluations[0]
        for one in thought.evaluations:
            assert 0 <= one.equity <= 1
            assert abs(one.points) <= 4.5 * position.view.multiplier
            assert one.standard_error >= 0
            assert one.playouts <= first.playouts


def batch_of_better_moves(better: int) -> Callable[..., playouts.Results]:
    """One move wins always, all others lose always."""

    def batch(
        policy: Policy, question: Question, seed: int, worlds: int, alive: int
    ) -> playouts.Results:
        rows = [[0] * 9 for _ in question.moves]
        for index, row in enumerate(rows):
            if alive >> index & 1:
                row[5 if index == better else 3] = worlds
        return rows

    return batch


def test_what_is_surely_worse_is_looked_at_no_more() -> None:
    for _, position in choices(6):
        moves = question_of(position).moves
        better = len(moves) - 1
        thought = think(position, Level.STRONG, 1, Limits(1000), batch_of_better_moves(better))
        assert thought.evaluations[0].move == moves[better]
        assert thought.worlds == 128


def test_a_forced_move_needs_no_search() -> None:
    def never(*_: object) -> playouts.Results:
        raise AssertionError

    forced = 0
    for hand in random_hands(7, 5):
        position = read(view_of(hand))
        assert isinstance(position, Position)
        if hand.state.phase is Phase.PLAY and len(question_of(position).moves) == 1:
            forced += 1
            move = think(position, Level.STRONG, 1, Limits(100), never).move
            assert isinstance(judge(hand.state, move), Outcome)
            valued = evaluate(position, 1, Limits(20, thorough=True), Mind().batch)
            assert len(valued.evaluations) == 1
    assert forced


@given(us=st.integers(1, 30), them=st.integers(1, 30), multiplier=st.integers(1, 40))
def test_equity_grows_with_every_point(us: int, them: int, multiplier: int) -> None:
    after = stakes(us, them, multiplier)
    assert len(after) == 9
    assert all(0 <= one <= 1 for one in after)
    decided = [one for index, one in enumerate(after) if index != playouts.EVEN]
    assert decided == sorted(decided)
    assert after[-1] == 1 or us > 4 * multiplier
    assert after[0] == 0 or them > 4 * multiplier


@given(us=st.integers(1, 8), them=st.integers(1, 8), multiplier=st.integers(1, 4))
def test_equity_is_shared_by_the_two_sides(us: int, them: int, multiplier: int) -> None:
    ours = equity.equity(us, them, multiplier, Opens.WE)
    theirs = equity.equity(them, us, multiplier, Opens.THEY)
    assert ours + theirs == pytest.approx(1)
    level = equity.equity(us, us, multiplier, Opens.HIGHEST_DOUBLE)
    assert level == pytest.approx(0.5)
    assert ours > equity.equity(us, them, multiplier, Opens.THEY)


def test_the_policy_decides_nothing_alone_in_many_worlds() -> None:
    """Its opinion counts as much as some worlds do, and no more."""
    _, position = choices(6)[0]
    question = question_of(position)
    scores = POLICY.scores(question.table, question.hand, question.moves)
    worst = scores.index(min(scores))
    limits = Limits(2000, thorough=True)
    found = evaluate(position, 1, limits, batch_of_better_moves(worst))
    assert found.evaluations[0].move == question.moves[worst]
