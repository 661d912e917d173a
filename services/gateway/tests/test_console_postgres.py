"""The console in a real PostgreSQL, each part under the role that it has in production."""

import asyncio
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_common.postgres import Database
from laelo_gateway.accounts.store import Identity, NewSession
from laelo_gateway.adapters.accounts import PostgresAccounts
from laelo_gateway.adapters.bots import PostgresBots
from laelo_gateway.adapters.console import MigratedByOthers, PostgresConsole
from laelo_gateway.adapters.orders import PostgresOrders
from laelo_gateway.adapters.postgres import PostgresPeople
from laelo_gateway.console.chain import faults
from laelo_gateway.console.store import Deed, Operator
from laelo_gateway.domain.account_name import name_key
from laelo_gateway.domain.commands import Person
from laelo_gateway.orders.store import Announcement
from laelo_gateway.people import hashed_token
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor

pytestmark = pytest.mark.integration

OLGA, ANA = (Identity("https://issuer.example", name) for name in ("olga", "ana"))
LATER = datetime.now(UTC) + timedelta(days=3)
KEY = hashed_token("olga's browser")


class House:
    """A database as `deploy/compose/databases.sh` makes it, with the gateway and the console."""

    def __init__(self, dsn: str) -> None:
        self.superuser = dsn
        self.gateway_dsn, self.console_dsn = (
            dsn.replace("postgres@", f"{role}@").rpartition("/")[0] + "/gateway"
            for role in ("gateway", "console")
        )
        self.people = PostgresPeople(self.gateway_dsn)
        self.accounts = PostgresAccounts(self.people.database)
        self.orders = PostgresOrders(self.people.database)
        self.database = Database(self.console_dsn, MigratedByOthers("gateway"))
        self.console = PostgresConsole(self.database)

    async def begin(self) -> None:
        for statement in (
            "CREATE ROLE gateway LOGIN",
            "CREATE ROLE console LOGIN",
            "CREATE DATABASE gateway OWNER gateway",
        ):
            await self.sql(self.superuser, statement)
        await self.people.database.reach()
        await self.database.reach()

    async def close(self) -> None:
        await self.database.close()
        await self.people.close()

    async def sql(self, dsn: str, query: str, *values: Any) -> list[Any]:
        connection = await asyncpg.connect(dsn)
        try:
            return list(await connection.fetch(query, *values))
        finally:
            await connection.close()

    async def join(self, identity: Identity, name: str) -> str:
        """Somebody who plays."""
        session = NewSession(hashed_token(new_id()), "pt")
        person = await self.accounts.sign_in(identity, session)
        assert await self.accounts.rename(person.id, name, name_key(name))
        return person.id

    async def shell(self, *args: str) -> tuple[int, str]:
        """What `laelo admin` and `laelo audit` run."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "laelo_gateway.console.shell",
            *args,
            env={"LAELO_GATEWAY_PG_DSN": self.gateway_dsn, "USER": "root"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, out.decode()

    async def operator(self) -> Operator:
        """Olga, made one by the shell, and signed in."""
        await self.join(OLGA, "Olga")
        assert (await self.shell("grant", "olga", "--reason", "she runs it"))[0] == 0
        operator = await self.console.sign_in(OLGA, KEY, None, "203.0.113.9")
        assert operator is not None
        return operator


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    ports = Ports()
    postgres = Postgres(tmp_path / "postgres", ports.free(), durable=False)
    supervisor = Supervisor(OnExit.LEAVE)
    await supervisor.start(await asyncio.to_thread(postgres.prepare))
    house = House(postgres.dsn)
    await house.begin()
    yield house
    await house.close()
    await supervisor.stop()
    ports.release()
    remove_data(tmp_path / "postgres")


def deed(action: str, subject: str, reason: str = "because") -> Deed:
    return Deed("olga", action, subject, reason, "203.0.113.9", new_id())


async def test_only_who_was_made_an_operator_comes_in_and_only_for_as_long(house: House) -> None:
    ana = await house.join(ANA, "Ana")
    assert await house.console.sign_in(ANA, KEY, None, "") is None
    nobody = Identity(ANA.issuer, "nobody")
    assert await house.console.sign_in(nobody, KEY, None, "") is None
    assert not await house.sql(house.gateway_dsn, "TABLE audit")
    olga = await house.operator()
    assert await house.console.find(KEY) == olga
    assert "Olga" in (await house.shell("list"))[1]
    for age in ("used_at = now() - interval '16 minutes'", "made_at = now() - interval '9 hours'"):
        await house.sql(house.gateway_dsn, f"UPDATE console_sessions SET {age}")
        assert await house.console.find(KEY) is None
        await house.sql(
            house.gateway_dsn, "UPDATE console_sessions SET used_at = now(), made_at = now()"
        )
    assert await house.console.find(KEY) == olga
    assert (await house.shell("revoke", olga.id))[0] == 0
    assert await house.console.find(KEY) is None
    assert await house.console.sign_in(OLGA, KEY, None, "") is None
    assert (await house.shell("grant", "nobody at all"))[0] == 2
    told = [entry.deed.action for entry in await house.console.entries(0, 10)]
    assert told == ["revoke", "sign in", "grant"]
    await house.shell("grant", ana)
    await house.accounts.erase(ana)
    assert (await house.shell("list"))[1].startswith("Nobody")


async def test_the_audit_log_is_only_added_to(house: House) -> None:
    await house.operator()
    for number in range(3):
        await house.console.note(deed("look", str(number)))
    console, owner = house.console_dsn, house.gateway_dsn
    for dsn in (console, owner):
        for change in (
            "UPDATE audit SET reason = 'none'",
            "DELETE FROM audit",
            "TRUNCATE audit",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await house.sql(dsn, change)
    for change in (
        "ALTER TABLE audit DISABLE TRIGGER audit_kept",
        "DROP TABLE audit",
        "INSERT INTO operators (account) SELECT id FROM accounts",
        "DELETE FROM operators",
        "UPDATE bans SET reason = 'none'",
        "DELETE FROM bans",
        "UPDATE orders_changed SET times = 0",
        "SELECT token_hash FROM account_sessions",
        "SELECT settings FROM accounts",
        "UPDATE accounts SET name = 'x'",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await house.sql(console, change)
    forged = (
        "INSERT INTO audit VALUES (99, now() - interval '1 year', $1, $1, $1, $1, $1, $1, $1, '')"
    )
    await house.sql(console, forged, "x")
    entries = await house.console.entries(0, 100)
    assert [entry.number for entry in entries] == list(range(len(entries), 0, -1))
    assert datetime.now(UTC) - entries[0].at < timedelta(hours=1)
    assert faults(entries[::-1]) == []
    with pytest.raises(asyncpg.CheckViolationError):
        await house.sql(console, forged, "a\nb")

    code, text = await house.shell("audit", "--verify")
    assert (code, "0 faults" in text) == (0, True)
    # Whoever owns the database can do anything to it, but not without a trace.
    for change in (
        "ALTER TABLE audit DISABLE TRIGGER audit_kept",
        "UPDATE audit SET reason = 'something else' WHERE number = 3",
    ):
        await house.sql(owner, change)
    code, text = await house.shell("audit", "--verify")
    assert (code, "entry 3 is not what was written" in text) == (1, True)
    assert "something else" in (await house.shell("audit", "--json"))[1]


async def test_what_is_ordered_holds_at_gateways(house: House) -> None:
    console, orders = house.console, house.orders
    ana = await house.join(ANA, "Ana")
    guest = Person(new_id(), "Zeca")
    await house.people.add_guest(guest, "pt", hashed_token("zeca"))
    assert [one.id for one in await console.people("an")] == [ana]
    assert [(one.id, one.kind) for one in await console.people("zeca")] == [(guest.id, "guest")]
    changes = await orders.changes()
    await console.ban(deed("ban", ana, "insults"), ana, LATER)
    await console.ban(deed("ban", guest.id), guest.id, LATER)
    assert await orders.changes() > changes
    bot = Person(new_id(), "Robô [bot]")
    changes = await orders.changes()
    assert await PostgresBots(house.people.database).add(ana, bot, hashed_token("bot"))
    assert await orders.changes() > changes
    held = (await orders.in_force()).bans
    assert held.keys() == {ana, guest.id, bot.id}
    assert (held[bot.id].until, held[bot.id].reason) == (LATER, "insults")
    assert [one.id for one in await console.bots_of(ana)] == [bot.id]
    found = await console.person(bot.id)
    assert found is not None
    assert (found.kind, found.owner) == ("bot", ana)

    await house.accounts.erase(ana)
    again = await house.join(ANA, "Ana")
    assert again != ana
    assert (await orders.in_force()).bans.keys() == {again, guest.id}
    assert await console.lift(deed("let in", again), again)
    assert not await console.lift(deed("let in", again), again)
    assert (await orders.in_force()).bans.keys() == {guest.id}
    assert [ban.holds(datetime.now(UTC)) for ban in await console.bans(again)] == [False]

    first, second = (Announcement(new_id(), n, n, n, LATER) for n in ("one", "two"))
    await console.announce(deed("announce", first.id), first)
    await console.announce(deed("announce", second.id), second)
    assert (await orders.in_force()).announcement == second
    assert await console.end_announcement(deed("end announcement", second.id), second.id)
    assert (await orders.in_force()).announcement == first
    assert [told.announcement for told in await console.announcements()] == [second, first]


async def test_deeds_at_once_make_one_chain_and_what_is_not_noted_is_not_done(
    house: House,
) -> None:
    await asyncio.gather(*(house.console.note(deed("look", str(n))) for n in range(30)))
    entries = (await house.console.entries(0, 100))[::-1]
    assert len(entries) == 30
    assert faults(entries) == []
    for missing in (1, 15):
        assert faults([*entries[: missing - 1], *entries[missing:]])
    assert (await house.console.entries(11, 5))[0].number == 10

    ana = await house.join(ANA, "Ana")
    with pytest.raises(LaeloError, match="the database refuses"):
        await house.console.ban(deed("ban\n", ana), ana, LATER)
    assert not (await house.orders.in_force()).bans
    await house.database.close()
    with pytest.raises(LaeloError) as away:
        await house.console.note(deed("look", "x"))
    assert away.value.code is Code.TRY_LATER
