"""Bot accounts in PostgreSQL: kept with their owner, and gone with them."""

import pytest
from laelo_gateway.accounts.store import Identity, NewSession
from laelo_gateway.adapters.accounts import PostgresAccounts
from laelo_gateway.adapters.bots import PostgresBots
from laelo_gateway.adapters.postgres import PostgresPeople
from laelo_gateway.bots.store import MOST
from laelo_gateway.domain.commands import Person
from laelo_gateway.people import hashed_token
from laelo_gateway.testing.gateway import eventually

from services.gateway.tests.test_gateway_postgres import Server, running, server

__all__ = ["server"]
pytestmark = pytest.mark.integration


async def test_bots_are_kept_with_their_owner(server: Server) -> None:
    await server.start()
    async with running(PostgresPeople(server.dsn)) as people:
        await eventually(lambda: people.is_up)
        bots, accounts = PostgresBots(people.database), PostgresAccounts(people.database)
        session = NewSession(hashed_token("session"), "es")
        ana = await accounts.sign_in(Identity("here", "ana"), session)
        made = [Person(f"bot{number}", f"Rex {number} [bot]") for number in range(MOST + 1)]
        kept = [await bots.add(ana.id, bot, hashed_token(bot.id)) for bot in made]
        assert kept == [True] * MOST + [False]
        assert not await bots.add("nobody", Person("x", "X [bot]"), hashed_token("x"))
        assert [bot.name for bot in await bots.of(ana.id)] == [bot.name for bot in made[:MOST]]
        assert await people.find(hashed_token("bot0")) == made[0]
        assert not await bots.revoke("nobody", "bot0")
        assert await bots.revoke(ana.id, "bot0")
        assert await people.find(hashed_token("bot0")) is None
        assert await bots.living(["bot0", "bot1"]) == {"bot1"}
        exported = await accounts.export(ana.id)
        assert [bot["id"] for bot in exported["bots"]] == ["bot1", "bot2", "bot3", "bot4"]
        await accounts.erase(ana.id)
        assert await bots.living([bot.id for bot in made]) == set()
        assert await people.find(hashed_token("bot1")) is None
