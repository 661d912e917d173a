"""Accounts in memory, and a browser that signs in."""

import html
import re
from collections.abc import Collection, Mapping
from typing import Any, Protocol

import httpx
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.accounts.store import Identity, NewSession
from laelo_gateway.domain.commands import Person

_FIELD = re.compile(r'name="([^"]+)" value="([^"]*)"')


class Guests(Protocol):
    """The store of guests, that has to know which names are taken, and is away together."""

    taken: set[str]
    is_away: bool

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        """Those of them that tests have put there as people with accounts."""


class MemoryAccounts:
    """An `AccountStore` that can be away."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests
        self.accounts: dict[Identity, Person] = {}
        self.sessions: dict[bytes, str] = {}
        self._keys: dict[str, str] = {}
        self._settings: dict[str, dict[str, Any]] = {}

    def _check(self) -> None:
        if self._guests.is_away:
            raise LaeloError(Code.TRY_LATER, "away")

    def _person(self, person: str) -> Person:
        return next(found for found in self.accounts.values() if found.id == person)

    async def sign_in(self, identity: Identity, session: NewSession) -> Person:
        """The identity's account, with a new session."""
        self._check()
        person = self.accounts.setdefault(identity, Person(new_id(), "", guest=False))
        self.sessions.pop(session.replaces or b"", None)
        self.sessions[session.key] = person.id
        return person

    async def find(self, key: bytes) -> Person | None:
        """Whose session this is."""
        self._check()
        return self._person(self.sessions[key]) if key in self.sessions else None

    async def living(self, keys: Collection[bytes]) -> Mapping[bytes, Person]:
        """Those that are not over."""
        self._check()
        return {k: self._person(self.sessions[k]) for k in keys if k in self.sessions}

    async def end(self, key: bytes) -> None:
        """End one."""
        self._check()
        self.sessions.pop(key, None)

    async def end_all(self, person: str) -> None:
        """End all of a person."""
        self._check()
        self.sessions = {k: p for k, p in self.sessions.items() if p != person}

    async def rename(self, person: str, name: str, name_key: str) -> bool:
        """Give a nickname."""
        self._check()
        if any(key == name_key and who != person for who, key in self._keys.items()):
            return False
        self._keys[person] = name_key
        self._guests.taken = set(self._keys.values())
        for identity, known in self.accounts.items():
            if known.id == person:
                self.accounts[identity] = known._replace(name=name)
        return True

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        """Nicknames."""
        self._check()
        found = {p.id: p.name for p in self.accounts.values() if p.id in persons and p.name}
        return {**await self._guests.names(persons), **found}

    async def merge_settings(
        self, person: str, changed: Mapping[str, Any], otherwise: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Merge."""
        self._check()
        kept = self._settings.get(person, {})
        self._settings[person] = {**otherwise, **kept, **changed}
        return self._settings[person]

    async def export(self, person: str) -> dict[str, Any]:
        """All of a person."""
        self._check()
        identity = next(i for i, p in self.accounts.items() if p.id == person)
        known = {**identity._asdict(), **self._person(person)._asdict()}
        return {"account": {**known, "settings": self._settings.get(person, {})}}

    async def erase(self, person: str) -> None:
        """Delete."""
        await self.end_all(person)
        self.accounts = {i: p for i, p in self.accounts.items() if p.id != person}
        self._keys.pop(person, None)
        self._settings.pop(person, None)
        self._guests.taken = set(self._keys.values())


class Browser:
    """Follows a sign-in as a person does, and keeps the cookies."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.http = httpx.AsyncClient(base_url=base, trust_env=False)

    async def close(self) -> None:
        """Let go of connections."""
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        """The Cookie header that this browser would send."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    async def issuer_page(self, back: str = "/") -> tuple[str, dict[str, str]]:
        """Begin a sign-in: the issuer's address, and what its form sends back."""
        begun = await self.http.get("/auth/sign-in", params={"back": back})
        assert begun.status_code == 303, begun.text  # noqa: S101 - for tests
        shown = await self.http.get(begun.headers["location"])
        assert shown.status_code == 200, shown.text  # noqa: S101
        fields = {n: html.unescape(v) for n, v in _FIELD.findall(shown.text) if n != "deny"}
        return str(shown.url.copy_with(query=None)), fields

    async def authorize(self, subject: str, back: str = "/", **more: str) -> str:
        """Say who one is: the address to which the issuer sends the browser back."""
        address, fields = await self.issuer_page(back)
        sent = await self.http.post(address, data={**fields, "subject": subject, **more})
        assert sent.status_code == 303, sent.text  # noqa: S101
        return sent.headers["location"]

    async def sign_in(self, subject: str, back: str = "/") -> httpx.Response:
        """The whole way: the answer of the callback."""
        return await self.http.get(await self.authorize(subject, back))

    async def send(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        """What a page of the site does: POST with JSON, or another method."""
        method = options.pop("method", "POST")
        headers = {"origin": self.base, **options}
        return await self.http.request(method, path, json=body or {}, headers=headers)

    async def account(self) -> dict[str, Any]:
        """Who one is here."""
        answer: dict[str, Any] = (await self.http.get("/api/account")).json()
        return answer
