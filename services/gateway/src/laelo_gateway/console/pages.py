"""The console's addresses: what each shows, and what its forms do."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Final, TypeVar

from laelo_common.errors import Code, LaeloError
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.pages import NOT_KEPT
from laelo_gateway.championships.domain.bracket import shown_players
from laelo_gateway.console.desk import Desk, Office
from laelo_gateway.console.forms import is_id
from laelo_gateway.console.guard import Guard, Visit, answer
from laelo_gateway.console.markup import el
from laelo_gateway.console.store import Entry
from laelo_gateway.console.views import lists, single
from laelo_gateway.console.views.frame import note, section
from laelo_gateway.domain.codes import table_code

ENTRIES: Final = 50
SOME: Final = 10
DONE: Final = {
    "ban": "They are shut out: their windows close within seconds.",
    "let-in": "They are let in again.",
    "close": "The table is closed.",
    "cancel": "The championship is cancelled; its players are told why.",
    "announce": "Everybody is told within seconds.",
    "end": "It is told no more.",
}

A = TypeVar("A")


class ConsolePages:
    """All pages; each is for operators alone."""

    def __init__(self, office: Office, guard: Guard, cookies: Cookies) -> None:
        self._office = office
        self._desk = Desk(office)
        self._guard = guard
        self._cookies = cookies

    def routes(self) -> list[BaseRoute]:
        """Where everything is; what is nowhere is for operators alone, too."""
        pages = {
            "/": self.house,
            "/find": self.find,
            "/people/{person}": self.person,
            "/tables/{table}": self.table,
            "/championships/{championship}": self.championship,
            "/announcements": self.announcements,
            "/audit": self.audit,
        }
        deeds = {
            "/people/{person}/ban": self.ban,
            "/people/{person}/let-in": self.let_in,
            "/tables/{table}/close": self.close,
            "/championships/{championship}/cancel": self.cancel,
            "/announcements": self.announce,
            "/announcements/{announcement}/end": self.end_announcement,
            "/sign-out": self.sign_out,
        }
        guard = self._guard
        return [
            *(Route(path, guard.reading(show), methods=["GET"]) for path, show in pages.items()),
            *(Route(path, guard.doing(do), methods=["POST"]) for path, do in deeds.items()),
            Route("/{path:path}", guard.reading(self.nowhere), methods=["GET", "POST"]),
        ]

    # Pages.

    async def house(self, visit: Visit) -> Response:
        """What there is to know at once."""
        store, house = self._office.store, self._office.house
        now = self._office.now()
        cups, bans, told, entries = await asyncio.gather(
            _or_none(house.championships()),
            store.bans(),
            store.announcements(),
            store.entries(0, SOME),
        )
        held = next((one.announcement.en for one in told if one.holds(now)), "Nothing.")
        names = await store.names({*_people_of(entries), *(ban.person for ban in bans)})
        away = single.away("The tournament service")
        return answer(
            "The house",
            section("Find", lists.search()),
            section("Announced", el("p", held)),
            section("Championships", away if cups is None else lists.championships(cups[:SOME])),
            section("Shut out", lists.bans(bans[:SOME], now, names)),
            section("Audit log", lists.audit(entries, names)),
            session=visit.session,
        )

    async def find(self, visit: Visit) -> Response:
        """Whatever has this id, code or name; straight there if it is one thing."""
        wanted = visit.request.query_params.get("q", "").strip()[:64]
        path = await self._path_of(wanted)
        if path is not None:
            return _to(path)
        people = await self._office.store.people(wanted) if wanted else ()
        if len(people) == 1:
            return _to(f"/people/{people[0].id}")
        found = lists.found(people) if people else note(f"Nothing is called “{wanted}”.")
        return answer("Found", found, section("Find", lists.search()), session=visit.session)

    async def person(self, visit: Visit) -> Response:
        """Somebody."""
        store, house, person = self._office.store, self._office.house, visit.named("person")
        someone = await store.person(person)
        if someone is None:
            raise LaeloError(Code.BAD_REQUEST, "there is no such person, or no more")
        bots, bans, tables, cups = await asyncio.gather(
            store.bots_of(person),
            store.bans(person),
            _or_none(house.tables_of(person)),
            _or_none(house.championships(person)),
        )
        known = single.Known(someone, bots, bans, tables, cups)
        shown = single.person(visit.session, known, self._office.now())
        return answer(someone.name or someone.id, _done(visit), shown, session=visit.session)

    async def table(self, visit: Visit) -> Response:
        """A table's story."""
        table = visit.named("table")
        told = await self._office.house.story(table, _number(visit))
        names = await self._office.store.names(single.ids_in(told))
        shown = single.story(visit.session, table, told, names)
        return answer("A table", _done(visit), shown, session=visit.session)

    async def championship(self, visit: Visit) -> Response:
        """A championship."""
        found = await self._office.house.championship(visit.named("championship"))
        names = await self._office.store.names(shown_players(found))
        shown = single.championship(visit.session, found, names)
        return answer("A championship", _done(visit), shown, session=visit.session)

    async def announcements(self, visit: Visit) -> Response:
        """What everybody is told."""
        told = await self._office.store.announcements()
        shown = lists.announcements(visit.session, told, self._office.now())
        return answer("Announcements", _done(visit), shown, session=visit.session)

    async def audit(self, visit: Visit) -> Response:
        """What operators did."""
        store = self._office.store
        entries = await store.entries(_number(visit), ENTRIES)
        names = await store.names(_people_of(entries))
        return answer("Audit log", lists.audit(entries, names), session=visit.session)

    async def nowhere(self, _visit: Visit) -> Response:
        """There is nothing."""
        raise LaeloError(Code.BAD_REQUEST, "there is no such page")

    # Deeds.

    async def ban(self, visit: Visit) -> Response:
        """Shut somebody out."""
        person = visit.named("person")
        await self._desk.ban(visit.session, person, visit.form)
        return _to(f"/people/{person}?done=ban")

    async def let_in(self, visit: Visit) -> Response:
        """Let somebody in again."""
        person = visit.named("person")
        await self._desk.let_in(visit.session, person, visit.form)
        return _to(f"/people/{person}?done=let-in")

    async def close(self, visit: Visit) -> Response:
        """Close a table."""
        table = visit.named("table")
        await self._desk.close(visit.session, table, visit.form)
        return _to(f"/tables/{table}?done=close")

    async def cancel(self, visit: Visit) -> Response:
        """Cancel a championship."""
        championship = visit.named("championship")
        await self._desk.cancel(visit.session, championship, visit.form)
        return _to(f"/championships/{championship}?done=cancel")

    async def announce(self, visit: Visit) -> Response:
        """Tell everybody."""
        await self._desk.announce(visit.session, visit.form)
        return _to("/announcements?done=announce")

    async def end_announcement(self, visit: Visit) -> Response:
        """Tell it no more."""
        await self._desk.end_announcement(visit.session, visit.named("announcement"), visit.form)
        return _to("/announcements?done=end")

    async def sign_out(self, visit: Visit) -> Response:
        """Let the operator go."""
        await self._desk.sign_out(visit.session)
        response = _to("/")
        self._cookies.drop_session(response)
        return response

    async def _path_of(self, wanted: str) -> str | None:
        """Where one thing is that has this id or code."""
        house, code = self._office.house, table_code(wanted)
        if code is not None and (table := await house.find(code)):
            return f"/tables/{table}"
        if not is_id(wanted.upper()):
            return None
        wanted = wanted.upper()
        if await self._office.store.person(wanted) is not None:
            return f"/people/{wanted}"
        for path, ask in (
            (f"/tables/{wanted}", house.story),
            (f"/championships/{wanted}", house.championship),
        ):
            try:
                await ask(wanted)
            except LaeloError as error:
                if error.code is Code.TRY_LATER:
                    raise
            else:
                return path
        return None


def _to(path: str) -> Response:
    return RedirectResponse(path, 303, NOT_KEPT)


def _done(visit: Visit) -> str | None:
    """What was done just before this page."""
    words = DONE.get(visit.request.query_params.get("done", ""))
    return None if words is None else note(words)


def _number(visit: Visit) -> int:
    """Before which number; 0 = from the newest on. Raises LaeloError."""
    before = visit.request.query_params.get("before", "0")
    if not before.isdecimal() or len(before) > 15:
        raise LaeloError(Code.BAD_REQUEST, "`before` is a number")
    return int(before)


def _people_of(entries: Iterable[Entry]) -> set[str]:
    """Who is mentioned in entries of the audit log."""
    return {known for entry in entries for known in (entry.deed.operator, entry.deed.subject)}


async def _or_none(asking: Awaitable[A]) -> A | None:
    """An answer that the page can do without."""
    try:
        return await asking
    except LaeloError:
        return None
