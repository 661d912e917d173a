"""Who was shown what: a commit that is gone, or is another one, is named."""

import json

from hypothesis import given
from hypothesis import strategies as st
from laelo.table.v1 import events_pb2
from laelo_common.log import Recorded
from laelo_rules.engine import TILES
from laelo_tools.load.meter import Meter

from tests.durability.witness import SeenTable


def frame(seat: int, tile: int) -> bytes:
    event = {"k": "played", "seat": seat, "tile": TILES[tile]}
    return json.dumps({"t": "event", "d": {"events": [{"k": "turn"}, event]}}).encode()


def commit(seat: int, tile: int) -> Recorded:
    played = events_pb2.Played(seat=seat, tile=tile)
    whole = events_pb2.Commit(events=[events_pb2.Event(played=played)])
    return Recorded(1, "", whole.SerializeToString(), 0)


async def seen(moves: list[tuple[int, int]]) -> SeenTable:
    table = SeenTable("ws://nowhere/ws", Meter(), 1)
    for number, move in enumerate(moves, 1):
        table.has(number, frame(*move))
    return table


MOVES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 27)), min_size=1, max_size=20)


@given(MOVES)
async def test_what_is_stored_as_it_was_shown_is_not_missing(moves: list[tuple[int, int]]):
    stored = [commit(*move) for move in moves]
    assert (await seen(moves)).missing([*stored, commit(0, 0)]) == []


@given(MOVES, st.data())
async def test_what_is_gone_or_another_is_named(moves: list[tuple[int, int]], data: st.DataObject):
    stored = [commit(*move) for move in moves]
    place = data.draw(st.integers(0, len(moves) - 1))
    seat, tile = moves[place]
    stored[place] = commit((seat + 1) % 4, tile)
    kept = data.draw(st.integers(place + 1, len(moves)))
    missing = (await seen(moves)).missing(stored[:kept])
    assert [one.version for one in missing] == [place + 1, *range(kept + 1, len(moves) + 1)]
    assert missing[0].stored == [("played", (seat + 1) % 4, TILES[tile])]
