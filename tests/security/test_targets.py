"""Every decoder stands any bytes: some here each time, as many as one likes by `make fuzz`."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.security.hostile.values import damaged
from tests.security.targets import SEEDS, TARGETS, seeds

GOOD = {name: list(seeds(name)) for name in TARGETS}


@pytest.mark.parametrize("name", TARGETS)
def test_it_takes_what_is_good(name: str) -> None:
    for seed in GOOD[name]:
        TARGETS[name](seed)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_it_takes_any_bytes(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=50)
@given(st.integers(0, SEEDS - 1), st.randoms(use_true_random=False))
def test_it_takes_what_was_good(name: str, which: int, chance: Random) -> None:
    TARGETS[name](damaged(GOOD[name][which], chance))


def test_the_seeds_are_small() -> None:
    assert sum(len(seed) for name in TARGETS for seed in seeds(name)) < 200_000
