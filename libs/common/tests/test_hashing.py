"""Homes: the same for everybody, evenly spread, and moved as little as can be."""

import subprocess
import sys
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from laelo_common.hashing import home, home_order

names = st.frozensets(st.text(min_size=1), max_size=6)


@given(st.text(), names)
def test_the_order_has_every_replica_once(key: str, replicas: frozenset[str]) -> None:
    order = home_order(key, replicas)
    assert len(order) == len(replicas)
    assert set(order) == replicas


@given(st.text(), names, st.text(min_size=1))
def test_a_replica_that_leaves_moves_nothing_else(
    key: str, replicas: frozenset[str], extra: str
) -> None:
    without = [name for name in home_order(key, replicas | {extra}) if name != extra]
    assert without == list(home_order(key, replicas - {extra}))


def test_tables_are_spread_evenly() -> None:
    replicas = frozenset({"10.0.0.1:7002", "10.0.0.2:7002", "10.0.0.3:7002"})
    homes = Counter(home(f"table-{number}", replicas) for number in range(6000))
    assert set(homes) == replicas
    # Six standard deviations of 6000 throws.
    assert all(abs(count - 2000) < 220 for count in homes.values())


def test_second_choices_are_spread_too() -> None:
    replicas = frozenset("abcd")
    pairs = Counter(home_order(f"table-{number}", replicas)[:2] for number in range(6000))
    assert len(pairs) == 12
    assert min(pairs.values()) > 350


def test_every_process_finds_the_same_home() -> None:
    code = (
        "from laelo_common.hashing import home_order;"
        "print([home_order(str(n), frozenset('abc')) for n in range(20)])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str([home_order(str(n), frozenset("abc")) for n in range(20)])


def test_known_homes_stay_where_they_are() -> None:
    # Other values would move every table at the next rollout.
    replicas = frozenset({"a:1", "b:1", "c:1"})
    assert [home_order(key, replicas) for key in ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "table", "é")] == [
        ("a:1", "b:1", "c:1"),
        ("c:1", "a:1", "b:1"),
        ("b:1", "c:1", "a:1"),
    ]


def test_without_replicas_nothing_is_at_home() -> None:
    assert home("x", frozenset()) is None
