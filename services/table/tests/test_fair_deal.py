"""The order of the tiles: as documented to the byte, and without favour."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_table.domain.shuffle import ADDED_BYTES, SEED_BYTES, commitment, deal_order

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "tests" / "vectors" / "fair-deal.json").read_text())
SEEDS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
ADDED = st.dictionaries(
    st.integers(0, 3), st.binary(min_size=ADDED_BYTES, max_size=ADDED_BYTES), max_size=4
)


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=str)
def test_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    added = {one["seat"]: bytes.fromhex(one["bytes"]) for one in vector["added"]}
    assert commitment(seed).hex() == vector["commitment"]
    assert list(deal_order(seed, added)) == vector["order"]


@pytest.mark.parametrize("vector", VECTORS["vectors_1"], ids=str)
@pytest.mark.parametrize("method", [0, 1])
def test_vectors_of_deals_without_added_bytes(method: int, vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert commitment(seed).hex() == vector["commitment"]
    assert list(deal_order(seed, {}, method)) == vector["order"]


def test_a_method_of_the_future_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="method 3"):
        deal_order(bytes(SEED_BYTES), {}, 3)


def test_the_page_shows_the_first_vector() -> None:
    page = (ROOT / "docs" / "fair-deal.md").read_text()
    first = VECTORS["vectors"][0]
    assert first["commitment"] in page
    assert " ".join(map(str, first["order"])) in page


@given(SEEDS, ADDED)
def test_each_order_is_the_whole_set(seed: bytes, added: dict[int, bytes]) -> None:
    assert sorted(deal_order(seed, added)) == list(range(28))


@given(SEEDS, ADDED, ADDED)
def test_whoever_adds_something_else_gets_another_deal(
    seed: bytes, added: dict[int, bytes], others: dict[int, bytes]
) -> None:
    assert (deal_order(seed, added) == deal_order(seed, others)) == (added == others)


@given(SEEDS, ADDED)
def test_the_order_is_what_the_page_says(seed: bytes, added: dict[int, bytes]) -> None:
    """The page's steps, written down once more in another way."""
    start = b"laelo deal 2" + seed
    for seat in range(4):
        if seat in added:
            start += bytes((seat,)) + added[seat]
    stream = b"".join(sha256(start + bytes((0, 0, 0, block))).digest() for block in range(8))
    order, position = list(range(28)), 0
    for count in range(28, 1, -1):
        while stream[position] >= 256 // count * count:
            position += 1
        chosen = stream[position] % count
        position += 1
        order[count - 1], order[chosen] = order[chosen], order[count - 1]
    assert list(deal_order(seed, added)) == order


def test_each_tile_comes_to_each_place_as_often() -> None:
    """Chi-squared over 28 x 28 cells; the bound is met by fair shuffles but once in a million."""
    deals = 5_000
    counts = [[0] * 28 for _ in range(28)]
    for number in range(deals):
        for place, tile in enumerate(deal_order(number.to_bytes(SEED_BYTES, "big"), {})):
            counts[place][tile] += 1
    expected = deals / 28
    chi_squared = sum((n - expected) ** 2 / expected for row in counts for n in row)
    assert chi_squared < 27 * 27 + 5 * (2 * 27 * 27) ** 0.5


def made_up(number: int) -> tuple[bytes, dict[int, bytes]]:
    """Seed and added bytes of the deal of that number; the page's tests make up the same."""
    added = {
        seat: sha256(f"laelo deal {number} seat {seat}".encode()).digest()[:ADDED_BYTES]
        for seat in range(4)
        if number >> seat & 1
    }
    return sha256(f"laelo deal {number}".encode()).digest(), added


def test_ten_thousand_deals_are_those_of_the_page() -> None:
    """The vectors hold the digest of all orders: here and in web/test it has to come out."""
    many = VECTORS["many"]
    orders = b"".join(deal_order(*made_up(number)) for number in range(many["count"]))
    assert sha256(orders).hexdigest() == many["digest"]
