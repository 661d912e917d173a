"""Which tiles are judged, what the bots are told of each, and what is told of the verdicts."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from laelo.bots.v1 import bots_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo_archive.domain import turns
from laelo_archive.domain.judged import Asked, Judged, JudgementRow, asked, row_of, told
from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow
from laelo_table.domain.bot_view import bot_view
from laelo_table.domain.state import Table

from services.table.tests.kit import PEOPLE, TABLE, Game, drawn_match, lively_match, random_match

from .kit import newest, rows_of


def rows_of_match(game: Game) -> tuple[MatchRow, list[HandRow], list[PersonRow]]:
    rows, known = rows_of(Stream.TABLES, TABLE, game.stored)
    assert not known.fault
    last = list(newest(rows).values())
    matches = [row for row in last if isinstance(row, MatchRow)]
    people = [row for row in last if isinstance(row, PersonRow)]
    hands = [row for row in last if isinstance(row, HandRow) and row.match == 1]
    return matches[0], hands, people


def played(game: Game) -> Iterable[tuple[int, int, Table]]:
    """Hand, tile and the table before each tile that was laid in the first match."""
    for before, commit in zip(game.states, game.commits, strict=False):
        for event in commit.events:
            if event.WhichOneof("event") == "played" and before.match == 1:
                yield before.hand, event.played.tile, before


def choices_of(state: Table) -> int:
    """How many different ways to lay a tile there were; equal ends are one."""
    assert state.begun is not None
    assert state.game is not None
    same = state.game.left == state.game.right
    ends = [play >> 5 & 3 for play in state.begun.plays]
    return sum(1 if same or not end else end.bit_count() for end in ends)


@given(seed=st.integers(0, 2**32))
@example(seed=46094919)  # all leave before the match
@settings(max_examples=10, deadline=None)
def test_a_bot_is_asked_what_it_would_have_been_asked_at_the_table(seed: int) -> None:
    """The same view, byte for byte, of each tile that was laid among others."""
    game = lively_match(seed) if seed % 2 else random_match(seed)
    assume(any(event.HasField("match_started") for one in game.commits for event in one.events))
    _, hands, _ = rows_of_match(game)
    over = {hand.hand for hand in hands}
    expected = [
        (hand, tile, bot_view(state))
        for hand, tile, state in played(game)
        if hand in over and choices_of(state) > 1
    ]
    found = asked(hands)
    assert [(one.hand, one.question.tile, one.question.view) for one in found] == expected


def test_nothing_of_another_hand_is_in_a_question() -> None:
    """R31: tiles that the seat has not seen exchange their places, and the question is the same."""
    _, hands, _ = rows_of_match(random_match(4))
    hand = hands[0]
    for one in _asked_of(hand):
        view = one.question.view
        seen = {code & 31 for code in view.turns} | {
            tile for tile in range(28) if view.hand >> tile & 1
        }
        hidden = [place for place, tile in enumerate(hand.tiles) if tile not in seen]
        mixed = list(hand.tiles)
        for place, other in zip(hidden, hidden[1:] + hidden[:1], strict=True):
            mixed[place] = hand.tiles[other]
        # Only what was laid before the question counts; the rest of the hand is cut off.
        cut = hand.turns[: turns.SIZE * one.turn]
        again = _asked_of(hand._replace(tiles=bytes(mixed), turns=cut))[-1]
        assert again.question == one.question


def _asked_of(hand: HandRow) -> list[Asked]:
    return asked([hand])


def test_questions_have_seeds_of_their_own_that_stay() -> None:
    _, hands, _ = rows_of_match(random_match(5))
    seeds = [one.question.seed for one in asked(hands)]
    assert len(set(seeds)) == len(seeds) > 20
    assert seeds == [one.question.seed for one in asked(hands)]


def verdict_of(one: Asked, chance: random.Random) -> bots_pb2.JudgeResponse:
    """Anything that a judge could say."""
    best, other = chance.random(), chance.random() / 2
    place = chance.randrange(2)
    evaluations = [
        bots_pb2.Evaluation(tile=one.question.tile, equity=best, points=1.5),
        bots_pb2.Evaluation(tile=27, end=rules_pb2.END_LEFT, equity=best * other, points=-0.5),
    ]
    word = chance.choice([1, 2, 3, 4])
    return bots_pb2.JudgeResponse(
        word=bots_pb2.Word.ValueType(word),
        evaluations=evaluations,
        played=place,
        standard_error=0.25,
        worlds=40,
        engine="x",
    )


def judged_match(game: Game, seed: int) -> Judged:
    match, hands, people = rows_of_match(game)
    chance = random.Random(seed)
    rows = [row_of(TABLE, match.match, one, verdict_of(one, chance)) for one in asked(hands)]
    return Judged(match, people, (), hands, rows)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_accuracy_counts_each_choice_of_a_person_once_and_none_of_the_clock(seed: int) -> None:
    game = drawn_match(seed)
    judged = judged_match(game, seed)
    answer = told(judged, "")
    by_clock = {
        (hand.hand, number)
        for hand in judged.hands
        for number, turn in enumerate(turns.unpack(hand.turns), 1)
        if turn.actor == log_pb2.ACTOR_CLOCK
    }
    counted = [row for row in judged.rows if row.place not in by_clock]
    assert sum(one.choices for one in answer.accuracies) == len(counted)
    for one in answer.accuracies:
        own = [row for row in counted if row.seat == one.seat]
        assert one.choices == len(own)
        assert one.good == sum(row.word in (1, 2) for row in own)
        lost = sum(row.equity_best - row.equity_played for row in own)
        assert one.equity_lost == pytest.approx(lost, abs=1e-5)


@given(seed=st.integers(0, 2**32), viewer=st.sampled_from((*PEOPLE, "eve", "")))
@settings(max_examples=12, deadline=None)
def test_at_a_championship_accuracy_goes_by_animal_until_r40(seed: int, viewer: str) -> None:
    judged = judged_match(drawn_match(seed), seed)
    for opened in ((), ("bia",), PEOPLE):
        answer = told(judged._replace(open=frozenset(opened)), viewer)
        named = {one.who.player for one in answer.accuracies} - {""}
        assert named <= {*opened, viewer}
        assert all(one.who.animal and not one.who.name for one in answer.accuracies)


def test_accuracy_is_told_once_everything_is_judged() -> None:
    judged = judged_match(random_match(6), 1)
    whole = told(judged, "")
    assert len(whole.verdicts) == whole.choices == len(judged.rows)
    part = told(judged._replace(rows=judged.rows[:-1]), "")
    assert (len(part.verdicts), part.choices) == (whole.choices - 1, whole.choices)
    assert not part.accuracies
    assert whole.accuracies


def test_bots_are_told_apart_from_people() -> None:
    answer = told(judged_match(random_match(8, people=2), 2), "")
    by_seat = {one.seat: one.who for one in answer.accuracies}
    assert [bool(by_seat[seat].player) for seat in sorted(by_seat)] == [True, True, False, False]
    assert all(by_seat[seat].level for seat in (2, 3))


def test_a_verdict_is_told_as_it_was_found() -> None:
    row = JudgementRow(TABLE, 1, 2, 3, 1, 4, 27, 2, 0.5, 0.25, 1.0, -0.5, 0.125, 4000, "c")
    judged = judged_match(random_match(6), 1)
    (verdict,) = told(judged._replace(rows=[row]), "").verdicts
    assert (verdict.hand, verdict.turn, verdict.seat) == (2, 3, 1)
    assert (verdict.word, verdict.best_tile, verdict.best_end) == (bots_pb2.WORD_MISTAKE, 27, 2)
    assert (verdict.equity_best, verdict.equity_played) == (0.5, 0.25)
    assert (verdict.points_best, verdict.points_played) == (1.0, -0.5)
    assert (verdict.standard_error, verdict.worlds) == (0.125, 4000)
