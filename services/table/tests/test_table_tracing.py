"""What is done for tables as parts of traces, together and alone, for people and by the house."""

import asyncio

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.telemetry import Telemetry, is_sampled
from laelo_common.testing.spans import Noted, Notes

from .house import House, Listener, Replica, legal_command

GATEWAYS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
NOT_TAKEN = GATEWAYS[:-1] + "0"


def house_with(notes: Notes, ratio: float = 1.0) -> House:
    house = House()
    house.telemetry = Telemetry(notes, ratio)
    return house


async def move(replica: Replica, trace: str, *, together: bool = True, **wrong: int) -> Listener:
    """A move as it comes from a gateway, through a frame or by itself."""
    state = await replica.state()
    fields = legal_command(state) | wrong
    command = table_pb2.Command(id=7, table=state.id, command="m", trace=trace, **fields)
    heard = Listener()
    if not together:
        await replica.tables.handle(command, heard)
        return heard
    moves, others = replica.together.begin([command])
    alone = [replica.tables.handle(one, heard) for one in others]
    await asyncio.gather(replica.together.do(moves, heard), *alone)
    return heard


def ended_well(*spans: Noted) -> bool:
    return all(span.faults == [""] for span in spans)


@pytest.mark.parametrize("together", [True, False])
async def test_a_move_is_a_part_of_what_the_gateway_began(together: bool) -> None:
    notes = Notes()
    house = house_with(notes)
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        notes.spans.clear()
        await move(replica, GATEWAYS, together=together)
        command, append = notes.spans
        assert (command.name, command.parent) == ("table.command", GATEWAYS)
        assert command.attributes["table"] == house.commits()[-1].head.aggregate
        assert command.attributes.keys() == {"table", "kind"}
        assert (append.name, append.parent) == ("log.append", command.traceparent)
        assert ended_well(command, append)
        assert house.commits()[-1].head.trace == command.traceparent
        assert house.traces[-1] == command.traceparent


@pytest.mark.parametrize("trace", ["", NOT_TAKEN])
@pytest.mark.parametrize("together", [True, False])
async def test_what_is_not_taken_calls_no_tracer(together: bool, trace: str) -> None:
    notes = Notes()
    house = house_with(notes)
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        notes.spans.clear()
        await move(replica, trace, together=together)
        assert not notes.spans
        assert not house.commits()[-1].head.trace
        assert not house.traces[-1]


async def test_a_refused_move_is_traced_and_leaves_no_span_open() -> None:
    notes = Notes()
    house = house_with(notes)
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        notes.spans.clear()
        heard = await move(replica, GATEWAYS, tile_a=9)
        assert [update.code for update in heard.updates if update.id] == ["INVALID_TILE"]
        assert notes.named("table.command")
        assert ended_well(*notes.spans)


async def test_a_kind_that_is_not_known_is_refused_traced_or_not() -> None:
    notes = Notes()
    house = house_with(notes)
    async with house.replica() as replica:
        await replica.open()
        for trace in ("", GATEWAYS):
            refused = await replica.ask(99, "ana", trace=trace)
            assert (refused.code, refused.reason) == ("BAD_REQUEST", "99 is no kind of command")
        assert notes.spans[-1].attributes["kind"] == "unknown"


@pytest.mark.parametrize("ratio", [1.0, 0.0])
async def test_what_the_house_does_begins_a_trace_or_not(ratio: float) -> None:
    notes = Notes()
    house = house_with(notes, ratio)
    async with house.replica() as replica:
        await replica.open(move_seconds=15)
        await replica.start()
        state = await replica.state()
        notes.spans.clear()
        house.ahead_ms += 60_000
        await replica.timers._act(state.id, state.turn)
        head = house.commits()[-1].head
        assert head.command == f"clock-{state.turn}"
        turns = notes.named("table.turn")
        assert [span.attributes["kind"] for span in turns] == ["TimeUp"] * bool(ratio)
        assert is_sampled(head.trace) == bool(ratio)
        assert ended_well(*turns)
        assert all(not span.parent for span in turns)
