"""The solver in C, and the vote that is made of its answers."""

from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain import solver
from laelo_bots.domain.position import Position, placements, read
from laelo_bots.domain.solver import Table
from laelo_bots.domain.view import View
from laelo_rules.engine import TILES, Phase, Play, tile_id

from bench.arena.exact import solver_of
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
