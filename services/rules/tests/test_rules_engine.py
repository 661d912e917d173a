"""What holds for every hand, whatever the tiles and however it is played."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_rules.engine import (
    LONG_SECONDS,
    SHORT_SECONDS,
    TILES,
    Call,
    CallKind,
    ChooseOpener,
    DealError,
    End,
    NextHand,
    Outcome,
    Pass,
    Phase,
    Play,
    Reason,
    Refusal,
    State,
    can_pass,
    clock_seconds,
    count,
    deal,
    is_short,
    judge,
    legal_plays,
    legal_tiles,
    mask_of,
    next_seat,
    partner_of,
    team_of,
    tile_id,
    tiles_in,
    timeout_move,
)

from .strategies import any_moves, legal_moves, played, seats, standings, states
from .vectors import CASES, move_from, state_from

hands = st.sets(st.integers(0, 27), max_size=28)


# Tiles and seats


def test_tile_ids_follow_the_formula() -> None:
    assert [tile_id(low, high) for low, high in TILES] == list(range(28))
    assert all(tile_id(high, low) == high * (high + 1) // 2 + low for low, high in TILES)


@pytest.mark.parametrize("numbers", [(-1, 3), (3, -1), (7, 0), (0, 7)])
def test_there_is_no_tile_beyond_six(numbers: tuple[int, int]) -> None:
    assert tile_id(*numbers) is None


@given(hands)
def test_masks_are_sets(tiles: set[int]) -> None:
    assert tiles_in(mask_of(tiles)) == tuple(sorted(tiles))
    assert count(mask_of(tiles)) == sum(sum(TILES[tile]) for tile in tiles)


@given(seats)
def test_partners_sit_opposite(seat: int) -> None:
    assert partner_of(seat) == next_seat(next_seat(seat))
    assert team_of(partner_of(seat)) == team_of(seat) != team_of(next_seat(seat))


# Deal


@given(st.permutations(range(28)), st.none() | seats, standings)
def test_deal_gives_six_tiles_in_order(
    order: list[int], winner: int | None, standing: tuple[tuple[int, int], int, int | None]
) -> None:
    state = deal(order, winner, *standing)
    assert isinstance(state, State)
    assert state.hands == tuple(mask_of(order[i : i + 6]) for i in (0, 6, 12, 18))
    assert (state.scores, state.multiplier, state.led_5_0) == standing
    assert (state.ends, state.last_seat) == (None, None)
    if winner is None:
        assert state.phase is Phase.PLAY
        doubles = [(TILES[t], t, i // 6) for i, t in enumerate(order[:24]) if len({*TILES[t]}) == 1]
        assert (state.must_open, state.turn) == max(doubles)[1:]
    else:
        assert (state.phase, state.turn, state.must_open) == (Phase.CHOOSE_OPENER, winner, None)


@given(st.lists(st.integers(-1, 28), max_size=30))
def test_only_the_whole_set_is_a_deal(order: list[int]) -> None:
    dealt = deal(order)
    whole = sorted(order) == list(range(28))
    assert isinstance(dealt, State) == whole
    assert whole or dealt is DealError.NOT_A_WHOLE_SET


def test_a_tile_twice_is_no_deal() -> None:
    assert deal([*range(27), 0]) is DealError.NOT_A_WHOLE_SET


# Moves


@given(played())
def test_no_tile_is_lost_or_doubled(outcomes: list[Outcome]) -> None:
    for before, after in pairwise(outcomes):
        held_before, held = before.state.hands, after.state.hands
        gone = [mine ^ left for mine, left in zip(held_before, held, strict=True)]
        assert sum(mask.bit_count() for mask in gone) == (held_before != held)
        assert all(left & mine == left for mine, left in zip(held_before, held, strict=True))


@given(states, any_moves)
def test_verdict_agrees_with_the_legal_moves(state: State, move: Play | Pass) -> None:
    verdict = judge(state, move)
    if isinstance(move, Play) and isinstance(verdict, Outcome):
        tile = TILES[tile_id(*move.tile) or 0]
        move = Play(move.seat, tile, verdict.laid_at)
    assert isinstance(verdict, Outcome) == (move in legal_moves(state))


@given(states)
def test_turn_moves_to_the_left(state: State) -> None:
    for move in legal_moves(state):
        outcome = judge(state, move)
        assert isinstance(outcome, Outcome)
        if isinstance(move, ChooseOpener):
            assert (outcome.state.turn, outcome.calls) == (move.opener, ())
        elif outcome.hand_end is None:
            assert outcome.state.turn == next_seat(move.seat)
        else:
            assert outcome.state.turn is None


@given(states)
def test_somebody_can_always_do_something(state: State) -> None:
    over = state.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
    assert bool(legal_moves(state)) != over
    assert (timeout_move(state) in legal_moves(state)) != over
    assert can_pass(state) == (Pass(state.turn or 0) in legal_moves(state))


@given(states)
def test_an_unnamed_end_is_the_only_one(state: State) -> None:
    for play in legal_plays(state):
        assert state.turn is not None
        verdict = judge(state, Play(state.turn, TILES[play.tile]))
        if len(play.ends) == 2:
            assert verdict is Refusal.END_REQUIRED
        else:
            assert isinstance(verdict, Outcome)
            assert (verdict.laid_at,) == play.ends


def test_an_end_named_on_the_empty_table_is_ignored() -> None:
    state = deal(range(28))
    assert isinstance(state, State)
    assert state.turn == 3
    verdicts = [judge(state, Play(3, (5, 5), end)) for end in End]
    assert verdicts[0] == verdicts[1] == verdicts[2]


def test_what_is_no_end_is_refused_on_the_empty_table_too() -> None:
    state = deal(range(28))
    assert isinstance(state, State)
    assert judge(state, Play(3, (5, 5), 3)) is Refusal.INVALID_END


# The end of a hand


@given(played())
def test_a_hand_ends_when_nothing_fits_or_a_hand_is_empty(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        state = outcome.state
        over = not all(state.hands)
        if state.ends is not None:
            numbers = {
                number for hand in state.hands for t in tiles_in(hand) for number in TILES[t]
            }
            over = over or not numbers & set(state.ends)
        assert (outcome.hand_end is not None) == over
        assert (state.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)) == over


@given(played())
def test_points_are_booked_for_the_winners(outcomes: list[Outcome]) -> None:
    before, after = outcomes[0].state, outcomes[-1]
    end = after.hand_end
    if end is None:
        assert after.state.scores == before.scores
        return
    gained = [new - old for new, old in zip(after.state.scores, before.scores, strict=True)]
    if end.reason is Reason.TIE:
        assert (end.winner, end.team, gained) == (None, None, [0, 0])
    else:
        assert end.winner is not None
        assert end.team == team_of(end.winner)
        assert gained[end.team] == end.points > 0 == gained[1 - end.team]
    assert end.points % before.multiplier == 0
    assert end.counts == tuple(count(hand) for hand in after.state.hands)


@given(played())
def test_who_led_five_nil_is_remembered(outcomes: list[Outcome]) -> None:
    before, after = outcomes[0].state, outcomes[-1].state
    if outcomes[-1].hand_end is None or sorted(after.scores) != [0, 5]:
        assert after.led_5_0 == before.led_5_0
    else:
        assert after.led_5_0 == after.scores.index(5)


@pytest.mark.parametrize(
    ("before", "after", "led"),
    [((4, 0), (5, 0), 0), ((0, 4), (0, 5), 1), ((4, 1), (5, 1), None), ((1, 4), (1, 5), None)],
)
def test_only_five_nil_is_remembered(
    before: tuple[int, int], after: tuple[int, int], led: int | None
) -> None:
    """The hand of rules-038 and its mirror image: one point for the team that gains."""
    given_hand = next(case["given"] for case in CASES if case["id"] == "rules-038")
    state, move = state_from(given_hand["state"]), move_from(given_hand["move"])
    assert isinstance(move, Play)
    if before[1] != after[1]:
        a, b, c, d = state.hands
        state = state._replace(hands=(d, a, b, c), turn=1)
        move = move._replace(seat=1)
    outcome = judge(state._replace(scores=before), move)
    assert isinstance(outcome, Outcome)
    assert (outcome.state.scores, outcome.state.led_5_0) == (after, led)


@given(played())
def test_the_match_ends_at_six(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        over = max(outcome.state.scores) >= 6
        assert (outcome.state.phase is Phase.MATCH_OVER) == (outcome.match_end is not None) == over
        if outcome.match_end is not None:
            assert outcome.hand_end is not None
            assert outcome.hand_end.next is None
            assert outcome.match_end.scores[outcome.match_end.team] >= 6
            assert not (outcome.match_end.buchuda and outcome.match_end.buchuda_de_re)


@given(played())
def test_each_move_has_its_calls(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        kinds = [call.kind.name for call in outcome.calls]
        end = outcome.hand_end
        if end is None:
            assert len(kinds) <= 1
        elif end.reason in (Reason.COUNT, Reason.TIE):
            assert kinds[1:] == ["BLOCKED", end.reason.name]
        else:
            assert kinds == [end.reason.name]


@pytest.mark.parametrize("multiplier", [1, 2, 7])
def test_ties_raise_what_the_next_hand_counts(multiplier: int) -> None:
    tie = next(case["given"] for case in CASES if case["id"] == "rules-052")
    state = state_from(tie["state"])._replace(multiplier=multiplier)
    outcome = judge(state, move_from(tie["move"]))
    assert isinstance(outcome, Outcome)
    assert outcome.calls[-1] == Call(CallKind.TIE, next_multiplier=multiplier + 1)
    assert outcome.hand_end is not None
    assert outcome.hand_end.next == NextHand(None, multiplier + 1)


# Clock


@given(states, st.integers(1, 60))
def test_clock_is_short_with_at_most_one_tile(state: State, base: int) -> None:
    seconds = clock_seconds(state, base)
    if state.turn is None:
        assert seconds == 0
    elif state.phase is Phase.CHOOSE_OPENER or len(legal_plays(state)) > 1:
        assert seconds == base
        assert not is_short(state)
    else:
        assert seconds == SHORT_SECONDS
        assert is_short(state)


@given(states)
def test_no_clock_where_none_is_set(state: State) -> None:
    assert clock_seconds(state, 0) == 0
    assert clock_seconds(state) in (0, SHORT_SECONDS, LONG_SECONDS)


@given(states)
def test_the_clock_plays_the_heaviest_tile(state: State) -> None:
    move = timeout_move(state)
    if isinstance(move, Play):
        tiles = [TILES[tile] for tile in tiles_in(legal_tiles(state))]
        assert move.tile == max(tiles, key=lambda tile: (sum(tile), tile[1]))
        fits_left = state.ends is not None and state.ends[0] in move.tile
        assert (move.end == End.LEFT) == fits_left
