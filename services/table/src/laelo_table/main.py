"""The table service: settings, wiring, run."""

import random
import secrets
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeVar

from laelo.table.v1 import table_pb2_grpc
from laelo_common.log import (
    Connection,
    JetStreamBoard,
    JetStreamClocks,
    JetStreamLog,
    NatsSettings,
    Unavailable,
    connect,
    show_log,
)
from laelo_common.log.connection import wall_ms
from laelo_common.runtime import Service, SetupError, run_service

from laelo_table import measures
from laelo_table.adapters.bots import Bots, bots_pool
from laelo_table.adapters.rules import UnaryRules, rules_pool
from laelo_table.app import Tables
from laelo_table.domain.shuffle import SEED_BYTES
from laelo_table.domain.turns import scaled
from laelo_table.leaving import hand_over
from laelo_table.ports import Judge, World
from laelo_table.server import TableServicer
from laelo_table.settings import TableSettings, delay_range
from laelo_table.store import TableStore
from laelo_table.timers import Timers
from laelo_table.together import Together

T = TypeVar("T")


@asynccontextmanager
async def wire(service: Service[TableSettings]) -> AsyncIterator[None]:
    """Connect all parts and serve; take them apart in the other order."""
    async with AsyncExitStack() as stack:
        world = await _world(service, stack)
        store = TableStore(world.log, world.warm_tables)
        stack.push_async_callback(store.close)
        tables = Tables(world, store)
        together = Together(world, store, tables)
        timers = Timers(world, store, tables, together)
        servicer = TableServicer(tables, together)
        table_pb2_grpc.add_TableServiceServicer_to_server(servicer, service.grpc)
        service.serves("laelo.table.v1.TableService")
        service.on_drain(partial(hand_over, store, servicer.streams.close))
        stack.push_async_callback(timers.close)
        due = await world.clocks.due(timers.on_due)
        stack.push_async_callback(due.close)
        service.task(due.wait(), "durable clocks")
        measures.show_commands(service.metrics, tables)
        measures.show_timers(service.metrics, timers)
        measures.show_tables(service.metrics, store)
        measures.show_streams(service.metrics, servicer.streams)
        yield


async def _world(service: Service[TableSettings], stack: AsyncExitStack) -> World:
    settings = service.settings
    scale = settings.clock_scale
    low, high = _parsed("BOT_DELAY_MS", delay_range, settings.bot_delay_ms)
    connection = await _connect(settings)
    stack.push_async_callback(connection.close)
    show_log(service.metrics, connection)
    make_bots = partial(bots_pool, dial=service.dial("bots"))
    bots = _parsed("BOTS_ADDRESSES", make_bots, settings.bots_addresses)
    await stack.enter_async_context(bots)
    bots.show(service.metrics, "bots")
    return World(
        log=JetStreamLog(connection),
        clocks=JetStreamClocks(connection),
        board=JetStreamBoard(connection),
        judge=await _judge(service, stack),
        choose_move=Bots(bots).choose_move,
        now_ms=wall_ms,
        seed=partial(secrets.token_bytes, SEED_BYTES),
        delay_ms=lambda: low + int(random.random() * (high - low + 1)),
        pause_ms=settings.pause_ms,
        warm_tables=settings.warm_tables,
        bot_after_ms=scaled(settings.bot_after_seconds * 1000, scale),
        kept_ms=scaled(settings.empty_seconds * 1000, scale),
        clock_scale=scale,
        telemetry=service.telemetry,
    )


async def _judge(service: Service[TableSettings], stack: AsyncExitStack) -> Judge:
    settings, dial = service.settings, service.dial("rules")
    if settings.rpc == "unary":
        rules = UnaryRules(settings.rules_addresses.split(",", maxsplit=1)[0], dial)
        stack.push_async_callback(rules.close)
        return rules.judge
    make_pool = partial(rules_pool, dial=dial)
    pool = _parsed("RULES_ADDRESSES", make_pool, settings.rules_addresses)
    await stack.enter_async_context(pool)
    pool.show(service.metrics, "rules")
    return pool.request


async def _connect(settings: TableSettings) -> Connection:
    servers = tuple(part.strip() for part in settings.nats_url.split(","))
    nats = NatsSettings(
        servers=servers,
        name="laelo-table",
        inbox_prefix="_INBOX.table",
        connect_s=settings.start_seconds / 2,
    )
    try:
        return await connect(nats)
    except Unavailable as error:
        way_out = "start nats-server, or set LAELO_TABLE_NATS_URL to where it is"
        raise SetupError(f"{error}: {way_out}") from error


def _parsed(name: str, parse: Callable[[str], T], text: str) -> T:
    """A setting's meaning, or one sentence what is wrong with it."""
    try:
        return parse(text)
    except ValueError as error:
        raise SetupError(f"LAELO_TABLE_{name} is {text!r}: {error}") from error


def main() -> None:
    """Run until told to stop."""
    sys.exit(run_service("table", TableSettings, wire))


if __name__ == "__main__":
    main()
