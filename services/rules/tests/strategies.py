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

seats = st.integers(0, 3)
standings = st.tuples(
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.integers(1, 4),
    st.sampled_from((None, 0, 1)),
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
    """A hand from the deal on: the outcomes of its moves, as many as are drawn."""
    scores, multiplier, led = draw(standings)
    order = draw(st.permutations(range(28)))
    state = deal(order, draw(st.none() | seats), scores, multiplier, led)
    assert isinstance(state, State)
    outcomes = [Outcome(state)]
    choices = draw(st.lists(st.integers(0, 11), max_size=40))
    for choice in choices:
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
