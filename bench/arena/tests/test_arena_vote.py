"""The solver in C, the drawing of worlds and the vote that is made of both."""

from collections import Counter
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain import solver
from laelo_bots.domain.position import Position, placements, read
from laelo_bots.domain.solver import Table
from laelo_bots.domain.view import View
from laelo_rules.engine import TILES, Phase, Play, tile_id, tiles_in
from laelo_rules.engine.tiles import SEATS, mask_of

from bench.arena.exact import solver_of
from bench.arena.sampling import Worlds
from bench.arena.vote import Vote
from services.bots.tests.certainty import certain, worths
from services.bots.tests.duel import random_hands, view_of


def position_of(view: View) -> Position:
    position = read(view)
    assert isinstance(position, Position), position
    return position


@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_c_and_python_solve_alike(seed: int) -> None:
    solve = solver_of()
    for hand in random_hands(seed, 1):
        state = hand.state
        possible = placements(position_of(view_of(hand))) if state.phase is Phase.PLAY else []
        if possible and sum(held.bit_count() for held in state.hands) <= 20:
            assert state.turn is not None
            table = Table(state.hands, state.ends, state.turn)
            assert solve(table, possible) == solver.solve(table, possible)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_every_world_that_is_drawn_is_possible(seed: int) -> None:
    chance = Random(seed)
    for hand in random_hands(seed, 1):
        position = position_of(view_of(hand))
        hands = Worlds(position).draw(chance)
        assert [held.bit_count() for held in hands] == list(position.held)
        assert all(not hands[seat] & ~position.may_hold[seat] for seat in SEATS)
        assert (
            sum(held.bit_count() for held in hands)
            == mask_of(tile for held in hands for tile in tiles_in(held)).bit_count()
        )


def test_every_possible_world_is_as_likely() -> None:
    """All ways to give the unseen tiles away are listed, and each comes about as often."""
    hand, position = next(
        (hand, position)
        for hand in random_hands(8, 40)
        if (position := position_of(view_of(hand)))
        and sum(held.bit_count() for held in hand.state.hands) - position.view.hand.bit_count() == 3
    )
    seat = position.view.seat
    places = [other for other in SEATS for _ in range(position.held[other]) if other != seat]
    unseen = [
        tile for tile in range(28)
        if not position.view.hand >> tile & 1
        and not any(turn & 31 == tile for turn in position.view.turns)
    ]  # fmt: skip
    possible = set()
    for tiles in permutations(unseen, len(places)):
        if all(position.may_hold[p] >> t & 1 for t, p in zip(tiles, places, strict=True)):
            hands = list(position.state.hands)
            for tile, place in zip(tiles, places, strict=True):
                hands[place] |= 1 << tile
            possible.add(tuple(hands))
    worlds, chance = Worlds(position), Random(1)
    drawn = Counter(worlds.draw(chance) for _ in range(80 * len(possible)))
    assert set(drawn) == possible
    assert all(40 < count < 130 for count in drawn.values())
    assert hand.state.hands in possible


def test_with_one_world_the_vote_is_the_exact_choice() -> None:
    vote = Vote(3)
    for hand, position in certain(21, 6):
        move = vote.choose(position.view, 1)
        assert isinstance(move, Play)
        chosen = tile_id(*move.tile)
        assert chosen is not None
        values = worths(hand.state._replace(multiplier=1, scores=(0, 0)))
        worth = dict(zip(placements(position), values, strict=True))
        assert worth[chosen, int(move.end)] == max(values)
        heavier = [t for (t, _), value in worth.items() if value == max(values) and t > chosen]
        assert all(weight(tile) <= weight(chosen) for tile in heavier)


def weight(tile: int) -> int:
    return sum(TILES[tile])
