"""What is written as text has the bytes that the structs of the wire would have."""

from collections.abc import Callable

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_common.wire import table as wire
from laelo_common.wire.server import EventFrame
from laelo_table.domain import spell, text
from laelo_table.domain.view import frames

from .kit import Game, lively_match, random_match

SEATS = st.integers(0, 3)
TILES = st.integers(0, 27)
NUMBERS = st.integers(0, 6)
KINDS = st.sampled_from([kind for kind in rules_pb2.CallKind.values() if kind])
CALLS = st.lists(st.builds(rules_pb2.Call, kind=KINDS, number=NUMBERS, low=NUMBERS), max_size=3)
CODES = st.builds(lambda tile, ends: tile | ends << 5, TILES, st.integers(0, 3))


@st.composite
def plays(draw: st.DrawFn) -> events_pb2.Played:
    """A tile that was laid somewhere."""
    after = rules_pb2.State(left=draw(NUMBERS), right=draw(NUMBERS))
    end = rules_pb2.End.ValueType(draw(st.integers(0, 2)))
    return events_pb2.Played(
        seat=draw(SEATS), tile=draw(TILES), end=end, calls=draw(CALLS), after=after
    )


@given(plays(), st.booleans())
def test_a_tile(event: events_pb2.Played, by_clock: bool) -> None:
    shape = wire.Played(
        seat=event.seat,
        tile=spell.TILES[event.tile],
        ends=(event.after.left, event.after.right),
        calls=tuple(spell.call(call.kind, call.number, call.low) for call in event.calls),
        end=spell.ENDS[event.end],
        by_clock=by_clock,
    )
    assert text.played(event, by_clock=by_clock) == text.spelled(shape)


@given(SEATS, st.booleans())
def test_a_pass(seat: int, by_clock: bool) -> None:
    event = events_pb2.Passed(seat=seat)
    assert text.passed(event, by_clock=by_clock) == text.spelled(wire.Passed(seat, by_clock))


@given(
    st.builds(
        events_pb2.TurnBegan,
        seat=SEATS,
        choosing=st.booleans(),
        plays=st.lists(CODES, max_size=6).map(bytes),
        must_pass=st.booleans(),
    ),
    st.integers(1, 2**53),
    st.none() | st.integers(0, 600_000),
    st.booleans(),
)
def test_a_turn(begun: events_pb2.TurnBegan, number: int, left_ms: int | None, own: bool) -> None:
    shape = wire.Turn(
        seat=begun.seat,
        turn=number,
        choosing=begun.choosing,
        ms=left_ms,
        plays=spell.plays(begun.plays) if own else (),
        must_pass=own and begun.must_pass,
    )
    assert text.turn(begun, number, left_ms, own=own) == text.spelled(shape)


@given(
    st.sampled_from((random_match, lively_match)),
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.sampled_from((0, 15)),
)
@settings(max_examples=20, deadline=None)
def test_every_frame_of_a_match(
    played: Callable[[int, int, int], Game], seed: int, people: int, clock: int
) -> None:
    game = played(seed, people, clock)
    for commit, after in zip(game.commits, game.states[1:], strict=True):
        for shown in frames(commit, after):
            assert msgspec.json.encode(msgspec.json.decode(shown.frame, type=EventFrame)) == (
                shown.frame
            )
