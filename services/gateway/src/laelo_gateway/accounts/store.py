"""What is kept of people with accounts."""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple, Protocol

from laelo_gateway.domain.commands import Person

IDLE_DAYS: Final = 30
"""A session that nobody used for so long is over."""
LONGEST_DAYS: Final = 180
"""A session is over after so long at the latest."""


class Identity(NamedTuple):
    """Who somebody is to the issuer: the key of a person. There is no mail address in it."""

    issuer: str
    subject: str


class NewSession(NamedTuple):
    """A session that begins. `replaces` is the one that the same browser had, if any."""

    key: bytes
    language: str
    replaces: bytes | None = None


class AccountStore(Protocol):
    """Where accounts are kept. Sessions are known by their key, the hash of a secret token;
    persons by their random id. Every method raises LaeloError with TRY_LATER while it is away.
    """

    async def sign_in(self, identity: Identity, session: NewSession) -> Person:
        """The identity's account, made if there is none, with a new session."""

    async def find(self, key: bytes) -> Person | None:
        """Whose session this is; None if it is over. It counts as used."""

    async def living(self, keys: Collection[bytes]) -> Mapping[bytes, Person]:
        """Those of the sessions that are not over, and whose they are."""

    async def end(self, key: bytes) -> None:
        """End one session."""

    async def end_all(self, person: str) -> None:
        """End all sessions of a person."""

    async def rename(self, person: str, name: str, name_key: str) -> bool:
        """Give a person this nickname; False if somebody else has one of the same key."""

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        """Nicknames by person; who has no account, or no nickname, is left out."""

    async def merge_settings(
        self, person: str, changed: Mapping[str, Any], otherwise: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Keep what was changed, and of the others those that are not kept yet; what is kept
        then. Two devices that do so at once lose nothing of what each has changed.
        """

    async def export(self, person: str) -> dict[str, Any]:
        """All that is kept of a person."""

    async def erase(self, person: str) -> None:
        """Delete the account, its sessions and its nickname."""
