"""offline-move: a move that was sent just before the line was cut is made, once, or not at all.

Seen elsewhere: moves made while offline stay on the client, stale ones are refused with no
resync (boardgameio/boardgame.io#672, #713). Here one person has two connections: over one
they move, and it is cut before any answer comes; over the other they only look on. What the
first is told after it came back equals what the second was told all along.
"""

from collections.abc import AsyncIterator

import pytest
from laelo_common.ids import new_id
from laelo_tools.platform import Options, Platform

from .line import Frame, Line, begin, fence_of, move, open_turn

pytestmark = [pytest.mark.faults, pytest.mark.integration]

CUTS = 12
STALE = {"STALE_TURN", "NOT_YOUR_TURN", "HAND_OVER"}


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with Platform(Options(port=0, pause_ms=50, bot_delay_ms="0", tables=1)) as platform:
        yield platform.url


async def cut_while_moving(line: Line, turn: Frame, table: str) -> tuple[Frame, int]:
    """Send a move and lose the connection at once; the command, and what was held then."""
    kind, data = move(turn, fence_of(line))
    command: Frame = {"t": kind, "id": new_id(), "table": table, "d": data}
    held = line.seq
    await line.send(command)
    line.cut()
    return command, held


async def own_turn(line: Line, table: str) -> Frame:
    """Wait for one's own turn, through the ends of hands and matches."""

    def has_to_act(frame: Frame) -> object:
        events = frame["d"].get("events", ()) if frame["t"] == "event" else ()
        ended = any(event["k"] == "match_ended" for event in events)
        return open_turn(line) or (ended and frame is line.frames[-1])

    await line.until(has_to_act)
    if open_turn(line) is None:
        await line.ask("table.start", table, d={"level": "random"})
        await line.until(lambda _: open_turn(line))
    turn = open_turn(line)
    assert turn is not None
    return turn


async def test_a_move_cut_off_is_made_once_and_all_is_told(url: str) -> None:
    async with Line(url) as line:
        table = await begin(line)
        async with Line(url, line.token) as steady:
            await steady.ask("watch", table)
            for _ in range(CUTS):
                turn = await own_turn(line, table)
                command, held = await cut_while_moving(line, turn, table)
                await line.open({"table": table, "seq": held})
                await line.send(command)
                assert (await line.answer(command["id"]))["t"] in {"event", "ack"}
                await line.numbered(held + 1)
            await own_turn(line, table)
            await steady.numbered(line.seq)
            told = line.events()
            seen = {seq: d for seq, d in steady.events().items() if seq <= line.seq}
            assert {seq: told.get(seq) for seq in seen} == seen
            views = [(await end.ask("watch", table))["d"] for end in (line, steady)]
            assert views[0] == views[1]


async def test_a_stale_move_is_answered_with_what_is_missing(url: str) -> None:
    async with Line(url) as line:
        table = await begin(line)
        turn = await own_turn(line, table)
        kind, data = move(turn, fence_of(line))
        held = line.seq
        line.cut()
        async with Line(url, line.token) as elsewhere:
            snapshot = await elsewhere.ask("watch", table)
            moved = await elsewhere.ask(kind, table, d=data)
            assert moved["t"] in {"event", "ack"}
            await elsewhere.numbered(snapshot["seq"] + 1)
            await line.open({"table": table, "seq": held})
            refused = await line.ask(kind, table, d=data)
            assert refused["t"] == "nack"
            assert refused["d"]["code"] in STALE
            newest = max(elsewhere.events())
            await line.numbered(newest)
            told = line.events()
            missed = {seq: d for seq, d in elsewhere.events().items() if seq <= newest}
            assert missed
            assert {seq: told.get(seq) for seq in missed} == missed
