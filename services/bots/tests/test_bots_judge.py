"""Verdicts: exact where everything can be known, never surer than they may be elsewhere."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.bots.v1 import bots_pb2 as pb
from laelo_bots import core
from laelo_bots.domain import playouts
from laelo_bots.domain.equity import stakes
from laelo_bots.domain.position import Position, placements, read
from laelo_bots.domain.search import Batch
from laelo_bots.judging.job import WORLDS, judged, position_of
from laelo_bots.judging.judge import Verdict, judge
from laelo_bots.judging.words import GOOD, MISTAKE, Word, word
from laelo_bots.mind import Mind
from laelo_rules.engine import Phase

from .certainty import certain, worths
from .duel import Hand, random_hands, view_of

KNOWN = 50


def fast() -> Batch:
    """In C where it was built: what is judged is the same."""
    found = core.load()
    return found.batch if found else playouts.batch


def choices(seed: int, hands: int = 3) -> list[tuple[Hand, Position]]:
    """Positions in which a tile is to be chosen."""
    found = []
    for hand in random_hands(seed, hands):
        position = read(view_of(hand))
        assert isinstance(position, Position)
        if hand.state.phase is Phase.PLAY and len(placements(position)) > 1:
            found.append((hand, position))
    return found


def test_where_one_world_is_left_the_verdict_is_always_the_exact_one() -> None:
    """On 50 positions, each move that there is: held against a search through everything."""
    known = certain(7, KNOWN)
    assert len(known) == KNOWN
    judged_moves = 0
    for hand, position in known:
        view = position.view
        exact = worths(hand.state._replace(multiplier=1, scores=(0, 0)))
        chances = stakes(
            view.target - view.score_us, view.target - view.score_them, view.multiplier
        )
        for move, value in zip(placements(position), exact, strict=True):
            verdict = judge(position, move, 1, 4)
            best, made = verdict.evaluations[0], verdict.evaluations[verdict.played]
            assert (verdict.worlds, verdict.standard_error) == (1, 0.0)
            assert best.points == max(exact) * view.multiplier
            assert made.points == value * view.multiplier
            assert made.equity == chances[4 + value]
            assert (verdict.word is Word.BEST) == (made.equity == best.equity)
            assert verdict.word in (Word.BEST, Word.MISTAKE)
            judged_moves += 1
    assert judged_moves > 2 * KNOWN


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_every_move_is_weighed_and_the_word_follows_from_it(seed: int) -> None:
    batch, chance = fast(), Random(seed)
    for _, position in choices(seed, 1):
        move = chance.choice(placements(position))
        verdict = judge(position, move, seed, 40, batch)
        moves = [one.move for one in verdict.evaluations]
        assert sorted(moves) == sorted(placements(position))
        equities = [one.equity for one in verdict.evaluations]
        assert equities == sorted(equities, reverse=True)
        assert moves[verdict.played] == move
        assert (verdict.word is Word.BEST) == (equities[verdict.played] == equities[0])
        if verdict.word is Word.MISTAKE:
            best, made = verdict.evaluations[0], verdict.evaluations[verdict.played]
            assert best.equity > made.equity


def test_the_same_seed_and_worlds_give_the_same_verdict() -> None:
    _, position = choices(3)[4]
    move = placements(position)[0]
    once = judge(position, move, 9, 30)
    assert judge(position, move, 9, 30) == once
    assert judge(position, move, 9, 30, fast()) == once
    assert judge(position, move, 10, 30) != once


def test_hidden_hands_change_no_verdict() -> None:
    """R31: two deals that look alike to the seat are judged alike."""
    hand, position = choices(5)[0]
    a, b, c, d = hand.state.hands
    seat = position.view.seat
    hands = [a, b, c, d]
    left, right = (seat + 1) & 3, (seat + 3) & 3
    if position.held[left] == position.held[right]:
        hands[left], hands[right] = hands[right], hands[left]
    other = hand._replace(state=hand.state._replace(hands=(hands[0], hands[1], hands[2], hands[3])))
    again = read(view_of(other))
    assert isinstance(again, Position)
    move = placements(position)[-1]
    assert judge(again, move, 1, 20) == judge(position, move, 1, 20)


def test_a_tile_that_could_not_be_laid_is_not_judged() -> None:
    _, position = choices(3)[0]
    with pytest.raises(ValueError, match="none of the moves"):
        judge(position, (27, 3), 1, 10)


@given(cost=st.floats(-1, 4), error=st.floats(0, 2))
def test_a_mistake_is_never_called_one_within_twice_the_error(cost: float, error: float) -> None:
    found = word(cost, error)
    assert (found is Word.BEST) == (cost <= 0)
    assert (found is Word.GOOD) == (0 < cost <= GOOD)
    assert (found is Word.MISTAKE) == (cost >= MISTAKE and cost > 2 * error)


def turn_of(hand: Hand, position: Position, **changes: Any) -> pb.PlayedTurn:
    view = view_of(hand)
    tile, end = placements(position)[0]
    values: dict[str, Any] = {
        "tile": tile,
        "end": end,
        "seed": 5,
        "view": pb.View(**view._asdict()),
    }
    return pb.PlayedTurn(**(values | changes))


def test_a_worker_answers_with_the_verdict_of_the_judge() -> None:
    hand, position = choices(3)[1]
    turn = turn_of(hand, position)
    mind = Mind(playouts.batch)
    request = pb.JudgeRequest(turns=[turn], worlds=24)
    answer = pb.JudgeResponse.FromString(judged(request.SerializeToString(), mind))
    expected: Verdict = judge(position, (turn.tile, turn.end), 5, 24)
    assert answer.word == expected.word.value
    assert [one.tile for one in answer.evaluations] == [e.move[0] for e in expected.evaluations]
    assert [one.equity for one in answer.evaluations] == pytest.approx(
        [one.equity for one in expected.evaluations]
    )
    assert (answer.played, answer.worlds) == (expected.played, 24)
    assert answer.engine == mind.engine
    request.worlds = 0
    answer = pb.JudgeResponse.FromString(judged(request.SerializeToString(), mind))
    assert answer.worlds == WORLDS["python"]


def test_what_makes_no_sense_is_said_to() -> None:
    hand, position = choices(3)[1]
    assert position_of(turn_of(hand, position)) == position
    for changes in ({"tile": 31}, {"end": 3}, {"view": pb.View(hand=1)}):
        assert not isinstance(position_of(turn_of(hand, position, **changes)), Position)
