"""Turns are stored and read back as they were."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_archive.domain.turns import NO_TILE, Turn, pack, unpack

CALLS = st.tuples(st.integers(1, 12), st.integers(0, 500), st.integers(0, 6))
TILES = st.tuples(st.integers(0, 27), st.integers(0, 2)) | st.just((NO_TILE, 0))
TURNS = st.builds(
    lambda laid, **fields: Turn(tile=laid[0], end=laid[1], **fields),
    laid=TILES,
    seat=st.integers(0, 3),
    actor=st.integers(0, 4),
    short=st.booleans(),
    choices=st.integers(0, 6),
    left=st.integers(0, 7),
    right=st.integers(0, 7),
    after_ms=st.integers(0, 2**32 - 1),
    calls=st.lists(CALLS, max_size=3).map(tuple),
)


@given(st.lists(TURNS, max_size=50))
def test_turns_come_back_as_they_were(turns: list[Turn]) -> None:
    packed = b"".join(map(pack, turns))
    assert list(unpack(packed)) == turns
    assert len(packed) == 14 * len(turns)


def test_times_that_make_no_sense_are_brought_into_bounds() -> None:
    turn = Turn(0, 1, 1, 1, False, 1, 0, 0, 0, ())
    for wrong, right in ((-5, 0), (2**40, 2**32 - 1)):
        (found,) = unpack(pack(turn._replace(after_ms=wrong)))
        assert found.after_ms == right


def test_more_calls_than_there_can_be_are_an_error() -> None:
    with pytest.raises(ValueError, match="4 calls"):
        pack(Turn(0, 1, 1, 1, False, 1, 0, 0, 0, ((1, 1, 0),) * 4))


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat": 4},
        {"tile": 29},
        {"end": 3},
        {"actor": 8},
        {"choices": 256},
        {"left": 16},
        {"right": 16},
    ],
)
def test_what_there_is_no_room_for_is_an_error_and_no_other_turn(wrong: dict[str, Any]) -> None:
    turn = Turn(0, 1, 1, 1, False, 1, 0, 0, 0, ())
    with pytest.raises(ValueError, match="cannot be kept"):
        pack(turn._replace(**wrong))
