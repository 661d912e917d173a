"""Guests in a real PostgreSQL, that comes late and goes away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_gateway.adapters import postgres
from laelo_gateway.adapters.postgres import PostgresPeople
from laelo_gateway.domain.commands import Person
from laelo_gateway.migrate import MIGRATIONS
from laelo_gateway.people import People, hashed_token
from laelo_gateway.testing.gateway import eventually
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor

pytestmark = pytest.mark.integration


class Server:
    """A PostgreSQL that can be stopped and started."""

    def __init__(self, data: Path, port: int) -> None:
        self._postgres = Postgres(data, port, durable=False)
        self._supervisor = Supervisor(OnExit.LEAVE)
        self.dsn = self._postgres.dsn

    async def start(self) -> None:
        await self._supervisor.start(self._postgres.prepare())

    async def stop(self) -> None:
        await self._supervisor.stop()
        self._supervisor = Supervisor(OnExit.LEAVE)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    ports = Ports()
    server = Server(tmp_path / "postgres", ports.free())
    yield server
    await server.stop()
    ports.release()
    remove_data(tmp_path / "postgres")


@asynccontextmanager
async def running(store: PostgresPeople) -> AsyncIterator[PostgresPeople]:
    task = asyncio.create_task(store.run())
    try:
        yield store
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await store.close()


async def test_migrations_are_applied_once_however_many_begin_at_once(server: Server) -> None:
    await server.start()
    applied = await asyncio.gather(*(MIGRATIONS.run(server.dsn) for _ in range(5)))
    names = [migration.name for migration in MIGRATIONS.listed()]
    assert sorted(applied, key=len) == [[], [], [], [], names]
    connection = await asyncpg.connect(server.dsn)
    try:
        rows = await connection.fetch("SELECT number, name FROM gateway_migrations")
        assert [tuple(row) for row in rows] == list(enumerate(names, 1))
    finally:
        await connection.close()


async def test_guests_are_kept_and_tokens_are_not(server: Server) -> None:
    await server.start()
    async with running(PostgresPeople(server.dsn)) as store:
        await eventually(lambda: store.is_up)
        made = await People(store).greet(None, "Zé", "pt")
        assert made.token is not None
        # Another gateway, that has never seen the guest.
        again = await People(store).greet(made.token, "", "pt")
        assert (again.person, again.token) == (made.person, None)
        await People(store).greet(made.token, "José", "pt")
        assert await store.find(hashed_token(made.token)) == made.person._replace(name="José")
        assert await store.find(hashed_token("another")) is None
        connection = await asyncpg.connect(server.dsn)
        try:
            dump = str(await connection.fetch("SELECT * FROM sessions, people"))
        finally:
            await connection.close()
        assert made.token not in dump


async def test_a_late_postgres_is_found_and_a_lost_one_is_try_later(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "RETRY_SECONDS", 0.05)
    async with running(PostgresPeople(server.dsn)) as store:
        people = People(store)
        with pytest.raises(LaeloError) as refused:
            await people.greet(None, "", "pt")
        assert refused.value.code is Code.TRY_LATER
        await server.start()
        await eventually(lambda: store.is_up)
        known = await people.greet(None, "", "pt")
        await server.stop()
        with pytest.raises(LaeloError) as refused:
            await people.greet(None, "", "pt")
        assert refused.value.code is Code.TRY_LATER
        assert (await people.greet(known.token, "", "pt")).person == known.person
        await server.start()
        assert (await people.greet(None, "", "pt")).token


async def test_guests_long_away_are_deleted(server: Server) -> None:
    await server.start()
    await MIGRATIONS.run(server.dsn)
    person, kept = Person(new_id(), "Ana"), Person(new_id(), "Bia")
    store = PostgresPeople(server.dsn)
    async with running(store):
        await eventually(lambda: store.is_up)
        for one, token in ((person, "a"), (kept, "b")):
            await store.add_guest(one, "pt", hashed_token(token))
    connection = await asyncpg.connect(server.dsn)
    try:
        await connection.execute(
            "UPDATE people SET seen_at = now() - interval '91 days' WHERE id = $1", person.id
        )
    finally:
        await connection.close()
    async with running(PostgresPeople(server.dsn)) as again:
        await eventually(lambda: again.is_up)
        async with asyncio.timeout(30):
            while await again.find(hashed_token("a")) is not None:
                pass
        assert await again.find(hashed_token("b")) == kept


async def test_a_cancelled_request_gives_its_connection_back(server: Server) -> None:
    """pool-leak: after many requests cut off at any moment the pool is whole."""
    await server.start()
    async with running(PostgresPeople(server.dsn, most=3)) as store:
        await eventually(lambda: store.is_up)
        for number in range(200):
            task = asyncio.create_task(store.find(hashed_token(str(number))))
            for _ in range(number % 7):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        found = await asyncio.gather(*(store.find(hashed_token(str(n))) for n in range(10)))
        assert found == [None] * 10
