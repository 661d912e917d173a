"""The draw: as documented to the byte, everybody in one team, and without favour."""

import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.ids import is_id
from laelo_tournament.domain.animals import ANIMALS
from laelo_tournament.domain.draw import SEED_BYTES, Drawn, commitment, draw
from laelo_tournament.domain.tables import table_of

from tests.faults.chance import chi_squared, probability

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "fair-draw.md").read_text(encoding="utf-8")
VECTORS = json.loads((ROOT / "tests" / "vectors" / "fair-draw.json").read_text(encoding="utf-8"))
SEEDS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
PLAYERS = st.sampled_from([8, 16, 32]).flatmap(
    lambda count: st.lists(st.text(max_size=4), min_size=count, max_size=count, unique=True)
)
LEAST_P = 0.001

ItemT = TypeVar("ItemT")


def names(count: int) -> list[str]:
    return [f"p{number}" for number in range(1, count + 1)]


def fixed_seed(number: int) -> bytes:
    return sha256(f"laelo draw {number}".encode()).digest()


@given(SEEDS, PLAYERS)
def test_everybody_is_in_one_team_and_a_different_animal(seed: bytes, players: list[str]) -> None:
    drawn = draw(seed, players)
    assert len(drawn) == len(players) // 2
    assert sorted(player for team in drawn for player in team.players) == sorted(players)
    animals = [animal for team in drawn for animal in team.animals]
    assert len(set(animals)) == len(players)
    assert set(animals) <= set(ANIMALS)


@given(SEEDS, PLAYERS)
def test_the_draw_is_what_the_page_says(seed: bytes, players: list[str]) -> None:
    """The page's steps, written down once more in another way."""
    stream = list(
        b"".join(sha256(b"laelo draw 1" + seed + bytes((0, 0, 0, i))).digest() for i in range(12))
    )
    seated = taken_out(players, stream)
    animals = taken_out(animals_of_the_page(), stream)
    teams = [
        Drawn((seated[2 * i - 2], seated[2 * i - 1]), (animals[2 * i - 2], animals[2 * i - 1]))
        for i in range(1, len(players) // 2 + 1)
    ]
    assert draw(seed, players) == teams


def taken_out(items: list[ItemT], stream: list[int]) -> list[ItemT]:
    """Fill the places from the last: a random item each, whose gap the last item fills."""
    left, order = list(items), []
    while len(left) > 1:
        byte = stream.pop(0)
        while byte // len(left) == 256 // len(left):
            byte = stream.pop(0)
        gap = byte % len(left)
        last = left.pop()
        order.append(last if gap == len(left) else left[gap])
        if gap < len(left):
            left[gap] = last
    return [*left, *reversed(order)]


def animals_of_the_page() -> list[str]:
    part = PAGE.partition("- **Animals.**")[2].partition("With another list")[0]
    return re.findall(r"`([a-z-]+)`", part)


def test_the_animals_are_those_of_the_page() -> None:
    assert animals_of_the_page() == list(ANIMALS) == VECTORS["animals"]
    assert list(ANIMALS) == sorted(set(ANIMALS))
    assert len(ANIMALS) >= 32


@given(SEEDS, PLAYERS)
def test_the_animals_of_a_place_do_not_depend_on_who_is_in_it(
    seed: bytes, players: list[str]
) -> None:
    others = draw(seed, names(len(players)))
    assert [team.animals for team in draw(seed, players)] == [team.animals for team in others]


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda v: v["commitment"][:6])
def test_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert commitment(seed).hex() == vector["commitment"]
    assert [
        {"players": list(team.players), "animals": list(team.animals)}
        for team in draw(seed, vector["players"])
    ] == vector["teams"]


def test_the_page_shows_the_first_vector() -> None:
    first = VECTORS["vectors"][0]
    assert first["commitment"] in PAGE
    for number, team in enumerate(first["teams"], start=1):
        (one, other), (animal, second) = team["players"], team["animals"]
        assert f"- team {number}: `{one}` as `{animal}`, `{other}` as `{second}`" in PAGE


def test_ten_thousand_draws_have_the_digest_of_the_vectors() -> None:
    many = VECTORS["many"]
    digest = sha256()
    for number in range(many["count"]):
        players = names((8, 16, 32)[number % 3])
        for team in draw(fixed_seed(number), players):
            digest.update(f"{' '.join((*team.players, *team.animals))}\n".encode())
    assert digest.hexdigest() == many["digest"]


# Without favour. The seeds are fixed, so these say the same every time.


def test_everybody_comes_to_every_place_equally_often() -> None:
    counts = [[0] * 8 for _ in range(8)]
    for number in range(10_000):
        drawn = draw(fixed_seed(number), names(8))
        for place, player in enumerate(p for team in drawn for p in team.players):
            counts[place][int(player[1:]) - 1] += 1
    # Both sums of rows and of columns are given.
    assert probability(chi_squared(counts), 7 * 7) > LEAST_P


def test_everybody_gets_every_partner_equally_often() -> None:
    pairs = Counter(
        frozenset(team.players)
        for number in range(5_000)
        for team in draw(fixed_seed(number), names(32))
    )
    assert len(pairs) == 32 * 31 // 2
    # Each of 32 players has one partner in a draw, so as many sums are given.
    assert probability(chi_squared([list(pairs.values())]), len(pairs) - 32) > LEAST_P


def test_every_place_gets_every_animal_equally_often() -> None:
    counts = [[0] * len(ANIMALS) for _ in range(32)]
    for number in range(5_000):
        drawn = draw(fixed_seed(number), names(32))
        for place, animal in enumerate(a for team in drawn for a in team.animals):
            counts[place][ANIMALS.index(animal)] += 1
    assert probability(chi_squared(counts), 32 * (len(ANIMALS) - 1)) > LEAST_P


# Tables.


@pytest.mark.parametrize("vector", VECTORS["tables"], ids=lambda v: v["table"])
def test_vectors_of_tables(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert table_of(seed, vector["championship"], vector["match"]) == vector["table"]


@given(SEEDS)
def test_each_match_has_a_table_of_its_own(seed: bytes) -> None:
    places = [(name, match) for name in ("A", "B") for match in ("W1-1", "W1-2", "F1", "F2")]
    tables = [table_of(seed, name, match) for name, match in places]
    assert len(set(tables)) == len(tables)
    assert all(is_id(table) for table in tables)
