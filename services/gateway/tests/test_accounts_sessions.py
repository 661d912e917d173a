"""What a gateway remembers of sessions, and for how long."""

import pytest
from laelo_common.errors import LaeloError
from laelo_gateway.accounts import sessions
from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.sessions import Listener, Sessions
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.store import Identity
from laelo_gateway.testing.accounts import MemoryAccounts
from laelo_gateway.testing.gateway import MemoryPeople
from starlette.requests import Request


class House(Listener):
    """Sessions with a store, a clock, and the sockets that tests open."""

    def __init__(self) -> None:
        self.now = 0.0
        self.guests = MemoryPeople()
        self.store = MemoryAccounts(self.guests)
        self.sessions = Sessions(self.store, Cookies(secure=False), lambda: self.now)
        self.sessions.listen(self)
        self.sockets: set[bytes] = set()

    def held(self) -> set[bytes]:
        return self.sockets

    async def begin(self, subject: str, cookies: str = "") -> str:
        token, _ = await self.sessions.begin(Identity("i", subject), "pt", cookies)
        return f"laelo_session={token}"

    async def is_known_in_an_outage(self, cookies: str) -> bool:
        self.guests.is_away = True
        try:
            return await self.sessions.of(cookies) is not None
        except LaeloError:
            return False
        finally:
            self.guests.is_away = False


async def test_who_has_no_socket_is_forgotten_after_a_while() -> None:
    house = House()
    gone, here = await house.begin("gone"), await house.begin("here")
    found = await house.sessions.of(here)
    assert found is not None
    house.sockets = {found.key}
    house.now += sessions.KNOWN_SECONDS
    await house.sessions.check()
    assert await house.is_known_in_an_outage(gone)
    house.now += 2 * sessions.KNOWN_SECONDS
    await house.sessions.check()
    assert not await house.is_known_in_an_outage(gone)
    assert await house.is_known_in_an_outage(here)
    assert await house.sessions.of(gone), "forgotten here, but not over"


async def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_KNOWN", 3)
    house = House()
    came = [await house.begin(str(number)) for number in range(5)]
    known = [await house.is_known_in_an_outage(cookies) for cookies in came]
    assert known == [False, False, True, True, True]


async def test_a_session_that_is_over_is_not_known_in_an_outage_either() -> None:
    house = House()
    cookies = await house.begin("ana")
    found = await house.sessions.of(cookies)
    assert found is not None
    await house.store.end(found.key)
    await house.sessions.check()
    assert not await house.is_known_in_an_outage(cookies)


async def test_an_empty_house_asks_nothing() -> None:
    house = House()
    house.guests.is_away = True
    await house.sessions.check()


@pytest.mark.parametrize("host", ["", "evil.example/path", "a b", "x:y", "user@host", "[::1"])
def test_a_host_that_is_none_makes_no_address(host: str) -> None:
    scope = {"type": "http", "headers": [(b"host", host.encode())], "scheme": "http", "path": "/"}
    with pytest.raises(LaeloError):
        Site().base(Request(scope | {"server": ("a", 1), "query_string": b""}))
