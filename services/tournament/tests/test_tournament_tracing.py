"""A championship's start goes on with the trace of the call that it follows from."""

from dataclasses import replace
from typing import Any

from laelo.tournament.v1 import tournament_pb2
from laelo_common.telemetry import Telemetry
from laelo_common.testing.spans import Notes
from laelo_tournament.server import TournamentServicer

from .house import House, a_start

CALLS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def started(trace: str) -> tuple[Notes, str]:
    """The spans of a start that came with a traceparent, and what the commit says."""
    notes, house, start = Notes(), House(), a_start()
    house.tables.holds = True
    telemetry = Telemetry(notes, 1.0)
    async with house.replica(replace(house.world, telemetry=telemetry)) as replica:
        servicer = TournamentServicer(replica.championships, replica.feed, telemetry)
        request = tournament_pb2.StartRequest(
            championship=start.championship, tier=start.tier, players=start.players, trace=trace
        )
        nobody: Any = None
        await servicer.Start(request, nobody)
        (commit,) = await house.story(start.championship)
    return notes, commit.head.trace


async def test_a_start_is_a_part_of_what_matchmaking_began() -> None:
    notes, stored = await started(CALLS)
    (command,) = notes.named("tournament.command")
    assert (command.parent, command.faults) == (CALLS, [""])
    assert stored == command.traceparent


async def test_a_start_without_a_trace_may_begin_one() -> None:
    notes, stored = await started("")
    (command,) = notes.named("tournament.command")
    assert command.parent == ""
    assert stored == command.traceparent
