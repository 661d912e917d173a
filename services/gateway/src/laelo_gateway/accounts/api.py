"""`/api/account`: who one is, one's nickname and settings, signing out, one's data and their
deletion.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple, Protocol, TypeVar

import msgspec
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import server
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.pages import NOT_KEPT
from laelo_gateway.accounts.preferences import Merge
from laelo_gateway.accounts.provider import Kind
from laelo_gateway.accounts.sessions import Session, Sessions
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.store import AccountStore
from laelo_gateway.answers import STATUS
from laelo_gateway.bodies import read_body
from laelo_gateway.domain.account_name import account_name, name_key
from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.nickname import BadNickname

LARGEST: Final = 4096
NAMES: Final = (1 / 600, 10.0)
"""Nicknames that one person may try: a second, and at once."""
SETTINGS: Final = (0.5, 60.0)
"""How often one person's settings may be told, likewise."""

B = TypeVar("B")
Handler = Callable[[Request], Awaitable[Response]]


class Account(msgspec.Struct):
    """Who one is here. `provider`: with whom one can sign in, if at all."""

    signed_in: bool
    name: str
    nameless: bool
    provider: Kind | None


class Wanted(msgspec.Struct):
    """A nickname that is asked for."""

    name: Annotated[str, msgspec.Meta(max_length=64)]


class SignOut(msgspec.Struct):
    """Here, or in all browsers."""

    everywhere: bool = False


class Ties(Protocol):
    """What an account has to do with championships. Every method raises LaeloError with
    TRY_LATER while that cannot be known.
    """

    async def leave_queue(self, player: str) -> None:
        """Wait for none any more, as the account is going to be deleted."""

    async def in_championship(self, player: str) -> bool:
        """Whether the player's team is not yet out of a championship that runs (R34)."""

    async def history(self, player: str) -> list[dict[str, Any]]:
        """All that is kept of the player's championships, as JSON."""

    def forget_name(self, player: str) -> None:
        """The player is called something else from now on, or is no more."""


class NoTies:
    """A house without championships."""

    async def leave_queue(self, player: str) -> None:
        """There is no queue."""

    async def in_championship(self, player: str) -> bool:
        """Nobody is."""
        return False

    async def history(self, player: str) -> list[dict[str, Any]]:
        """There never was one."""
        return []

    def forget_name(self, player: str) -> None:
        """Nobody is named."""


class Office(NamedTuple):
    """What looking after accounts needs."""

    sessions: Sessions
    store: AccountStore
    cookies: Cookies
    site: Site
    limit: Buckets
    provider: Kind | None
    ties: Ties


class AccountApi:
    """What changes anything has to come from a page of this site, as JSON: a form or a script of
    another one can send neither.
    """

    def __init__(self, office: Office) -> None:
        self._office = office
        self._names = Buckets(*NAMES)
        self._settings = Buckets(*SETTINGS)

    def routes(self) -> list[BaseRoute]:
        """Where everything is."""
        return [
            Route("/api/account", self._reading(self.show), methods=["GET"]),
            Route("/api/account", self._changing(self.erase), methods=["DELETE"]),
            Route("/api/account/name", self._changing(self.rename), methods=["POST"]),
            Route("/api/account/settings", self._changing(self.settle), methods=["POST"]),
            Route("/api/account/sign-out", self._changing(self.sign_out), methods=["POST"]),
            Route("/api/account/export", self._reading(self.export), methods=["GET"]),
        ]

    async def person_of(self, request: Request) -> Person | None:
        """Whose page asks; None if they are not signed in. Raises LaeloError."""
        session = await self._office.sessions.of(request.headers.get("cookie", ""))
        return session.person if session is not None else None

    async def show(self, request: Request) -> Response:
        """`Account`."""
        return self._shown(await self.person_of(request))

    async def rename(self, request: Request) -> Response:
        """Choose a nickname, the first or another one; `Account`."""
        session = await self._session(request)
        wanted = await _body(request, Wanted)
        if not self._names.take(session.person.id, asyncio.get_running_loop().time()):
            raise LaeloError(Code.TOO_FAST, "too many nicknames: try again in some minutes")
        try:
            name = account_name(wanted.name)
        except BadNickname as error:
            raise LaeloError(Code.BAD_NICKNAME, str(error)) from error
        person = await self._office.sessions.rename(session, name, name_key(name))
        self._office.ties.forget_name(person.id)
        return self._shown(person)

    async def settle(self, request: Request) -> Response:
        """Bring what was set on a device (`Merge`), take what is kept now (`Preferences`)."""
        person = (await self._session(request)).person
        brought = await _body(request, Merge)
        if not self._settings.take(person.id, asyncio.get_running_loop().time()):
            raise LaeloError(Code.TOO_FAST, "settings change too often: try again in a moment")
        changed, otherwise = brought.changed.kept(), brought.otherwise.kept()
        kept = await self._office.store.merge_settings(person.id, changed, otherwise)
        return Response(msgspec.json.encode(kept), 200, NOT_KEPT, "application/json")

    async def sign_out(self, request: Request) -> Response:
        """End the session, or all of the person's; `Account`."""
        sessions = self._office.sessions
        wanted = await _body(request, SignOut)
        session = await sessions.of(request.headers.get("cookie", ""))
        if session is not None:
            await sessions.end(session)
            if wanted.everywhere:
                await sessions.end_all(session.person)
        return self._signed_out()

    async def export(self, request: Request) -> Response:
        """All that is kept of the person, as a file."""
        person = (await self._session(request)).person
        kept = await self._office.store.export(person.id)
        kept["championships"] = await self._office.ties.history(person.id)
        kept["exported_at"] = datetime.fromtimestamp(int(time.time()), UTC)
        headers = NOT_KEPT | {"content-disposition": 'attachment; filename="la-e-lo.json"'}
        text = msgspec.json.format(msgspec.json.encode(kept))
        return Response(text, 200, headers, "application/json")

    async def erase(self, request: Request) -> Response:
        """Delete the account, if its team is in no championship; `Account`.

        The queue comes first: who waits in it no more cannot be called into a championship.
        """
        person = (await self._session(request)).person
        await self._office.ties.leave_queue(person.id)
        if await self._office.ties.in_championship(person.id):
            words = "your championship is not over for you yet: delete your account after it"
            raise LaeloError(Code.IN_CHAMPIONSHIP, words)
        await self._office.sessions.erase(person)
        self._office.ties.forget_name(person.id)
        return self._signed_out()

    async def _session(self, request: Request) -> Session:
        session = await self._office.sessions.of(request.headers.get("cookie", ""))
        if session is None:
            raise LaeloError(Code.SIGN_IN)
        return session

    def _shown(self, person: Person | None) -> Response:
        if person is None:
            return _json(Account(False, "", False, self._office.provider))
        return _json(Account(True, person.name, person.nameless, self._office.provider))

    def _signed_out(self) -> Response:
        response = self._shown(None)
        self._office.cookies.drop_session(response)
        return response

    def _reading(self, handler: Handler) -> Handler:
        """What any page may ask for; others' pages cannot read the answer."""

        async def answer(request: Request) -> Response:
            try:
                self._office.site.limit(request, self._office.limit)
                return await handler(request)
            except LaeloError as error:
                return _refused(error, STATUS.get(error.code, 500))

        return answer

    def _changing(self, handler: Handler) -> Handler:
        async def answer(request: Request) -> Response:
            if not self._office.site.is_own_page(request):
                words = "only a page of this site may ask for this (Origin)"
                return _refused(LaeloError(Code.BAD_REQUEST, words), 403)
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                words = "this has to be asked for as application/json"
                return _refused(LaeloError(Code.BAD_REQUEST, words), 415)
            return await reading(request)

        reading = self._reading(handler)
        return answer


async def _body(request: Request, kind: type[B]) -> B:
    """The body as the kind that is wanted. Raises LaeloError."""
    body = await read_body(request, LARGEST)
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LaeloError(Code.BAD_REQUEST, f"the body is not as documented: {error}") from error


def _json(body: msgspec.Struct, status: int = 200) -> Response:
    headers = NOT_KEPT | ({"retry-after": "5"} if status in (429, 503) else {})
    return Response(msgspec.json.encode(body), status, headers, "application/json")


def _refused(error: LaeloError, status: int) -> Response:
    return _json(server.Refused(error.code, error.message), status)
