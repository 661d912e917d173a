"""All times of play at a table may be shorter, where the house runs for development."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.settings import SettingsError
from laelo_table.domain.commands import GiveBack, StartByItself
from laelo_table.domain.state import Phase, phase_of
from laelo_table.domain.turns import clock_ms, scaled
from laelo_table.domain.view import view
from laelo_table.settings import TableSettings

from .kit import Game, drawn_match

SCALES = st.floats(0.001, 1)


@given(st.integers(0, 10**6), SCALES)
def test_nothing_gets_longer_and_nothing_vanishes(milliseconds: int, scale: float) -> None:
    lasts = scaled(milliseconds, scale)
    assert abs(lasts - milliseconds * scale) <= 1
    assert 0 <= lasts <= milliseconds
    assert (lasts == 0) == (milliseconds == 0)
    assert scaled(milliseconds, 1.0) == milliseconds


@given(st.integers(0, 2**32), SCALES)
@settings(max_examples=10, deadline=None)
def test_a_scaled_match_is_the_same_but_for_its_times(seed: int, scale: float) -> None:
    """Every deadline of a turn or a pause lies as many times nearer."""
    game = drawn_match(seed, scale=scale)
    assert game.state.scale == scale
    for before, commit, after in zip(game.states, game.commits, game.states[1:], strict=False):
        if commit.head.turn != commit.head.version or after.version == 1:
            continue
        lasts = commit.head.deadline_ms - commit.head.time_ms
        if after.begun is not None:
            assert lasts == clock_ms(15, scale, short=after.begun.short_clock)
        elif phase_of(after) is Phase.MATCH_OVER:
            assert lasts == scaled(60_000, scale)
        else:
            first = before.match != after.match
            assert lasts == scaled(1_500 if first else 6_000, scale)


def test_others_see_the_long_clock_scaled() -> None:
    game = Game(random.Random(4), scale=0.1).open_match().begin_match()
    while not (game.state.begun and game.state.begun.short_clock):
        game.step()
    seat, now_ms = game.state.begun.seat, game.state.turn_ms
    shown = [view(game.state, viewer, now_ms).turn for viewer in range(5)]
    assert [turn.ms for turn in shown if turn] == [
        300 if viewer == seat else 1_500 for viewer in range(5)
    ]


def test_what_is_given_back_is_scaled() -> None:
    game = Game(scale=0.1).open_match().begin_match()
    game.now_ms = game.state.deadline_ms + 40
    game.must(GiveBack(game.state.turn, game.state.deadline_ms))
    assert game.state.deadline_ms == game.now_ms + 300


def test_a_table_keeps_the_scale_that_it_was_opened_with() -> None:
    game = Game(scale=0.1).open(4, move_seconds=20)
    assert game.commits[0].events[0].opened.clock_scale == 0.1
    game.scale = 1.0
    game.start()
    assert game.state.begun is not None
    lasts = game.state.deadline_ms - game.state.turn_ms
    assert lasts == (300 if game.state.begun.short_clock else 2_000)


def test_a_moment_that_is_named_is_not_scaled() -> None:
    game = Game(scale=0.01).open_match(starts_ms=15_000)
    assert game.state.deadline_ms == game.now_ms + 15_000
    game.now_ms = game.state.deadline_ms
    game.must(StartByItself(1))
    assert game.state.deadline_ms == game.now_ms + 15


def test_a_table_without_a_clock_has_none() -> None:
    game = Game(scale=0.1).open(4).start()
    assert game.state.deadline_ms == 0
    assert game.do(game.ask(table_pb2.KIND_PASS, "eve")) is not None


def test_times_other_than_the_rules_need_local_mode() -> None:
    needed: dict[str, Any] = {"rules_addresses": "x:1", "bots_addresses": "x:1"}
    assert TableSettings(**needed, clock_scale=0.1, local=True).clock_scale == 0.1
    with pytest.raises(SettingsError, match="LAELO_TABLE_CLOCK_SCALE"):
        TableSettings(**needed, clock_scale=0.1)
