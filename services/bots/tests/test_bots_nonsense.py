"""A view that cannot be one of a real hand is refused, with words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_bots.domain.levels import Level, think
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.search import Limits
from laelo_bots.domain.view import NO_TILE, NOBODY, PASS, Nonsense, Opening, View
from laelo_rules.engine import mask_of, tile_id


def tile(low: int, high: int) -> int:
    number = tile_id(low, high)
    assert number is not None
    return number


HAND = mask_of([tile(0, 1), tile(0, 2), tile(3, 3), tile(4, 5), tile(1, 6), tile(2, 6)])
FIRST = View(seat=0, hand=HAND, opener=0, opening=Opening.FIRST, turns=b"", must_open=tile(3, 3))
FREE = FIRST._replace(opening=Opening.WON, must_open=NO_TILE)
SECOND = FREE._replace(opener=3, turns=bytes([tile(6, 6)]))
"""Seat 3 has opened with 6|6, seat 0 is on turn."""
LEFT, RIGHT = 32, 64
WITH_BLANK = mask_of([tile(0, number) for number in range(1, 7)])
NO_WORLD = FREE._replace(
    hand=mask_of([tile(0, 1), tile(0, 2), tile(1, 1), tile(3, 3)]),
    turns=bytes(
        [
            *(tile(5, 6), PASS, tile(4, 5) + LEFT, tile(3, 6) + RIGHT),
            *(tile(4, 4) + LEFT, PASS, PASS, PASS),
        ]
    ),
)
"""Seat 1 has passed on 3 to 6, and so can hold 0|0, 1|2 and 2|2; it holds six tiles."""


@pytest.mark.parametrize(
    "view",
    [
        FIRST,
        FREE,
        SECOND,
        FREE._replace(opener=NOBODY),
        SECOND._replace(opening=Opening.TIE),
        SECOND._replace(opener=2, turns=bytes([tile(6, 6), PASS])),
        SECOND._replace(opener=2, turns=bytes([tile(6, 6), tile(4, 6) + LEFT])),
    ],
)
def test_sensible_views_are_read(view: View) -> None:
    assert isinstance(read(view), Position)


@pytest.mark.parametrize(
    ("view", "reason"),
    [
        (FIRST._replace(seat=4), "seat 4 is not 0-3"),
        (FIRST._replace(hand=0), "hand 0"),
        (FIRST._replace(hand=1 << 28), "28 tiles"),
        (FIRST._replace(opening=0), "opening 0"),
        (FIRST._replace(opener=5), "opener 5"),
        (FIRST._replace(must_open=29), "tile 29"),
        (FIRST._replace(multiplier=0), "0 times"),
        (FIRST._replace(score_us=6), "6 to 0"),
        (FIRST._replace(target=0), "0 to 0"),
        (FIRST._replace(opener=NOBODY), "only to be chosen"),
        (SECOND._replace(opener=NOBODY), "only to be chosen"),
        (FIRST._replace(must_open=NO_TILE), "highest double of the opener"),
        (FIRST._replace(must_open=tile(6, 6)), "highest double of the opener"),
        (FREE._replace(must_open=tile(3, 3)), "any tile may open"),
        (FIRST._replace(opener=3), "not on turn"),
        (FREE._replace(hand=mask_of([0, 1, 3])), "must hold 6 tiles, not 3"),
        (SECOND._replace(turns=bytes([PASS])), "the opener never passes"),
        (SECOND._replace(turns=bytes([tile(6, 6) + LEFT])), "has no end"),
        (SECOND._replace(turns=bytes([tile(5, 6)]), opening=Opening.FIRST), "highest double"),
        (SECOND._replace(must_open=tile(5, 5)), f"tile {tile(5, 5)} had to open"),
        (SECOND._replace(turns=bytes([28])), "turn 1 is coded 28"),
        (SECOND._replace(turns=bytes([tile(6, 6), tile(5, 6) + LEFT + RIGHT])), "turn 2 is coded"),
        (SECOND._replace(turns=bytes([tile(6, 6), 200])), "turn 2 is coded 200"),
        (SECOND._replace(opener=2, turns=bytes([tile(6, 6), tile(4, 4) + LEFT])), "does not fit"),
        (SECOND._replace(opener=2, turns=bytes([tile(6, 6), tile(4, 6)])), "does not fit"),
        (SECOND._replace(opener=2, turns=bytes([tile(6, 6), tile(6, 6) + LEFT])), "laid before"),
        (SECOND._replace(opener=2, turns=bytes([tile(6, 6), tile(1, 6) + LEFT])), "in the hand"),
        (
            SECOND._replace(
                opener=2,
                turns=bytes([tile(6, 6), PASS, PASS, PASS, tile(5, 6) + LEFT, tile(4, 6) + RIGHT]),
            ),
            "turn 6: seat 3 lays tile",
        ),
        (
            SECOND._replace(turns=bytes([tile(6, 6), PASS, PASS, PASS, tile(5, 6) + LEFT])),
            "fitted when the seat passed",
        ),
        (NO_WORLD, "no hands of the others"),
        (
            SECOND._replace(opening=Opening.FIRST, turns=bytes([tile(0, 0)]), hand=WITH_BLANK),
            "no hands of the others",
        ),
    ],
)
def test_nonsense_is_named(view: View, reason: str) -> None:
    wrong = read(view)
    assert isinstance(wrong, Nonsense)
    assert reason in wrong.reason


def test_a_blocked_hand_is_over() -> None:
    hand = mask_of([tile(0, 1), tile(0, 2), tile(3, 3), tile(4, 5), tile(1, 1), tile(2, 2)])
    view = FREE._replace(hand=hand, opener=1, turns=bytes([tile(6, 6), *[PASS] * 6]))
    assert read(view) == Nonsense("nothing fits any more, so the hand is over")


views: Any = st.builds(
    View,
    seat=st.integers(0, 5),
    hand=st.integers(0, 2**28),
    opener=st.integers(0, 5),
    opening=st.integers(0, 4),
    turns=st.binary(max_size=40),
    must_open=st.integers(0, 30),
    multiplier=st.integers(0, 3),
)


@given(view=views, level=st.sampled_from(Level))
def test_whatever_comes_is_read_or_refused(view: View, level: Level) -> None:
    position = read(view)
    if isinstance(position, Nonsense):
        assert position.reason
    else:
        think(position, level, 0, Limits(worlds=2))
