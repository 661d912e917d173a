"""What an append costs: `python bench/log_append.py [--json]`.

Microseconds of CPU an append, of client and server, for one table alone and 32 at once, with
JetStream's default sync and `sync_interval: always`; beside it nats-py's own `js.publish`,
which does the same without the log's inbox and frames. Medians of several rounds; a
calibration loop's time stands beside the figures, for the machine is never the same twice.
"""

import argparse
import asyncio
import json
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_hex

from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamLog,
    Kind,
    NatsSettings,
    connect,
    ensure_streams,
)
from laelo_common.testing.nats import NatsServer

# Appends the given bytes after a sequence, under an id; returns the new sequence.
Append = Callable[[Aggregate, bytes, int, str], Awaitable[int]]

ROUNDS = 3
BODY = bytes(200)
APPENDS = {"2m": 20_000, "always": 1_000}
_TICKS = os.sysconf("SC_CLK_TCK")


def server_cpu_s(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def publisher(connection: Connection) -> Append:
    """The same append by nats-py's own means."""
    jetstream = connection.wire.jetstream()

    async def append(aggregate: Aggregate, data: bytes, expected: int, message_id: str) -> int:
        headers = {
            "Nats-Expected-Last-Subject-Sequence": str(expected),
            "Nats-Msg-Id": message_id,
        }
        return (await jetstream.publish(aggregate.subject, data, headers=headers)).seq

    return append


async def run_tables(append: Append, tables: int, appends: int) -> None:
    """So many tables at once, each append after the one before was answered."""

    async def run(table: Aggregate) -> None:
        sequence = 0
        for number in range(appends // tables):
            sequence = await append(table, BODY, sequence, f"{table.id}:{number}")

    await asyncio.gather(*(run(Aggregate(Kind.TABLE, token_hex(8))) for _ in range(tables)))


async def measure(
    append: Append, server: NatsServer, tables: int, appends: int
) -> dict[str, float]:
    """Medians over the rounds, after one that warms up."""
    rounds = []
    for _ in range(ROUNDS + 1):
        wall, client, other = time.perf_counter(), time.process_time(), server_cpu_s(server.pid)
        await run_tables(append, tables, appends)
        rounds.append(
            {
                "client_us": (time.process_time() - client) / appends * 1e6,
                "server_us": (server_cpu_s(server.pid) - other) / appends * 1e6,
                "appends_per_s": appends / (time.perf_counter() - wall),
            }
        )
    return {key: round(statistics.median(r[key] for r in rounds[1:]), 1) for key in rounds[0]}


async def compare(sync_interval: str) -> list[dict[str, object]]:
    """All figures with one setting of the server."""
    with NatsServer(sync_interval) as server:
        connection = await connect(NatsSettings((server.url,)))
        await ensure_streams(connection)
        ways = {"log": JetStreamLog(connection).append, "js.publish": publisher(connection)}
        rows: list[dict[str, object]] = [
            {
                "way": way,
                "sync_interval": sync_interval,
                "tables": tables,
                **await measure(append, server, tables, APPENDS[sync_interval]),
            }
            for tables in (1, 32)
            for way, append in ways.items()
        ]
        await connection.close()
    return rows


def calibrate() -> float:
    """Milliseconds of a fixed piece of work."""
    started = time.perf_counter()
    sum(number * number for number in range(1_000_000))
    return round((time.perf_counter() - started) * 1000, 1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    as_json = parser.parse_args().json
    machine = {"load_before": os.getloadavg()[0], "calibration_ms": calibrate()}
    with asyncio.Runner() as runner:
        rows = [row for sync_interval in APPENDS for row in runner.run(compare(sync_interval))]
    if as_json:
        print(json.dumps({**machine, "body_bytes": len(BODY), "rows": rows}, indent=2))
        return
    print(f"calibration {machine['calibration_ms']} ms, load {machine['load_before']:.1f}")
    for row in rows:
        print(
            f"{row['way']:10} sync {row['sync_interval']:6} {row['tables']:2} tables: "
            f"client {row['client_us']:6} us, server {row['server_us']:6} us, "
            f"{row['appends_per_s']:8.0f} appends/s"
        )


if __name__ == "__main__":
    main()
