"""Moves that came in one frame: done together, and no differently than one by one."""

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.log import Aggregate, Kind, Unavailable
from laelo_common.log.commit import verify_chain
from laelo_table.app import MOVES
from laelo_table.together import Move, Together

from .house import House, Listener, Replica, fresh_id, legal_command

WRONG: tuple[dict[str, Any], ...] = (
    {},
    {"turn": 1},
    {"turn": 10_000},
    {"fence": 77},
    {"player": "eva"},
    {"kind": table_pb2.KIND_PASS},
    {"tile_a": 9},
    {"end": 3},
)


def move_of(number: int, table: str, **fields: Any) -> table_pb2.Command:
    return table_pb2.Command(id=number, table=table, command=f"c{number}", **fields)


async def frame(replica: Replica, commands: list[table_pb2.Command], listener: Listener) -> int:
    """Send a frame as the server does; how many were done together."""
    moves, others = replica.together.begin(commands)
    handled = [replica.tables.handle(command, listener) for command in others]
    await asyncio.gather(replica.together.do(moves, listener), *handled)
    return len(moves)


async def tables_of(replica: Replica, count: int) -> list[str]:
    names = [fresh_id() for _ in range(count)]
    for name in names:
        await replica.open(table=name)
        await replica.start(name)
    return names


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_any_frames_are_done_once_and_answered_once(seed: int, id_first: bool) -> None:
    async def play() -> None:
        chance = random.Random(seed)
        house = House(id_first=id_first)
        async with house.replica() as replica, house.replica() as other:
            names = await tables_of(replica, 4)
            number, sent = 100, []
            for _ in range(25):
                commands = []
                for name in names:
                    state = await replica.state(name)
                    if state.begun is None:
                        continue
                    number += 1
                    legal = legal_command(state)
                    commands.append(move_of(number, name, **legal | chance.choice(WRONG)))
                    if chance.random() < 0.2:
                        commands.append(commands[-1])
                if chance.random() < 0.2 and commands:
                    # Another replica comes first at one of the tables.
                    await other.move(commands[0].table)
                heard = Listener()
                await frame(replica, commands, heard)
                sent += commands
                answers = Counter(update.id for update in heard.updates if update.id)
                assert answers == Counter(command.id for command in commands)
            for name in names:
                commits = house.commits(name)
                made = Counter(commit.head.command for commit in commits)
                assert set(made.values()) == {1}
                assert await replica.state(name) == await other.state(name)
                assert verify_chain(await house.log.tail(Aggregate(Kind.TABLE, name), 0)) is None

    asyncio.run(play())


async def test_moves_at_free_tables_share_one_piece_of_work() -> None:
    house = House()
    async with house.replica() as replica:
        names = await tables_of(replica, 3)
        commands = [
            move_of(n, name, **legal_command(await replica.state(name)))
            for n, name in enumerate(names, 500)
        ]
        watched = replica.listener
        assert await frame(replica, commands, watched) == 3
        answers = [update for update in watched.updates if update.id >= 500]
        assert [(update.id, update.code) for update in answers] == [(500, ""), (501, ""), (502, "")]
        assert all(update.views for update in answers)


async def test_a_table_is_taken_once_and_other_commands_are_left() -> None:
    house = House()
    async with house.replica() as replica:
        (name,) = await tables_of(replica, 1)
        move = move_of(600, name, **legal_command(await replica.state(name)))
        watch = table_pb2.Command(id=601, table=name, kind=table_pb2.KIND_WATCH, player="ana")
        moves, others = replica.together.begin([watch, move, move, move_of(602, fresh_id())])
        assert [taken.command.id for taken in moves] == [600]
        assert [command.id for command in others] == [601, 600, 602]
        await replica.together.do(moves, replica.listener)
        assert table_pb2.KIND_WATCH not in MOVES


@pytest.mark.parametrize("fault", ["rules", "log", "lost answer", "bug"])
async def test_what_goes_wrong_is_done_again_by_itself(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House()
    async with house.replica() as replica:
        (name,) = await tables_of(replica, 1)
        before = len(house.commits(name))
        move = move_of(700, name, **legal_command(await replica.state(name)))
        moves, _ = replica.together.begin([move])
        if fault == "rules":
            house.rules_away = True
            asyncio.get_running_loop().call_soon(setattr, house, "rules_away", False)
        elif fault == "log":
            original, failed = house.log.append_all, [Unavailable("away")]

            async def away(appends: Any) -> Any:
                return [failed.pop()] if failed else await original(appends)

            monkeypatch.setattr(house.log, "append_all", away)
        elif fault == "lost answer":
            house.log.lose_answers(1)
        else:
            monkeypatch.setattr(Together, "_decide", _broken)
        await replica.together.do(moves, replica.listener)
        answers = [update for update in replica.listener.updates if update.id == 700]
        assert [update.code for update in answers] == [""]
        assert len(house.commits(name)) == before + 1
        warm = replica.store.tables.get(name)
        assert warm is not None
        assert not warm.users
        assert not warm.lock.locked()


def _broken(_self: Together, _move: Move, _verdict: Any) -> bool:
    raise ZeroDivisionError
