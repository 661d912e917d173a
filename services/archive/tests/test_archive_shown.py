"""What is told of a match, and to whom."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.archive.v1 import archive_pb2
from laelo.rules.v1 import rules_pb2
from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow, Row
from laelo_archive.domain.shown import history_row, may_see, replay
from laelo_common.log import Aggregate, Kind
from laelo_rules.engine import Phase, Play, deal, judge
from laelo_rules.engine.moves import ChooseOpener, Move, Pass
from laelo_table.domain.spell import TILES

from services.table.tests.kit import ANIMALS, PEOPLE, TABLE, drawn_match, lively_match, random_match

from .kit import newest, retold, rows_of

SEEDS = st.integers(0, 2**32)
WHOLE = settings(max_examples=25, deadline=None)
Parts = tuple[MatchRow, list[PersonRow], list[HandRow]]


def parts(rows: Sequence[Row], match: int = 1) -> Parts:
    """The rows of one match."""
    stands = [row for row in newest(rows).values() if not hasattr(row, "tier")]
    (found,) = [row for row in stands if isinstance(row, MatchRow) and row.match == match]
    people = [row for row in stands if isinstance(row, PersonRow) and row.match == match]
    hands = [row for row in stands if isinstance(row, HandRow) and row.match == match]
    return found, people, hands


def told(rows: Sequence[Row], viewer: str, *named: str) -> archive_pb2.ReplayResponse:
    """The replay for a viewer."""
    match, people, hands = parts(rows)
    return replay(match, people, named, hands, viewer)


@given(SEEDS)
@WHOLE
def test_a_replay_can_be_played_by_the_rules(seed: int) -> None:
    """Deal, opener and turns of each hand lead to its end, by the engine alone."""
    rows, _ = rows_of(Stream.TABLES, TABLE, random_match(seed).stored)
    whole = told(rows, "")
    scores, led = (0, 0), None
    for hand in whole.hands:
        order = [tile for mask in hand.dealt for tile in range(28) if mask >> tile & 1]
        order += [tile for tile in range(28) if tile not in order]
        chooser = None if hand.chooser == 4 else hand.chooser
        state = deal(order, chooser, scores, hand.multiplier, led)
        assert not isinstance(state, int)
        moves: list[Move] = [] if chooser is None else [ChooseOpener(chooser, hand.opener)]
        for turn in hand.turns:
            tile = None if turn.tile == 28 else TILES[turn.tile]
            moves.append(Play(turn.seat, tile, turn.end) if tile else Pass(turn.seat))
        for move in moves:
            outcome = judge(state, move)
            assert not isinstance(outcome, int), (move, outcome)
            state = outcome.state
        assert state.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
        assert outcome.hand_end is not None
        assert outcome.hand_end.points == hand.end.points
        assert outcome.hand_end.reason == hand.end.reason
        assert list(state.hands) == list(hand.left)
        assert state.scores == (hand.score_0, hand.score_1)
        scores, led = state.scores, state.led_5_0
    assert outcome.match_end is not None
    assert (whole.end.team, whole.end.buchuda) == (
        outcome.match_end.team, outcome.match_end.buchuda,
    )  # fmt: skip


@given(SEEDS)
@WHOLE
def test_the_order_of_sleeping_tiles_shows_nowhere(seed: int) -> None:
    """The seed tells it, to who computes it; no field does (R2)."""
    rows, _ = rows_of(Stream.TABLES, TABLE, random_match(seed).stored)
    shuffled = [
        row._replace(tiles=row.tiles[:24] + row.tiles[:23:-1]) if isinstance(row, HandRow) else row
        for row in rows
    ]
    assert told(rows, "ana") == told(shuffled, "ana")
    for hand in told(rows, "").hands:
        assert [mask.bit_count() for mask in hand.dealt] == [6] * 4


@given(SEEDS, st.permutations(PEOPLE))
@WHOLE
def test_who_is_who_in_a_championship_changes_no_byte(seed: int, people: list[str]) -> None:
    """R40: nobody but oneself, the partner included, until the team is out or champion."""
    one = drawn_match(seed).stored
    table = Aggregate(Kind.TABLE, TABLE)
    rows, _ = rows_of(Stream.TABLES, TABLE, one)
    others, _ = rows_of(
        Stream.TABLES, TABLE, retold(one, table, people=dict(zip(PEOPLE, people, strict=True)))
    )
    for viewer in ("", "eve"):
        assert told(rows, viewer) == told(others, viewer)
        seats = told(rows, viewer).seats
        assert [(seat.player, seat.name, seat.animal) for seat in seats] == [
            ("", "", animal) for animal in ANIMALS
        ]
    for number, viewer in enumerate(PEOPLE):
        whole = told(rows, viewer)
        for seats in (whole.seats, *(hand.seats for hand in whole.hands)):
            shown = [seat.player for seat in seats]
            assert shown == [player if player == viewer else "" for player in PEOPLE]
        assert whole.seat == number
        match, sat, _ = parts(rows)
        assert history_row(match, sat, (), viewer).seats == whole.seats
    opened = told(rows, "", "ana", "caio")
    assert [seat.player for seat in opened.seats] == ["ana", "", "caio", ""]
    assert [seat.player for seat in opened.hands[0].seats] == ["ana", "", "caio", ""]


@given(SEEDS)
@WHOLE
def test_a_table_without_spectators_is_for_those_who_sat_there(seed: int) -> None:
    rows, _ = rows_of(Stream.TABLES, TABLE, lively_match(seed).stored)
    if not any(isinstance(row, MatchRow) for row in rows):
        return
    match, people, _ = parts(rows)
    closed = match._replace(spectators=False)
    for viewer in (*PEOPLE, "eve", "", "nobody"):
        sat = any(person.player == viewer for person in people)
        assert may_see(match, people, viewer)
        assert may_see(closed, people, viewer) == sat


def test_guests_have_their_names_and_accounts_only_their_ids() -> None:
    table = Aggregate(Kind.TABLE, TABLE)
    for guests in (False, True):
        stored = retold(random_match(3).stored, table, guests=guests)
        rows, _ = rows_of(Stream.TABLES, TABLE, stored)
        seats = told(rows, "").seats
        assert [seat.player for seat in seats] == list(PEOPLE)
        assert [seat.guest for seat in seats] == [guests] * 4
        assert [seat.name for seat in seats] == [
            player.title() if guests else "" for player in PEOPLE
        ]


@pytest.mark.parametrize("hands", [0, 1])
def test_a_match_that_is_being_played_has_no_end(hands: int) -> None:
    game = random_match(5)
    ends = [
        commit.head.version
        for commit in game.commits
        if any(event.WhichOneof("event") == "hand_ended" for event in commit.events)
    ]
    rows, _ = rows_of(Stream.TABLES, TABLE, game.stored[: ends[hands] - 1])
    whole = told(rows, "ana")
    assert len(whole.hands) == hands
    assert not whole.HasField("end")
    assert whole.ended_ms == 0
    assert rules_pb2.MatchEnd() == whole.end
