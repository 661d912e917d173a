"""Exact worths, held against a search that looks at everything; what a view leaves no doubt of."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain.position import Position, placements, read
from laelo_bots.domain.solver import Table, solve
from laelo_bots.domain.view import View
from laelo_rules.engine import Phase, tiles_in
from laelo_rules.engine.tiles import SEATS

from .certainty import certain, only_world, open_hands, worths
from .duel import random_hands, view_of

FEW = 9
"""With so many tiles left every way to go on can be looked at."""


def position_of(view: View) -> Position:
    position = read(view)
    assert isinstance(position, Position), position
    return position


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_the_solver_finds_what_a_whole_search_finds(seed: int) -> None:
    for hand in random_hands(seed, 2):
        state = hand.state
        left = sum(held.bit_count() for held in state.hands)
        possible = placements(position_of(view_of(hand)))
        if state.phase is not Phase.PLAY or left > FEW or not possible:
            continue
        assert state.turn is not None
        table = Table(state.hands, state.ends, state.turn)
        once = state._replace(multiplier=1, scores=(0, 0))
        assert solve(table, possible) == worths(once)


def test_a_whole_deal_can_be_solved() -> None:
    hand = next(hand for hand in random_hands(3, 9) if hand.state.phase is Phase.PLAY)
    position = position_of(view_of(hand))
    assert hand.state.turn is not None
    table = Table(hand.state.hands, hand.state.ends, hand.state.turn)
    values = solve(table, placements(position))
    assert values
    assert all(-4 <= value <= 4 for value in values)


def test_who_can_know_all_knows_the_truth() -> None:
    known = certain(1, 12)
    assert len(known) == 12
    for hand, position in known:
        assert only_world(position) == hand.state.hands


def test_who_cannot_know_all_is_told_nothing() -> None:
    """Two unseen tiles of different places that could be each other's leave two worlds."""
    seen = 0
    for hand in (*open_hands(2, 40), *random_hands(2, 40)):
        view = view_of(hand)
        position = position_of(view)
        if hand.state.phase is Phase.PLAY and can_be_swapped(position, hand.state.hands):
            assert only_world(position) is None
            seen += 1
    assert seen > 500


def can_be_swapped(position: Position, hands: tuple[int, ...]) -> bool:
    """Whether some other seat could hold another one's tile and the other way round."""
    others = [seat for seat in SEATS if seat != position.view.seat]
    return any(
        position.may_hold[a] >> mine & 1 and position.may_hold[b] >> yours & 1
        for a in others
        for b in others
        if a < b
        for yours in tiles_in(hands[a])
        for mine in tiles_in(hands[b])
    )


def test_names_of_seats_and_order_of_tiles_make_no_difference() -> None:
    """All four seats moved on by two: the same worths, for the teams are the same."""
    chance = Random(4)
    for hand, position in certain(5, 5):
        a, b, c, d = hand.state.hands
        turn = position.view.seat
        possible = placements(position)
        assert hand.state.ends is not None
        values = solve(Table((a, b, c, d), hand.state.ends, turn), possible)
        assert values == solve(Table((c, d, a, b), hand.state.ends, turn ^ 2), possible)
        mixed = chance.sample(possible, len(possible))
        again = dict(
            zip(mixed, solve(Table((a, b, c, d), hand.state.ends, turn), mixed), strict=True)
        )
        assert [again[one] for one in possible] == values
