"""CPU time of an accepted move in the table process: `python bench/table_command.py [--json]`.

The log is in memory and what the rules need is measured and taken off, so what is left is the
table's own work for one move: command in, decide, commit, fold, two frames, answer out. All
tables move at once, as they do on a busy stream. Medians of several rounds.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from typing import Any

from laelo.bots.v1 import bots_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.ids import new_id
from laelo_common.log import MemoryBoard, MemoryClocks, MemoryLog
from laelo_rules.app import answer
from laelo_table.app import Tables
from laelo_table.domain.spell import TILES
from laelo_table.domain.state import Table
from laelo_table.ports import World
from laelo_table.store import TableStore
from laelo_table.timers import Timers
from laelo_table.together import Together

TABLES, MOVES, ROUNDS = 100, 100, 5
PLAYERS = ("ana", "bia", "caio", "davi")


class Elsewhere:
    """Time that is not the table's: the rules', and that of making up moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    async def judge(self, request: rules_pb2.JudgeRequest) -> rules_pb2.JudgeResponse:
        """The rules, at once."""
        began = time.thread_time()
        verdict = answer(request)
        self.seconds += time.thread_time() - began
        return verdict

    def move(self, table: str, state: Table, number: int) -> table_pb2.Command:
        """A legal move of who is on turn."""
        began = time.thread_time()
        command = legal_move(table, state, number)
        self.seconds += time.thread_time() - began
        return command


class Gateway:
    """Takes what a gateway would be sent."""

    def __init__(self) -> None:
        self.frames = 0
        self.refused = 0

    def send(self, update: table_pb2.Update) -> None:
        """Count it."""
        self.frames += len(update.views)
        self.refused += bool(update.code)


def legal_move(table: str, state: Table, number: int) -> table_pb2.Command:
    """The first move that the rules allow."""
    begun = state.begun
    if begun is None:
        raise ValueError("nobody is on turn")
    seat = state.seats[begun.seat]
    command = table_pb2.Command(
        id=number,
        table=table,
        command=f"{seat.player}.{number}",
        player=seat.player,
        turn=state.turn,
        fence=seat.fence,
    )
    if begun.choosing:
        command.kind, command.opener = table_pb2.KIND_CHOOSE_OPENER, begun.seat
    elif begun.must_pass:
        command.kind = table_pb2.KIND_PASS
    else:
        command.kind = table_pb2.KIND_PLAY
        play = begun.plays[0]
        command.tile_a, command.tile_b = TILES[play & 31]
        command.end = rules_pb2.END_RIGHT if play & 64 else rules_pb2.End.ValueType(play >> 5)
    return command


async def no_bots(_: bots_pb2.ChooseMoveRequest) -> bots_pb2.ChooseMoveResponse:
    """Only people play."""
    raise NotImplementedError


async def open_tables(tables: Tables, gateway: Gateway, names: list[str]) -> None:
    """Four people at each table, all watched through one gateway, matches begun."""
    for name in names:
        for number, player in enumerate(PLAYERS):
            common = {"id": 1, "table": name, "player": player, "name": player, "seat": -1}
            kind = table_pb2.KIND_SIT if number else table_pb2.KIND_OPEN
            command = table_pb2.Command(kind=kind, command=f"s{number}", **common)  # type: ignore[arg-type]
            await tables.handle(command, gateway)
        watch = table_pb2.Command(id=1, table=name, kind=table_pb2.KIND_WATCH, player=PLAYERS[0])
        await tables.handle(watch, gateway)
        start = table_pb2.Command(
            id=1, table=name, kind=table_pb2.KIND_START, command="start", player=PLAYERS[0]
        )
        await tables.handle(start, gateway)


async def one_round(table_count: int, moves: int) -> float:
    """Microseconds a move."""
    elsewhere, gateway = Elsewhere(), Gateway()
    log = MemoryLog(now_ms)
    world = World(
        log=log,
        clocks=MemoryClocks(now_ms),
        board=MemoryBoard(),
        judge=elsewhere.judge,
        choose_move=no_bots,
        now_ms=now_ms,
        seed=lambda: random.randbytes(32),
        delay_ms=lambda: 0,
        pause_ms=0,
    )
    store = TableStore(log, table_count)
    tables = Tables(world, store)
    together = Together(world, store, tables)
    timers = Timers(world, store, tables, together)
    names = [new_id() for _ in range(table_count)]
    await open_tables(tables, gateway, names)
    made, elsewhere.seconds, began = 0, 0.0, time.process_time()
    for number in range(1, moves + 1):
        commands = []
        for name in names:
            warm = store.tables.get(name)
            if warm is not None and warm.state.begun is not None:
                commands.append(elsewhere.move(name, warm.state, number))
        made += len(commands)
        begun, others = together.begin(commands)
        await together.do(begun, gateway)
        await asyncio.gather(*[tables.handle(command, gateway) for command in others])
    seconds = time.process_time() - began - elsewhere.seconds
    if gateway.refused:
        raise RuntimeError(f"{gateway.refused} legal moves were refused")
    await timers.close()
    await store.close()
    return seconds / made * 1e6


def now_ms() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rounds = [asyncio.run(one_round(options.tables, MOVES)) for _ in range(ROUNDS)]
    median = statistics.median(rounds)
    result: dict[str, Any] = {"tables": options.tables, "us_a_move": round(median, 1)}
    result["rounds"] = [round(value, 1) for value in rounds]
    print(json.dumps(result) if options.json else f"{median:.1f} us of CPU a move {rounds}")


if __name__ == "__main__":
    main()
