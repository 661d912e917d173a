"""Guests: who comes back is known by a token; who does not gets a name and a new one."""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.domain.account_name import name_key
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.nickname import BadNickname, default_nickname, nickname

CACHED: Final = 10_000
KNOWN_SECONDS: Final = 12 * 3600.0
"""For which a person is remembered without asking the store, where it has to be noted now and then
that they were here: who is not seen for long is forgotten.
"""
TOKEN_BYTES: Final = 32
BOT_TOKEN: Final = "bot_"  # noqa: S105 - only how one begins
"""How tokens of bot accounts begin. These can be revoked, so they are looked up each time."""


class Greeting(NamedTuple):
    """Who came; `token` only if it is new."""

    person: Person
    token: str | None


class Known(NamedTuple):
    """A person, and when the store was asked."""

    person: Person
    asked_at: float


class Looks(Protocol):
    """How many tokens that are nobody's may still be looked for."""

    def check(self) -> None:
        """May one more be looked for? Raises LaeloError with TOO_FAST."""

    def missed(self) -> None:
        """It was nobody's."""


class Unlimited:
    """Looks without end, for those who are known otherwise."""

    def check(self) -> None:
        """Any time."""

    def missed(self) -> None:
        """Never mind."""


ANY: Final = Unlimited()


class PeopleStore(Protocol):
    """Where people are kept. Every method raises LaeloError with TRY_LATER while it is away."""

    async def add_guest(self, person: Person, language: str, token_hash: bytes) -> None:
        """Keep a new guest and the session."""

    async def find(self, token_hash: bytes) -> Person | None:
        """Whose session this is."""

    async def rename(self, person: Person) -> None:
        """Keep a person's new name."""

    async def is_taken(self, name_key: str) -> bool:
        """Whether an account has a nickname of this key."""


class People:
    """Says who a client is. The newest known people are remembered while the store is away.

    A guest cannot take the nickname of an account. Who had it before the account did, and now
    comes back with it, is given another one: there is nobody to be asked at that moment.
    """

    def __init__(self, store: PeopleStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[bytes, Known] = OrderedDict()

    async def greet(
        self,
        token: str | None,
        wanted: str,
        language: str,
        admit: Callable[[], None] = lambda: None,
        looks: Looks = ANY,
    ) -> Greeting:
        """The person of the token, or a new guest if `admit` does not raise. Raises LaeloError."""
        if token and token.startswith(BOT_TOKEN):
            return Greeting(await self._bot(token, looks), None)
        name = self._checked(wanted) if wanted.strip() else ""
        if token:
            hashed = hashed_token(token)
            before = self._known.get(hashed)
            known = await self._whose(hashed, looks)
            if known is not None:
                person = known.person
                if known is not before or (name and name != person.name):
                    person = await self._named(person, name, language)
                self._remember(hashed, known._replace(person=person))
                return Greeting(person, None)
        admit()
        if name:
            await self._check_free(name)
        name = name or default_nickname(language, secrets.randbelow(9000))
        return await self._make(Person(new_id(), name), language)

    async def find(self, token: str) -> Person | None:
        """Whose token this is; nobody is made for one that is unknown. Raises LaeloError."""
        hashed = hashed_token(token)
        if token.startswith(BOT_TOKEN):
            return await self._store.find(hashed)
        known = await self._whose(hashed, ANY)
        if known is None:
            return None
        self._remember(hashed, known)
        return known.person

    async def _whose(self, hashed: bytes, looks: Looks) -> Known | None:
        """Who has this token: as the store has it or, for a while and while it is away, had it."""
        known = self._known.get(hashed)
        if known is not None and self._clock() - known.asked_at < KNOWN_SECONDS:
            return known
        try:
            person = await self._look(hashed, ANY if known else looks)
        except LaeloError as error:
            if known is None or error.code is not Code.TRY_LATER:
                raise
            return known
        if person is None:
            self._known.pop(hashed, None)
            return None
        return Known(person, self._clock())

    async def _look(self, hashed: bytes, looks: Looks) -> Person | None:
        looks.check()
        person = await self._store.find(hashed)
        if person is None:
            looks.missed()
        return person

    async def _bot(self, token: str, looks: Looks) -> Person:
        """The bot of the token, under its own name whatever it wants to be called."""
        person = await self._look(hashed_token(token), looks)
        if person is None:
            raise LaeloError(Code.SIGN_IN, "no bot has this token any more: make a new one")
        return person

    async def _named(self, person: Person, wanted: str, language: str) -> Person:
        """The person under the name that is wanted, or under the kept one if that can be."""
        name = wanted or person.name
        if name != person.name:
            await self._check_free(name)
        elif await self._store.is_taken(name_key(name)):
            name = default_nickname(language, secrets.randbelow(9000))
        if name != person.name:
            person = person._replace(name=name)
            await self._store.rename(person)
        return person

    async def _check_free(self, name: str) -> None:
        if await self._store.is_taken(name_key(name)):
            words = f"“{name}” is the nickname of somebody with an account, or looks like it"
            raise LaeloError(Code.NAME_TAKEN, words)

    async def _make(self, person: Person, language: str) -> Greeting:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        hashed = hashed_token(token)
        await self._store.add_guest(person, language, hashed)
        self._remember(hashed, Known(person, self._clock()))
        return Greeting(person, token)

    def _remember(self, hashed: bytes, known: Known) -> None:
        self._known[hashed] = known
        self._known.move_to_end(hashed)
        while len(self._known) > CACHED:
            self._known.popitem(last=False)

    @staticmethod
    def _checked(wanted: str) -> str:
        try:
            return nickname(wanted)
        except BadNickname as error:
            raise LaeloError(Code.BAD_NICKNAME, str(error)) from error


def hashed_token(token: str) -> bytes:
    """What is kept of a token. It is random and long, so one round of SHA-256 will do."""
    return hashlib.sha256(token.encode()).digest()
