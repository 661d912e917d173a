"""Who is signed in, and who is not any more.

A session ends at any gateway; the others look every few seconds which of those that they know
still live, and close the sockets of those that do not.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from laelo_common.errors import Code, LaeloError

from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.store import AccountStore, Identity, NewSession
from laelo_gateway.domain.commands import Person
from laelo_gateway.people import TOKEN_BYTES, hashed_token

CHECK_SECONDS: Final = 5.0
KNOWN_SECONDS: Final = 900.0
"""How long a session is remembered that has no socket: in that time it is known even while the
store is away."""
MOST_KNOWN: Final = 20_000
LONGEST_TOKEN: Final = 128

_log = logging.getLogger(__name__)


class Session(NamedTuple):
    """Somebody who is signed in. The key is the hash of the token and is never shown."""

    key: bytes
    person: Person


class Listener:
    """Who has sockets open. Called in the event loop; must not block."""

    def held(self) -> Iterable[bytes]:
        """Keys of the sessions that have a socket here."""
        return ()

    def ended(self, keys: Collection[bytes]) -> None:
        """These sessions are over."""

    def renamed(self, person: Person) -> None:
        """The person has another nickname."""


class Sessions:
    """Begins, finds and ends sessions."""

    def __init__(
        self, store: AccountStore, cookies: Cookies, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._cookies = cookies
        self._clock = clock
        self._known: dict[bytes, tuple[Person, float]] = {}
        self._listener = Listener()

    def listen(self, listener: Listener) -> None:
        """Tell this one from now on."""
        self._listener = listener

    async def begin(self, identity: Identity, language: str, cookies: str) -> tuple[str, Person]:
        """A new session and its token, for the browser that sent these cookies. The session that
        the browser had is over: a token that somebody else knows is never made good.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        old = self._key(cookies)
        session = NewSession(hashed_token(token), language, old)
        person = await self._store.sign_in(identity, session)
        if old is not None:
            self._over([old])
        self._remember(session.key, person)
        return token, person

    def is_claimed(self, cookies: str) -> bool:
        """Whether a Cookie header names a session, be it one or not."""
        return self._key(cookies) is not None

    async def of(self, cookies: str) -> Session | None:
        """The session of a Cookie header, if it is one that is not over. Raises LaeloError."""
        key = self._key(cookies)
        if key is None:
            return None
        try:
            person = await self._store.find(key)
        except LaeloError as error:
            known = self._known.get(key)
            if error.code is not Code.TRY_LATER or known is None:
                raise
            person = known[0]
        if person is None:
            self._over([key])
            return None
        self._remember(key, person)
        return Session(key, person)

    async def end(self, session: Session) -> None:
        """End this session."""
        await self._store.end(session.key)
        self._over([session.key])

    async def end_all(self, person: Person) -> None:
        """End all sessions of a person."""
        await self._store.end_all(person.id)
        self._over_all(person)

    async def rename(self, session: Session, name: str, name_key: str) -> Person:
        """Give the person a nickname. Raises LaeloError."""
        if not await self._store.rename(session.person.id, name, name_key):
            words = f"somebody has “{name}”, or a nickname that looks like it"
            raise LaeloError(Code.NAME_TAKEN, words)
        person = session.person._replace(name=name)
        self._renamed(person)
        return person

    async def erase(self, person: Person) -> None:
        """Delete the person's account."""
        await self._store.erase(person.id)
        self._over_all(person)

    async def run(self) -> None:
        """Look for ever which sessions are over."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
            except LaeloError as error:
                _log.info("sessions are not looked at now: %s", error)

    async def check(self) -> None:
        """Look which of the known sessions are over, and whose name is another one."""
        held = set(self._listener.held())
        self._forget_old(held)
        keys = held.union(self._known)
        if not keys:
            return
        living = await self._store.living(keys)
        self._over([key for key in keys if key not in living])
        for key, person in living.items():
            known = self._known.get(key)
            if known is not None and known[0] != person:
                self._renamed(person)

    # Inside.

    def _key(self, cookies: str) -> bytes | None:
        token = self._cookies.session(cookies)
        return hashed_token(token) if token and len(token) <= LONGEST_TOKEN else None

    def _remember(self, key: bytes, person: Person) -> None:
        self._known.pop(key, None)
        self._known[key] = (person, self._clock())
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def _forget_old(self, held: Collection[bytes]) -> None:
        """Forget who went long ago; who has a socket is here now."""
        now = self._clock()
        for key, (person, at) in list(self._known.items()):
            if key in held:
                self._known[key] = (person, now)
            elif now - at > KNOWN_SECONDS:
                del self._known[key]

    def _over(self, keys: Collection[bytes]) -> None:
        for key in keys:
            self._known.pop(key, None)
        if keys:
            self._listener.ended(keys)

    def _over_all(self, person: Person) -> None:
        self._over([key for key, (known, _) in self._known.items() if known.id == person.id])

    def _renamed(self, person: Person) -> None:
        for key, (known, at) in list(self._known.items()):
            if known.id == person.id:
                self._known[key] = (person, at)
        self._listener.renamed(person)
