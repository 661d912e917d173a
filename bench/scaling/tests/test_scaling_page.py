"""docs/scaling.md says what was measured, and the plan behind it is a sensible one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scaling.measured import SERVICES, Cost, Measured, read
from bench.scaling.page import PAGE, written
from bench.scaling.plan import BUSY, LEAST, limits, need


def measured(light_us: float = 500.0, full_us: float = 80.0) -> Measured:
    return Measured(
        machine="a machine",
        light={name: Cost(250.0, light_us) for name in SERVICES},
        full={name: Cost(3000.0, full_us) for name in SERVICES},
        nats_us=(100.0, 30.0),
        table_kb=dict.fromkeys(SERVICES, 50.0),
        synced_moves=2000.0,
        synced_us=(400.0, 300.0),
        log_bytes=500.0,
        copy_bytes=470.0,
        archive_rate=20_000.0,
        archive_us=24.0,
        client_ms=5.0,
    )


def test_the_page_has_the_tables_that_the_figures_make() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert written(text, read()) == text, "python -m bench.scaling writes it anew"


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="costs"):
        written("# Scaling\n", measured())


@given(st.floats(0.1, 10_000))
def test_a_cost_lies_between_the_two_that_were_measured(rate: float) -> None:
    assert 80.0 <= measured().cost("table", rate) <= 500.0


@given(st.integers(1, 200_000), st.floats(100, 2_000), st.floats(20, 100))
def test_no_process_is_busier_than_planned(tables: int, light: float, full: float) -> None:
    found = need(tables, measured(light, full))
    for name in SERVICES:
        assert found.cores[name] / found.processes[name] <= BUSY + 1e-9
        assert found.processes[name] >= LEAST


@given(st.integers(1, 100_000))
def test_more_tables_never_need_less(tables: int) -> None:
    one, two = need(tables, measured()), need(2 * tables, measured())
    assert all(one.processes[name] <= two.processes[name] for name in SERVICES)
    assert one.streams <= two.streams
    assert one.archives <= two.archives


def test_what_one_carries_fits_into_one_and_a_little_more_does_not() -> None:
    figures = measured()
    carried = {limit.part: limit.tables for limit in limits(figures)}
    moves = carried["table"] / 3.0
    assert moves * figures.cost("table", moves) / 1e6 <= BUSY
    moves *= 1.01
    assert moves * figures.cost("table", moves) / 1e6 > BUSY
