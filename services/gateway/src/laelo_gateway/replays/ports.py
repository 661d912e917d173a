"""What histories and replays need of the rest of the house, and of the archive."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from laelo.archive.v1 import archive_pb2
from starlette.requests import Request

from laelo_gateway.domain.commands import Person


class Archive(Protocol):
    """The archive service. Calls raise LaeloError, with TRY_LATER while it is away."""

    @property
    def is_configured(self) -> bool:
        """Whether this house keeps what was played."""

    async def history(self, wanted: archive_pb2.HistoryRequest) -> archive_pb2.HistoryResponse:
        """Matches of a player."""

    async def replay(self, wanted: archive_pb2.ReplayRequest) -> archive_pb2.ReplayResponse:
        """One match."""

    async def judgement(
        self, wanted: archive_pb2.JudgementRequest
    ) -> archive_pb2.JudgementResponse:
        """What the bots think of the play in a match."""


class NamesByPerson(Protocol):
    """Nicknames of who has an account."""

    async def of(self, people: Iterable[str]) -> Mapping[str, str]:
        """The names by id; ids of whom nothing can be said now are left out."""


class Guests(Protocol):
    """Who comes without an account."""

    async def find(self, token: str) -> Person | None:
        """Whose token this is. Raises LaeloError."""


Identify = Callable[[Request], Awaitable[Person | None]]
"""Who asks over HTTP, if a cookie says so. Raises LaeloError."""
