"""Worlds: every one that is possible, none that is not, each as likely as any other."""

from collections import Counter
from itertools import combinations
from math import isclose, sqrt

from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain import belief
from laelo_bots.domain.chance import Chance
from laelo_bots.domain.levels import POLICY
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.question import Question, question_of
from laelo_bots.domain.worlds import Hands, draw, worlds_of
from laelo_rules.engine import Phase, mask_of, tiles_in
from laelo_rules.engine.tiles import DOUBLES

from .duel import Hand, random_hands, view_of


def asked(deals: int) -> list[tuple[Hand, Question]]:
    """The questions of a hand, beside the hand as it is."""
    found = []
    for hand in random_hands(deals, hands=1):
        if hand.state.phase is Phase.PLAY:
            position = read(view_of(hand))
            assert isinstance(position, Position)
            found.append((hand, question_of(position)))
    return found


def truth(hand: Hand) -> Hands:
    seat = hand.state.turn
    assert seat is not None
    a, b, c = (hand.state.hands[(seat + step) & 3] for step in (1, 2, 3))
    return a, b, c


def all_worlds(question: Question) -> list[Hands]:
    """Each and every one, by trying."""
    found = []
    a, b, c = question.held
    unseen = tiles_in(question.unseen)
    may = question.may_hold
    for first in combinations([t for t in unseen if may[0] >> t & 1], a):
        rest = [t for t in unseen if t not in first]
        for second in combinations([t for t in rest if may[1] >> t & 1], b):
            last = [t for t in rest if t not in second and may[2] >> t & 1]
            found += [(mask_of(first), mask_of(second), mask_of(t)) for t in combinations(last, c)]
    return found


@given(deals=st.integers(0, 2**32), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=30)
def test_what_is_drawn_is_possible(deals: int, seed: int) -> None:
    for _, question in asked(deals):
        worlds, chance = worlds_of(question), Chance(seed)
        for _ in range(3):
            hands = draw(worlds, chance)
            assert sum(map(int.bit_count, hands)) == sum(hands).bit_count()
            for hand, may, held in zip(hands, question.may_hold, question.held, strict=True):
                assert not hand & ~may
                assert hand.bit_count() == held


@given(deals=st.integers(0, 2**32))
def test_the_truth_is_never_excluded(deals: int) -> None:
    for hand, question in asked(deals):
        for tiles, may in zip(truth(hand), question.may_hold, strict=True):
            assert not tiles & ~may
        assert belief.weight(POLICY, question, truth(hand)) > 0


@given(deals=st.integers(0, 2**32))
@settings(max_examples=30)
def test_worlds_are_counted(deals: int) -> None:
    for _, question in asked(deals):
        number = worlds_of(question).number
        if number <= 500:
            assert number == len(all_worlds(question))


def test_every_world_is_as_likely() -> None:
    """Chi square over all worlds of some positions: within five of its standard deviations."""
    tried = 0
    for deals in range(40):
        for _, question in asked(deals):
            worlds = worlds_of(question)
            if not 2 <= worlds.number <= 60 or not worlds.fixed:
                continue
            tried += 1
            number, chance = 60 * worlds.number, Chance(deals)
            seen = Counter(draw(worlds, chance) for _ in range(number))
            square = sum((seen[world] - 60) ** 2 / 60 for world in all_worlds(question))
            free = worlds.number - 1
            assert abs(square - free) < 5 * sqrt(2 * free) + 5
    assert tried > 20


def test_higher_doubles_than_the_one_that_opened_sleep() -> None:
    tried = 0
    for deals in range(60):
        for hand, question in asked(deals)[:1]:
            if hand.state.must_open is None:
                continue
            higher = mask_of(double for double in DOUBLES if double > hand.state.must_open)
            assert not any(may & higher for may in question.may_hold)
            tried += bool(higher)
    assert tried


def test_belief_prefers_what_the_policy_would_have_played() -> None:
    """The true world is likelier than the average one, when the others play by the policy."""
    better = total = 0
    for deals in range(60):
        for hand, question in asked(deals)[6:14:4]:
            if not question.choices:
                continue
            worlds, chance = worlds_of(question), Chance(deals)
            drawn = [belief.weight(POLICY, question, draw(worlds, chance)) for _ in range(10)]
            better += belief.weight(POLICY, question, truth(hand)) >= sorted(drawn)[5]
            total += 1
    assert total > 50
    # The hands here are played at random, which the belief has to bear with.
    assert better / total > 0.3


def test_numbers_of_chance_are_spread_evenly() -> None:
    chance = Chance(4)
    seen = Counter(chance.below(22) for _ in range(22_000))
    assert set(seen) == set(range(22))
    assert all(850 < times < 1150 for times in seen.values())
    shares = [chance.share() for _ in range(10_000)]
    assert isclose(sum(shares) / 10_000, 0.5, abs_tol=0.02)
    assert 0 <= min(shares) <= max(shares) < 1
