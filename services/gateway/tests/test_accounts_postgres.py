"""Accounts in a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from laelo_common.errors import Code, LaeloError
from laelo_gateway.accounts.store import IDLE_DAYS, LONGEST_DAYS, Identity, NewSession
from laelo_gateway.adapters.accounts import PostgresAccounts
from laelo_gateway.adapters.postgres import PostgresPeople
from laelo_gateway.domain.account_name import name_key
from laelo_gateway.people import hashed_token
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import Signing, eventually, gateway_of
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor

pytestmark = pytest.mark.integration

ANA = Identity("https://issuer.example", "ana")


class House:
    """A store on a database of its own."""

    def __init__(self, data: Path, port: int) -> None:
        self._postgres = Postgres(data, port, durable=False)
        self._supervisor = Supervisor(OnExit.LEAVE)
        self.dsn = self._postgres.dsn
        self.people = PostgresPeople(self.dsn)
        self.accounts = PostgresAccounts(self.people.database)
        self._run: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._supervisor.start(await asyncio.to_thread(self._postgres.prepare))
        if self._run is None:
            self._run = asyncio.create_task(self.people.run())
        await eventually(lambda: self.people.is_up)

    async def stop(self) -> None:
        await self._supervisor.stop()
        self._supervisor = Supervisor(OnExit.LEAVE)

    async def close(self) -> None:
        if self._run is not None:
            self._run.cancel()
            await asyncio.gather(self._run, return_exceptions=True)
        await self.people.close()
        await self.stop()

    async def sql(self, query: str, *values: Any) -> list[Any]:
        connection = await asyncpg.connect(self.dsn)
        try:
            return list(await connection.fetch(query, *values))
        finally:
            await connection.close()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    ports = Ports()
    house = House(tmp_path / "postgres", ports.free())
    await house.start()
    yield house
    await house.close()
    ports.release()
    remove_data(tmp_path / "postgres")


def session(name: str, replaces: str = "") -> NewSession:
    old = hashed_token(replaces) if replaces else None
    return NewSession(hashed_token(name), "pt", old)


async def test_one_identity_is_one_person_however_many_come_at_once(house: House) -> None:
    found = await asyncio.gather(*(house.accounts.sign_in(ANA, session(str(n))) for n in range(20)))
    assert len({person.id for person in found}) == 1
    other = await house.accounts.sign_in(ANA._replace(issuer="https://else"), session("x"))
    assert other.id != found[0].id, "the issuer belongs to who one is"
    living = await house.accounts.living([hashed_token(str(n)) for n in range(30)])
    assert len(living) == 20


async def test_of_many_who_want_a_name_at_once_one_gets_it(house: House) -> None:
    people = [
        await house.accounts.sign_in(ANA._replace(subject=f"p{n}"), session(f"p{n}"))
        for n in range(8)
    ]
    got = await asyncio.gather(
        *(house.accounts.rename(person.id, "Ana", name_key("Ana")) for person in people)
    )
    assert sorted(got) == [False] * 7 + [True]
    names = await house.accounts.names([person.id for person in people] + ["nobody"])
    assert list(names.values()) == ["Ana"]
    assert await house.people.is_taken(name_key("ÁNA"))
    assert not await house.people.is_taken(name_key("Anna"))


async def test_sessions_end_one_by_one_together_and_when_another_takes_their_place(
    house: House,
) -> None:
    ana = await house.accounts.sign_in(ANA, session("a"))
    await house.accounts.sign_in(ANA, session("b", replaces="a"))
    assert await house.accounts.find(hashed_token("a")) is None
    assert await house.accounts.find(hashed_token("b")) == ana
    await house.accounts.sign_in(ANA, session("c"))
    await house.accounts.end(hashed_token("b"))
    assert await house.accounts.find(hashed_token("b")) is None
    await house.accounts.sign_in(ANA, session("d"))
    await house.accounts.end_all(ana.id)
    assert await house.accounts.living([hashed_token(t) for t in "abcd"]) == {}


@pytest.mark.parametrize(("column", "days"), [("used_at", IDLE_DAYS), ("made_at", LONGEST_DAYS)])
async def test_sessions_run_out_and_are_deleted(house: House, column: str, days: int) -> None:
    await house.accounts.sign_in(ANA, session("a"))
    move = f"UPDATE account_sessions SET {column} = now() - $1::interval"
    await house.sql(move, timedelta(days=days - 1))
    assert await house.accounts.find(hashed_token("a")) is not None
    await house.sql(move, timedelta(days=days, minutes=1))
    assert await house.accounts.find(hashed_token("a")) is None
    await house.people._tidy()
    assert await house.sql("SELECT * FROM account_sessions") == []
    assert len(await house.sql("SELECT * FROM accounts")) == 1


async def test_that_a_session_is_used_keeps_it(house: House) -> None:
    await house.accounts.sign_in(ANA, session("a"))
    await house.sql("UPDATE account_sessions SET used_at = now() - interval '2 days'")
    await house.sql("UPDATE accounts SET seen_at = now() - interval '2 days'")
    await house.accounts.find(hashed_token("a"))
    [row] = await house.sql(
        "SELECT s.used_at > now() - interval '1 hour' AS used,"
        " a.seen_at > now() - interval '1 hour' AS seen FROM account_sessions s, accounts a"
    )
    assert tuple(row) == (True, True)


async def test_what_is_exported_is_all_that_the_tables_hold_but_secrets(house: House) -> None:
    ana = await house.accounts.sign_in(ANA, session("a"))
    await house.accounts.rename(ana.id, "Ana", name_key("Ana"))
    await house.accounts.merge_settings(ana.id, {"theme": "dark"}, {})
    kept = await house.accounts.export(ana.id)
    assert kept["account"]["settings"] == {"theme": "dark"}
    [account] = await house.sql("SELECT * FROM accounts")
    assert set(account.keys()) - set(kept["account"]) == {"name_key"}, "made of the name"
    [row] = await house.sql("SELECT * FROM account_sessions")
    assert set(row.keys()) - set(kept["sessions"][0]) == {"token_hash", "account"}
    for column in (*account.keys(), *row.keys()):
        assert "mail" not in column


async def test_settings_of_devices_are_merged(house: House) -> None:
    ana = await house.accounts.sign_in(ANA, session("a"))
    bia = await house.accounts.sign_in(ANA._replace(subject="bia"), session("b"))
    merge = house.accounts.merge_settings
    first = await merge(ana.id, {}, {"theme": "dark", "lang": None})
    assert first == {"theme": "dark", "lang": None}
    second = await merge(ana.id, {"theme": "light"}, {"theme": "auto", "lang": "es", "dim": False})
    assert second == {"theme": "light", "lang": None, "dim": False}
    await asyncio.gather(*(merge(ana.id, {f"setting_{n}": n}, {}) for n in range(10)))
    assert len(await merge(ana.id, {}, {})) == 13
    assert await merge(bia.id, {}, {}) == {}
    with pytest.raises(LaeloError, match="the database refuses"):
        await merge(ana.id, {"far": "too long" * 300}, {})
    assert await merge("nobody", {"dim": True}, {}) == {}


async def test_a_deleted_person_is_in_no_table(house: House) -> None:
    ana = await house.accounts.sign_in(ANA, session("a"))
    await house.accounts.rename(ana.id, "Ana", name_key("Ana"))
    await house.accounts.erase(ana.id)
    for table in ("accounts", "account_sessions", "people", "sessions"):
        assert await house.sql(f"SELECT * FROM {table}") == []
    assert not await house.people.is_taken(name_key("Ana"))
    assert (await house.accounts.sign_in(ANA, session("b"))).id != ana.id


async def test_a_whole_sign_in_stores_no_token_and_outlives_the_gateway(house: House) -> None:
    signing = Signing(store=house.accounts)
    async with gateway_of([], signing=signing) as gateway:
        browser = Browser(f"http://127.0.0.1:{gateway.port}")
        await browser.sign_in("ana")
        await browser.send("/api/account/name", {"name": "Ana"})
        token, cookie = browser.http.cookies["laelo_session"], browser.cookie
        await browser.close()
    dump = str(await house.sql("SELECT * FROM accounts, account_sessions"))
    assert token not in dump
    assert hashed_token(token) in [
        row["token_hash"] for row in await house.sql("SELECT * FROM account_sessions")
    ]
    async with gateway_of([], signing=signing) as other:
        player = await other.connect(additional_headers={"cookie": cookie})
        me = (await player.ask("hello", d={"proto": 1}))["d"]["me"]
        assert (me["name"], me["guest"]) == ("Ana", False)


async def test_a_session_that_ends_at_one_gateway_ends_at_the_other(house: House) -> None:
    signing = Signing(store=house.accounts)
    async with gateway_of([], signing=signing) as one, gateway_of([], signing=signing) as other:
        browser = Browser(f"http://127.0.0.1:{one.port}")
        await browser.sign_in("ana")
        player = await other.connect(additional_headers={"cookie": browser.cookie})
        await player.ask("hello", d={"proto": 1})
        await browser.send("/api/account/sign-out", {"everywhere": True})
        await other.accounts.sessions.check()
        await eventually(lambda: not len(other.sockets))
        assert player.socket.close_code == 4001
        await browser.close()


async def test_while_the_database_is_away_everything_is_to_be_tried_later(house: House) -> None:
    ana = await house.accounts.sign_in(ANA, session("a"))
    await house.stop()
    for work in (
        house.accounts.sign_in(ANA, session("b")),
        house.accounts.find(hashed_token("a")),
        house.accounts.living([hashed_token("a")]),
        house.accounts.end(hashed_token("a")),
        house.accounts.end_all(ana.id),
        house.accounts.rename(ana.id, "Ana", "ana"),
        house.accounts.names([ana.id]),
        house.accounts.merge_settings(ana.id, {}, {}),
        house.accounts.export(ana.id),
        house.accounts.erase(ana.id),
        house.people.is_taken("ana"),
    ):
        with pytest.raises(LaeloError) as refused:
            await work
        assert refused.value.code is Code.TRY_LATER
    await house.start()
    assert await house.accounts.find(hashed_token("a")) == ana
