"""How many sequences of moves there are from fixed deals, by their length.

A tile that fits both ends counts twice, also if both ends show the same number. Engine and
naive rules have counted all the numbers of `perft.json`; one wrong tile anywhere changes them.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from laelo_rules.engine import TILES, Outcome, State, deal, judge

from . import naive
from .strategies import legal_moves

Golden = dict[str, Any]

GOLDEN: list[Golden] = json.loads(Path(__file__).with_name("perft.json").read_text())
ENGINE_NODES, NAIVE_NODES = 40_000, 12_000


def perft(state: State, depth: int) -> int:
    moves = legal_moves(state)
    if depth == 1:
        return len(moves)
    outcomes = (judge(state, move) for move in moves)
    return sum(perft(out.state, depth - 1) for out in outcomes if isinstance(out, Outcome))


def counts_up_to(golden: Golden, nodes: int) -> list[int]:
    return [count for count in golden["nodes"] if count <= nodes]


by_deal = pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["title"])


@by_deal
def test_engine_counts(golden: Golden) -> None:
    state = deal(golden["order"], golden["winner"])
    assert isinstance(state, State)
    counts = counts_up_to(golden, ENGINE_NODES)
    assert [perft(state, depth + 1) for depth in range(len(counts))] == counts


@by_deal
def test_naive_rules_count_the_same(golden: Golden) -> None:
    game = naive.Game()
    game.deal([TILES[tile] for tile in golden["order"]], golden["winner"])
    counts = counts_up_to(golden, NAIVE_NODES)
    assert [naive.perft(game, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.slow
def test_engine_counts_every_number() -> None:
    for golden in GOLDEN:
        state = deal(golden["order"], golden["winner"])
        assert isinstance(state, State)
        assert perft(state, len(golden["nodes"])) == golden["nodes"][-1]
