"""Hypothesis strategies: states as they come up in matches, and moves of all kinds."""

from hypothesis import strategies as st
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    End,
    Move,
    Outcome,
    Pass,
    Play,
    State,
    deal,
    judge,
    legal_plays,
)

LONGEST_HAND = 96
"""At most 24 tiles, and three passes between two of them."""

seats = st.integers(0, 3)


def standing(
    leader: int | None, points: tuple[int, int], multiplier: int
) -> tuple[tuple[int, int], int, int | None]:
    """Scores, multiplier and who has led 5-0, as they can stand before a hand."""
    if leader is None:
        return points, multiplier, {(5, 0): 0, (0, 5): 1}.get(points)
    return (5, points[1]) if leader == 0 else (points[0], 5), multiplier, leader


standings = st.builds(
    standing,
    leader=st.none() | st.integers(0, 1),
    points=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    multiplier=st.integers(1, 4),
)


def legal_moves(state: State) -> list[Move]:
    """Every move that will be accepted; each end of a tile is a move of its own."""
    seat = state.turn
    if seat is None:
        return []
    plays: list[Move] = [
        Play(seat, TILES[play.tile], end) for play in legal_plays(state) for end in play.ends
    ]
    if plays:
        return plays
    if state.phase.name == "PLAY":
        return [Pass(seat)]
    return [ChooseOpener(seat, seat), ChooseOpener(seat, seat ^ 2)]


@st.composite
def played(draw: st.DrawFn) -> list[Outcome]:
    """A hand from the deal on: the outcomes of its moves; every other one is played to its end."""
    scores, multiplier, led = draw(standings)
    order = draw(st.permutations(range(28)))
    state = deal(order, draw(st.none() | seats), scores, multiplier, led)
    assert isinstance(state, State)
    outcomes = [Outcome(state)]
    choices = draw(st.binary(min_size=LONGEST_HAND, max_size=LONGEST_HAND))
    length = draw(st.just(LONGEST_HAND) | st.integers(0, LONGEST_HAND // 3))
    for choice in choices[:length]:
        moves = legal_moves(state)
        if not moves:
            break
        outcome = judge(state, moves[choice % len(moves)])
        assert isinstance(outcome, Outcome)
        outcomes.append(outcome)
        state = outcome.state
    return outcomes


states = played().map(lambda outcomes: outcomes[-1].state)

any_numbers = st.integers(-1, 7)
any_moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(
        Play,
        seat=seats,
        tile=st.tuples(any_numbers, any_numbers),
        end=st.sampled_from((*End, -1, 3)),
    ),
    st.builds(Pass, seat=seats),
    st.builds(ChooseOpener, seat=seats, opener=st.integers(-1, 4)),
)
