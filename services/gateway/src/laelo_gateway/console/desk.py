"""What operators do: each deed is written down with who, what, to what, why and from where.

What the store does stands in the log with it, or is not done. What others do is noted before it
is asked for and again when it is known what came of it, so that nothing is done unseen.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import NamedTuple

from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.console import forms
from laelo_gateway.console.forms import Form
from laelo_gateway.console.house import House
from laelo_gateway.console.sessions import ADDRESS, ConsoleSessions, Session
from laelo_gateway.console.store import ConsoleStore, Deed


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


class Office(NamedTuple):
    """What the console works with."""

    store: ConsoleStore
    house: House
    sessions: ConsoleSessions
    now: Callable[[], datetime] = utc_now


class Desk:
    """Every method raises LaeloError if it is not done, with a sentence that says why."""

    def __init__(self, office: Office) -> None:
        self._office = office

    async def ban(self, session: Session, person: str, form: Form) -> None:
        """Shut somebody out."""
        store, now = self._office.store, self._office.now()
        deed = _deed(session, "ban", person, forms.reason(form))
        until = forms.until(form, now)
        if await store.person(person) is None:
            raise LaeloError(Code.BAD_REQUEST, "there is no such person")
        if any(ban.holds(now) for ban in await store.bans(person)):
            raise LaeloError(Code.BAD_REQUEST, "the person is shut out already: let them in first")
        await store.ban(deed, person, until)

    async def let_in(self, session: Session, person: str, form: Form) -> None:
        """Let somebody in again."""
        deed = _deed(session, "let in", person, forms.reason(form))
        if not await self._office.store.lift(deed, person):
            raise LaeloError(Code.BAD_REQUEST, "the person is not shut out")

    async def announce(self, session: Session, form: Form) -> None:
        """Tell everybody something."""
        told = forms.announcement(form, self._office.now())
        deed = _deed(session, "announce", told.id, forms.reason(form))
        await self._office.store.announce(deed, told)

    async def end_announcement(self, session: Session, told: str, form: Form) -> None:
        """Tell it no more."""
        deed = _deed(session, "end announcement", told, forms.reason(form))
        if not await self._office.store.end_announcement(deed, told):
            raise LaeloError(Code.BAD_REQUEST, "this announcement is over already")

    async def close(self, session: Session, table: str, form: Form) -> None:
        """Close a friendly table."""
        deed = _deed(session, "close", forms.known_id(table, "table"), forms.reason(form))
        house = self._office.house
        await self._elsewhere(deed, lambda: house.shut(table, deed.operator, deed.request))

    async def cancel(self, session: Session, championship: str, form: Form) -> None:
        """End a championship before its time."""
        subject = forms.known_id(championship, "championship")
        deed = _deed(session, "cancel", subject, forms.reason(form))
        house = self._office.house
        await self._elsewhere(deed, lambda: house.cancel(championship, deed.operator, deed.reason))

    async def sign_out(self, session: Session) -> None:
        """End the session."""
        deed = _deed(session, "sign out", session.operator.id, "")
        await self._office.sessions.end(session, deed)

    async def _elsewhere(self, deed: Deed, ask: Callable[[], Awaitable[None]]) -> None:
        note = self._office.store.note
        await note(deed._replace(outcome="asked"))
        try:
            await ask()
        except LaeloError as error:
            await note(deed._replace(outcome=f"refused: {error.code}"))
            raise
        await note(deed)


def _deed(session: Session, action: str, subject: str, reason: str) -> Deed:
    return Deed(session.operator.id, action, subject, reason, ADDRESS.get(), new_id())
