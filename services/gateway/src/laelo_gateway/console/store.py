"""What the console keeps and looks up."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple, Protocol

from laelo_gateway.accounts.store import Identity
from laelo_gateway.orders.store import Announcement, Ban

IDLE_MINUTES: Final = 15
"""A session that is not used for so long is over."""
LONGEST_HOURS: Final = 8
"""A session is over after this, at the latest."""
FOUND: Final = 20
"""At most so many people are found by a name."""

Kind = Literal["account", "guest", "bot"]


class Operator(NamedTuple):
    """Who runs the house: the random id of the account, and its nickname."""

    id: str
    name: str


class Someone(NamedTuple):
    """A person as operators see them. `owner` is whose bot it is."""

    id: str
    name: str
    kind: Kind
    made_at: datetime
    seen_at: datetime
    owner: str | None = None


class Deed(NamedTuple):
    """Something that an operator does: who, what, to whom or what, why, from where.

    `request` is the same in all entries of one deed; `outcome` is `asked`, `done`, or why not.
    """

    operator: str
    action: str
    subject: str
    reason: str
    address: str
    request: str
    outcome: str = "done"


class Entry(NamedTuple):
    """A deed in the audit log, chained to the entry before it by its hash."""

    number: int
    at: datetime
    deed: Deed
    hash: bytes


class BanRecord(NamedTuple):
    """A ban, also one that is over."""

    id: str
    person: str
    ban: Ban
    made_at: datetime
    lifted_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether it keeps the person out."""
        return self.lifted_at is None and self.ban.until > now


class Told(NamedTuple):
    """An announcement, also one that is over."""

    announcement: Announcement
    made_at: datetime
    ended_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether people are told of it, unless there is a newer one."""
        return self.ended_at is None and self.announcement.until > now


class ConsoleStore(Protocol):
    """Every method raises LaeloError with TRY_LATER while the store is away. What changes
    something is written into the audit log with it, or not done at all.
    """

    async def sign_in(
        self, identity: Identity, key: bytes, replaces: bytes | None, address: str
    ) -> Operator | None:
        """Begin a session of an operator; None for everybody else."""

    async def find(self, key: bytes) -> Operator | None:
        """Whose session this is, if they are an operator still. It counts as used."""

    async def end(self, key: bytes, deed: Deed) -> None:
        """End a session."""

    async def people(self, name: str) -> Sequence[Someone]:
        """People of this nickname, or whose nickname begins like it."""

    async def person(self, person: str) -> Someone | None:
        """Who has this id."""

    async def bots_of(self, person: str) -> Sequence[Someone]:
        """The bots of an account."""

    async def names(self, people: Collection[str]) -> Mapping[str, str]:
        """Nicknames of accounts by id."""

    async def bans(self, person: str | None = None) -> Sequence[BanRecord]:
        """The newest bans, of one person or of all."""

    async def ban(self, deed: Deed, person: str, until: datetime) -> None:
        """Shut somebody out, for the deed's reason."""

    async def lift(self, deed: Deed, person: str) -> bool:
        """Let somebody in again; False if they are not shut out."""

    async def announcements(self) -> Sequence[Told]:
        """The newest announcements."""

    async def announce(self, deed: Deed, announcement: Announcement) -> None:
        """Tell everybody."""

    async def end_announcement(self, deed: Deed, announcement: str) -> bool:
        """Tell it no more; False if it is over already."""

    async def note(self, deed: Deed) -> None:
        """Write into the audit log what is done elsewhere."""

    async def entries(self, before: int, limit: int, subject: str = "") -> Sequence[Entry]:
        """The newest entries of the audit log before a number (0 = all), of a subject or of all."""
