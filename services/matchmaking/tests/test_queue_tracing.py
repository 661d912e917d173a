"""What is done to the queue as parts of traces: for people, and by the house."""

import pytest
from laelo_common.telemetry import Telemetry
from laelo_common.testing.spans import Noted, Notes
from laelo_common.testing.waiting import until
from laelo_matchmaking.domain.commands import Join

from .kit import people
from .town import PATIENT, Town

GATEWAYS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
NOT_TAKEN = GATEWAYS[:-1] + "0"


def town_with(notes: Notes, ratio: float = 1.0) -> Town:
    town = Town(PATIENT._replace(wait_ms=1))
    town.telemetry = Telemetry(notes, ratio)
    return town


def ended_well(*spans: Noted) -> bool:
    return all(span.faults == [""] for span in spans)


async def test_a_join_is_a_part_of_what_the_gateway_began() -> None:
    notes = Notes()
    town = town_with(notes)
    async with town.replica() as hall:
        assert await hall.app.run(Join("ana", "j"), GATEWAYS) is None
        command, append = notes.spans
        assert (command.name, command.parent) == ("matchmaking.command", GATEWAYS)
        assert command.attributes == {"kind": "Join"}
        assert (append.name, append.parent) == ("log.append", command.traceparent)
        assert append.attributes == {"stream": "MMQ"}
        assert ended_well(command, append)
        assert town.commits()[-1].head.trace == command.traceparent


@pytest.mark.parametrize("trace", ["", NOT_TAKEN])
async def test_what_the_gateway_has_not_taken_calls_no_tracer(trace: str) -> None:
    notes = Notes()
    town = town_with(notes)
    async with town.replica() as hall:
        assert await hall.app.run(Join("ana", "j"), trace) is None
        assert not notes.spans
        assert not town.commits()[-1].head.trace


async def test_what_is_called_is_one_trace_until_it_is_handed_over() -> None:
    notes = Notes()
    town = town_with(notes)
    async with town.replica() as hall:
        await hall.join_all(people(8))
        await until(lambda: bool(town.cups.begun) and not hall.state.pending)
        call, called, over, handed = notes.spans
        assert [span.attributes.get("kind") for span in (call, over)] == ["Call", "HandOver"]
        assert not call.parent
        assert called.parent == over.parent == call.traceparent
        assert handed.parent == over.traceparent
        assert ended_well(*notes.spans)
        assert [request.trace for request in town.cups.asked] == [call.traceparent]
        traces = [commit.head.trace for commit in town.commits()]
        assert traces == [*[""] * 8, call.traceparent, over.traceparent]
