"""pool-leak: a request that is cancelled at any moment leaves the pool whole.

Seen elsewhere: MagicStack/asyncpg#464. Ten thousand requests are cut off at random moments;
afterwards as many as the pool has connections are served side by side, and none is left busy.
"""

import asyncio
import random

import asyncpg
import pytest
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import LaeloError
from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.app import Championships

from .conftest import Server
from .house import House, a_start, begin, until_over

pytestmark = [pytest.mark.faults, pytest.mark.integration]

REQUESTS = 10_000
TOGETHER = 50
CONNECTIONS = 4


async def ask(championships: Championships, number: int, player: str) -> None:
    """One of the requests that need the database."""
    if number % 2:
        await championships.rank(tournament_pb2.RankRequest(player=player))
    else:
        await championships.listed(tournament_pb2.ListRequest(player=player))


async def cut_off(championships: Championships, number: int, player: str, ticks: int) -> bool:
    """Ask, and lose patience after some turns of the loop; whether there was an answer."""
    asking = asyncio.create_task(ask(championships, number, player))
    for _ in range(ticks):
        if asking.done():
            break
        await asyncio.sleep(0)
    asking.cancel()
    try:
        await asking
    except (asyncio.CancelledError, LaeloError):
        return False
    return True


async def test_after_requests_cut_off_at_random_the_pool_is_whole(server: Server) -> None:
    choice = random.Random(11)
    async with server.database(CONNECTIONS) as database:
        await database.reach()
        house = House(records=PostgresRecords(database))
        async with house.replica() as replica:
            start = a_start()
            await begin(replica, start)
            await until_over(replica, start.championship)
            answered = 0
            for first in range(0, REQUESTS, TOGETHER):
                answers = [
                    cut_off(replica.championships, number, start.players[0], choice.randrange(120))
                    for number in range(first, first + TOGETHER)
                ]
                answered += sum(await asyncio.gather(*answers))
            assert REQUESTS / 10 < answered < REQUESTS * 9 / 10
            await check_whole(server)
            wanted = tournament_pb2.RankRequest(player=start.players[0])
            ranked = [replica.championships.rank(wanted) for _ in range(5 * CONNECTIONS)]
            assert all(len(answer.rows) == 8 for answer in await asyncio.gather(*ranked))
            # Recording goes on as well.
            again = a_start()
            await begin(replica, again)
            await until_over(replica, again.championship)


async def check_whole(server: Server) -> None:
    """In the end the server has no more connections than the pool may, and none is busy."""
    connection = await asyncpg.connect(server.dsn)
    try:
        async with asyncio.timeout(20):
            while True:
                rows = await connection.fetch(
                    "SELECT state FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid()"
                )
                busy = [row["state"] for row in rows if row["state"] != "idle"]
                # One that was cut off is let go of first and ends a moment later.
                if not busy and len(rows) <= CONNECTIONS:
                    return
                await asyncio.sleep(0.05)
    finally:
        await connection.close()
