"""Pairs in several processes, each with players of its own; results as they come."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from typing import Final, NamedTuple

from .deals import Chance
from .match import Pair, play_pair
from .named import maker_of
from .players import Player, PlayerError

CHUNK: Final = 4
"""Pairs that a process plays before it tells of them."""
AHEAD: Final = 2
"""Chunks for each process that wait to be played."""


class Duel(NamedTuple):
    """What is to be played."""

    first: str
    second: str
    pairs: int
    seed: int = 1
    processes: int = 1


def play(duel: Duel) -> Iterator[Pair]:
    """All pairs, in any order. Raises PlayerError."""
    numbers = range(duel.pairs)
    if duel.processes == 1:
        yield from _played(_players(duel), duel.seed, numbers)
        return
    with ProcessPoolExecutor(
        duel.processes, multiprocessing.get_context("spawn"), _set_up, (duel,)
    ) as pool:
        chunks = iter([numbers[at : at + CHUNK] for at in range(0, duel.pairs, CHUNK)])
        running = {
            pool.submit(_play_chunk, chunk) for chunk in islice(chunks, AHEAD * duel.processes)
        }
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(_play_chunk, one) for one in islice(chunks, len(done))}
                for future in done:
                    yield from future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _players(duel: Duel) -> list[Player]:
    first = maker_of(duel.first)()
    try:
        return [first, maker_of(duel.second)()]
    except PlayerError:
        first.close()
        raise


def _played(players: list[Player], seed: int, numbers: range) -> Iterator[Pair]:
    try:
        for number in numbers:
            yield play_pair(players, Chance(seed, number))
    finally:
        for player in players:
            player.close()


class _Process:
    """What a process of the pool keeps from one chunk to the next. Its players end with it: an
    outside program sees the end of its input.
    """

    players: list[Player]
    seed: int


def _set_up(duel: Duel) -> None:
    _Process.players, _Process.seed = _players(duel), duel.seed


def _play_chunk(numbers: range) -> list[Pair]:
    return [play_pair(_Process.players, Chance(_Process.seed, number)) for number in numbers]
