"""The console's store in memory."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.accounts.store import Identity
from laelo_gateway.console.chain import entry_hash
from laelo_gateway.console.store import BanRecord, Deed, Entry, Operator, Someone, Told
from laelo_gateway.orders.store import Announcement, Ban

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


class MemoryConsole:
    """A `ConsoleStore` that can be away. Tests say who is an operator."""

    def __init__(self) -> None:
        self.operators: dict[Identity, Operator] = {}
        self.sessions: dict[bytes, str] = {}
        self.everybody: dict[str, Someone] = {}
        self.banned: list[BanRecord] = []
        self.told: list[Told] = []
        self.audit: list[Entry] = []
        self.now = NOW
        self.is_away = False

    def _check(self) -> None:
        if self.is_away:
            raise LaeloError(Code.TRY_LATER, "away")

    def deeds(self) -> list[tuple[str, str, str]]:
        """Action, subject and outcome of all entries."""
        return [(e.deed.action, e.deed.subject, e.deed.outcome) for e in self.audit]

    async def sign_in(
        self, identity: Identity, key: bytes, replaces: bytes | None, address: str
    ) -> Operator | None:
        """Begin a session."""
        self._check()
        operator = self.operators.get(identity)
        if operator is None:
            return None
        self.sessions.pop(replaces or b"", None)
        self.sessions[key] = operator.id
        await self.note(Deed(operator.id, "sign in", operator.id, "", address, new_id()))
        return operator

    async def find(self, key: bytes) -> Operator | None:
        """Whose session this is."""
        self._check()
        account = self.sessions.get(key)
        return next((o for o in self.operators.values() if o.id == account), None)

    async def end(self, key: bytes, deed: Deed) -> None:
        """End a session."""
        await self.note(deed)
        self.sessions.pop(key, None)

    async def people(self, name: str) -> Sequence[Someone]:
        """By name."""
        self._check()
        return [one for one in self.everybody.values() if one.name.lower() == name.lower()]

    async def person(self, person: str) -> Someone | None:
        """By id."""
        self._check()
        return self.everybody.get(person)

    async def bots_of(self, person: str) -> Sequence[Someone]:
        """By owner."""
        return [one for one in self.everybody.values() if one.owner == person]

    async def names(self, people: Collection[str]) -> Mapping[str, str]:
        """Names by id."""
        self._check()
        found = {o.id: o.name for o in self.operators.values() if o.id in people}
        return found | {p: self.everybody[p].name for p in people if p in self.everybody}

    async def bans(self, person: str | None = None) -> Sequence[BanRecord]:
        """The newest first."""
        self._check()
        return [one for one in reversed(self.banned) if person in (None, one.person)]

    async def ban(self, deed: Deed, person: str, until: datetime) -> None:
        """Shut somebody out."""
        await self.note(deed)
        ban = Ban(until, deed.reason)
        self.banned.append(BanRecord(new_id(), person, ban, self.now, None))

    async def lift(self, deed: Deed, person: str) -> bool:
        """Let somebody in."""
        self._check()
        held = [one for one in self.banned if one.person == person and one.holds(self.now)]
        for one in held:
            self.banned[self.banned.index(one)] = one._replace(lifted_at=self.now)
        if held:
            await self.note(deed)
        return bool(held)

    async def announcements(self) -> Sequence[Told]:
        """The newest first."""
        self._check()
        return self.told[::-1]

    async def announce(self, deed: Deed, announcement: Announcement) -> None:
        """Tell everybody."""
        await self.note(deed)
        self.told.append(Told(announcement, self.now, None))

    async def end_announcement(self, deed: Deed, announcement: str) -> bool:
        """Tell it no more."""
        self._check()
        for number, told in enumerate(self.told):
            if told.announcement.id == announcement and told.holds(self.now):
                self.told[number] = told._replace(ended_at=self.now)
                await self.note(deed)
                return True
        return False

    async def note(self, deed: Deed) -> None:
        """Add to the audit log."""
        self._check()
        entry = Entry(len(self.audit) + 1, self.now, deed, b"")
        last = self.audit[-1].hash if self.audit else b""
        self.audit.append(entry._replace(hash=entry_hash(last, entry)))

    async def entries(self, before: int, limit: int, subject: str = "") -> Sequence[Entry]:
        """The newest first."""
        self._check()
        found = [e for e in self.audit if not before or e.number < before]
        return [e for e in reversed(found) if subject in ("", e.deed.subject)][:limit]
