"""The order of the tiles: as documented to the byte, and without favour."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_table.domain.shuffle import SEED_BYTES, commitment, deal_order

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "tests" / "vectors" / "fair-deal.json").read_text())
SEEDS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["seed"][:8])
def test_vectors(vector: dict[str, object]) -> None:
    seed = bytes.fromhex(str(vector["seed"]))
    assert commitment(seed).hex() == vector["commitment"]
    assert list(deal_order(seed)) == vector["order"]


def test_the_page_shows_the_first_vector() -> None:
    page = (ROOT / "docs" / "fair-deal.md").read_text()
    first = VECTORS["vectors"][0]
    assert first["commitment"] in page
    assert " ".join(map(str, first["order"])) in page


@given(SEEDS)
def test_each_order_is_the_whole_set(seed: bytes) -> None:
    assert sorted(deal_order(seed)) == list(range(28))


@given(SEEDS)
def test_the_order_is_what_the_page_says(seed: bytes) -> None:
    """The page's steps, written down once more in another way."""
    stream = b"".join(
        sha256(b"laelo deal 1" + seed + bytes((0, 0, 0, block))).digest() for block in range(8)
    )
    order, position = list(range(28)), 0
    for count in range(28, 1, -1):
        while stream[position] >= 256 // count * count:
            position += 1
        chosen = stream[position] % count
        position += 1
        order[count - 1], order[chosen] = order[chosen], order[count - 1]
    assert list(deal_order(seed)) == order


def test_each_tile_comes_to_each_place_as_often() -> None:
    """Chi-squared over 28 x 28 cells; the bound is met by fair shuffles but once in a million."""
    deals = 5_000
    counts = [[0] * 28 for _ in range(28)]
    for number in range(deals):
        for place, tile in enumerate(deal_order(number.to_bytes(SEED_BYTES, "big"))):
            counts[place][tile] += 1
    expected = deals / 28
    chi_squared = sum((n - expected) ** 2 / expected for row in counts for n in row)
    assert chi_squared < 27 * 27 + 5 * (2 * 27 * 27) ** 0.5
