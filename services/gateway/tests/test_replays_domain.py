"""What leaves of matches of the past: all that was played, no name before R40 allows it."""

from typing import get_args

import msgspec
import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.archive.v1 import archive_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.wire import replay as shapes
from laelo_common.wire import table as wire
from laelo_gateway.replays.domain import shown, spell

from services.gateway.tests.replay_kit import (
    CHAMPIONSHIP,
    FOUR,
    STRANGER,
    Kept,
    friendly,
    official,
    person,
)

SEEDS = st.integers(0, 2**32 - 1)
OTHERS = tuple(person(number) for number in range(100, 104))
NAMES = {player: f"nick-of-{player[-3:]}" for player in (*FOUR, *OTHERS, STRANGER)}
"""More than is asked for: what is told must not depend on the tact of who gives it."""


def told(kept: Kept, viewer: str, named: frozenset[str]) -> bytes:
    answer = kept.replay(viewer, named)
    assert shown.wanted_in_replay(answer) <= {*named, viewer}
    return msgspec.json.encode(shown.replay(answer, viewer, NAMES))


@settings(deadline=None, max_examples=40)
@given(SEEDS, st.sampled_from((*FOUR, STRANGER, "")), st.frozensets(st.sampled_from(FOUR)))
def test_a_replay_has_nothing_of_hidden_people(
    seed: int, viewer: str, named: frozenset[str]
) -> None:
    text = told(official(seed), viewer, named).decode()
    assert not [player for player in (*FOUR, STRANGER) if player in text]
    shown_names = {player for player in FOUR if NAMES[player] in text}
    assert shown_names == named - {viewer}
    # Somebody else in a hidden person's place makes the same bytes.
    seated = [
        player if player in named or player == viewer else other
        for player, other in zip(FOUR, OTHERS, strict=True)
    ]
    assert told(official(seed, seated), viewer, named).decode() == text


@settings(deadline=None, max_examples=40)
@given(SEEDS, st.sampled_from(FOUR), st.frozensets(st.sampled_from(FOUR)))
def test_a_history_has_nothing_of_hidden_people(
    seed: int, player: str, named: frozenset[str]
) -> None:
    row = official(seed).row(player, named)
    answer = archive_pb2.HistoryResponse(rows=[row])
    assert shown.wanted_in_history(answer) <= {*named, player}
    made = shown.history(answer, player, NAMES)
    text = msgspec.json.encode(made).decode()
    partner = FOUR[(row.seat + 2) % 4]
    assert made.rows[0].partner == (partner if partner in named else "")
    assert {other for other in FOUR if NAMES[other] in text} == named - {player}
    assert [other for other in FOUR if other in text] == [
        other for other in FOUR if other == partner and partner in named
    ]


@settings(deadline=None, max_examples=40)
@given(SEEDS)
def test_the_moves_lead_from_the_deal_to_the_end(seed: int) -> None:
    replay = shown.replay(friendly(seed).replay(), "", NAMES)
    assert [hand.number for hand in replay.hands] == list(range(1, len(replay.hands) + 1))
    for hand in replay.hands:
        held = [set(tiles) for tiles in hand.dealt]
        assert [len(tiles) for tiles in hand.dealt] == [6] * 4
        assert len(set().union(*held)) == 24, "the sleeping tiles are told nowhere (R2)"
        ends: list[int] = []
        for move in hand.moves:
            if move.tile is None:
                assert [call.kind for call in move.calls][:1] == ["pass"]
                continue
            held[move.seat].remove(move.tile)
            if not ends:
                ends = list(move.tile)
            else:
                at = 0 if move.end == "left" else 1
                low, high = move.tile
                assert ends[at] in (low, high)
                ends[at] = high if ends[at] == low else low
            assert sorted(move.ends or ()) == sorted(ends)
            ends = list(move.ends or ())
        assert [set(tiles) for tiles in hand.end.hands] == held
        assert hand.opener == hand.moves[0].seat
        assert (hand.choice is None) == (hand.opening != "won")
        assert [move.after_ms for move in hand.moves] == sorted(m.after_ms for m in hand.moves)
    if replay.end is not None:
        assert replay.end.scores == replay.hands[-1].end.scores


@settings(deadline=None, max_examples=40)
@given(SEEDS, st.booleans())
def test_people_at_friendly_tables_have_their_names(seed: int, guests: bool) -> None:
    kept = friendly(seed, guests=guests)
    answer = kept.replay()
    assert shown.wanted_in_replay(answer).isdisjoint(FOUR if guests else ())
    made = shown.replay(answer, "", NAMES)
    for seat, row in zip(made.seats, answer.seats, strict=True):
        if not row.player:
            assert seat.kind in ("bot", "empty")
        elif guests:
            assert (seat.name, seat.guest) == (row.name, True)
        else:
            assert (seat.name, seat.guest) == (NAMES.get(row.player, ""), False)


def test_a_bot_in_the_place_of_a_person_is_told() -> None:
    seat = archive_pb2.Seat(player=FOUR[0], level=table_pb2.BOT_LEVEL_SIMPLE)
    match = archive_pb2.HistoryRow(seats=[seat, *[archive_pb2.Seat()] * 3], winner=2)
    (row,) = shown.history(archive_pb2.HistoryResponse(rows=[match]), FOUR[0], NAMES).rows
    assert row.seats[0] == wire.Seat("person", NAMES[FOUR[0]], stand_in="simple")
    assert {seat.kind for seat in row.seats[1:]} == {"empty"}
    assert (row.ended, row.winner, row.partner) == (None, None, "")


def test_at_a_championship_people_are_animals_also_to_themselves() -> None:
    replay = shown.replay(official(7).replay(FOUR[1]), FOUR[1], NAMES)
    assert (replay.championship, replay.me) == (CHAMPIONSHIP, 1)
    assert all(seat.animal and not seat.name for seat in replay.seats)


@pytest.mark.parametrize(
    ("words", "codes", "unsaid"),
    [
        (get_args(shapes.Kind), archive_pb2.Kind, 1),
        (get_args(shapes.Actor), log_pb2.Actor, 2),
        (get_args(wire.Level), table_pb2.BotLevel, 1),
        (get_args(wire.Opening), rules_pb2.Opening, 1),
        (get_args(wire.End), rules_pb2.End, 1),
        (get_args(wire.Reason), rules_pb2.Reason, 1),
        (get_args(wire.CallKind), rules_pb2.CallKind, 1),
    ],
)
def test_every_code_has_a_word(words: tuple[str, ...], codes: EnumTypeWrapper, unsaid: int) -> None:
    # Left unsaid: that nothing is specified, and the operator, who moves no tile.
    assert len(words) == len(codes.items()) - unsaid


def test_a_deal_is_told_as_the_tiles_of_its_mask() -> None:
    assert spell.tiles(0b1011) == ((0, 0), (0, 1), (0, 2))
