"""Deals that are due are done with the moves that come just then, and never forgotten."""

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.log import Aggregate, Kind
from laelo_common.log.commit import verify_chain
from laelo_table import together
from laelo_table.domain.commands import NextDeal
from laelo_table.domain.state import Phase, phase_of

from .house import House, Listener, Replica, eventually, fresh_id, legal_command

LONG = 600.0
"""Seconds in which company comes in any test."""


async def frame(replica: Replica, *tables: str) -> list[together.Move]:
    """Who is on turn at each of these tables moves, all in one frame; what was done together."""
    commands = [
        table_pb2.Command(
            id=number,
            table=table,
            command=fresh_id(),
            **legal_command(await replica.state(table)),
        )
        for number, table in enumerate(tables, 1)
    ]
    moves, others = replica.together.begin(commands)
    assert not others
    await replica.together.do(moves, replica.listener)
    return moves


async def play_until_a_hand_ends(replica: Replica) -> tuple[str, str]:
    """At the first table the pause is over and the deal waits; at the other it is a turn."""
    first, second, other = (fresh_id() for _ in range(3))
    for table in (first, second, other):
        await replica.open(table=table)
        await replica.start(table)
    while True:
        await frame(replica, first, second)
        for table in (first, second):
            if phase_of(await replica.state(table)) is Phase.PAUSE:
                return table, other


async def test_a_deal_is_done_with_the_next_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "COMPANY_SECONDS", LONG)
    house = House()
    async with house.replica() as replica:
        over, other = await play_until_a_hand_ends(replica)
        await eventually(lambda: replica.together.waiting)
        before = await replica.state(over)
        watcher = Listener()
        await replica.must(
            table_pb2.KIND_WATCH, "bia", table=over, listener=watcher, seq=before.version
        )
        moves = await frame(replica, other)
        assert NextDeal(before.turn) in [m.command for m in moves if m.warm.id == over]
        after = await replica.state(over)
        assert (after.version, after.hand) == (before.version + 1, before.hand + 1)
        assert watcher.updates[-1].seq == after.version
        assert not replica.together.waiting
        assert verify_chain(await house.log.tail(Aggregate(Kind.TABLE, over), 0)) is None


async def test_without_company_it_is_done_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "COMPANY_SECONDS", 0.05)
    house = House()
    async with house.replica() as replica:
        over, _ = await play_until_a_hand_ends(replica)
        await replica.until_version((await replica.state(over)).version + 1, over)
        assert phase_of(await replica.state(over)) is not Phase.PAUSE


async def test_what_cannot_be_done_together_is_done_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "COMPANY_SECONDS", LONG)
    house = House()
    async with house.replica() as replica:
        over, other = await play_until_a_hand_ends(replica)
        await eventually(lambda: replica.together.waiting)
        before = await replica.state(over)
        house.log.lose_answers(1)
        await frame(replica, other)
        await replica.until_version(before.version + 1, over)
        made = [commit.head.command for commit in house.commits(over)]
        assert made.count(f"deal-{before.turn}") == 1


async def test_a_busy_table_is_dealt_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "COMPANY_SECONDS", LONG)
    house = House()
    async with house.replica() as replica:
        over, other = await play_until_a_hand_ends(replica)
        await eventually(lambda: replica.together.waiting)
        before = await replica.state(over)
        taken = replica.store.take_at_once(over)
        assert taken is not None
        moves = await frame(replica, other)
        assert over not in [move.warm.id for move in moves]
        replica.store.give_back(taken)
        await replica.until_version(before.version + 1, over)
