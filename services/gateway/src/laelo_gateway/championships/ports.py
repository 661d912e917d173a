"""What championships need of the rest of the house, and of the two services behind them."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

from laelo.matchmaking.v1 import matchmaking_pb2
from laelo.tournament.v1 import tournament_pb2
from starlette.requests import Request

from laelo_gateway.domain.commands import Person, Sender


class Visitor(Protocol):
    """A client that has said hello."""

    sender: Sender

    def write(self, frame: bytes) -> None:
        """Send a whole frame, made by `text_frame`."""

    def send(self, text: bytes) -> None:
        """Send a text."""


class NameStore(Protocol):
    """Where nicknames are kept."""

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        """The nicknames of those who have an account, by id. Raises LaeloError."""


class Attendance(Protocol):
    """Who is told when people with accounts come and go."""

    def here(self, player: str) -> None:
        """The first window of a person was opened."""

    def gone(self, player: str) -> None:
        """The last one was closed."""


class Matchmaking(Attendance, Protocol):
    """The matchmaking service. Calls raise LaeloError, with TRY_LATER while it is away."""

    @property
    def is_up(self) -> bool:
        """Whether any replica tells of the queue."""

    async def join(self, player: str, command: str) -> matchmaking_pb2.Queue:
        """Join the queue, as a part of the trace at hand."""

    async def leave(
        self, player: str, command: str, why: matchmaking_pb2.Leaving.ValueType
    ) -> matchmaking_pb2.Queue:
        """Leave it, as a part of the trace at hand."""

    async def pending(self) -> Sequence[str]:
        """Championships that were called and that the tournament service has not begun yet."""


class Tournament(Protocol):
    """The tournament service. Calls raise LaeloError, with TRY_LATER while it is away."""

    @property
    def is_configured(self) -> bool:
        """Whether there are championships at this house."""

    @property
    def is_live(self) -> bool:
        """Whether all running championships are known as they are now."""

    async def get(self, championship: str) -> tournament_pb2.GetResponse:
        """One championship."""

    async def list(self, limit: int) -> Sequence[tournament_pb2.Championship]:
        """The newest championships, without matches."""

    async def history(self, player: str) -> Sequence[tournament_pb2.Championship]:
        """All championships that a player is or was in, the newest first, without matches."""

    async def rank(self, week: str, limit: int, player: str) -> tournament_pb2.RankResponse:
        """The ranking of a week."""


class Follower(Protocol):
    """Who is told what the tournament service says."""

    def take(
        self,
        championship: tournament_pb2.Championship,
        entries: Sequence[tournament_pb2.Entry],
    ) -> None:
        """A championship as it is now."""

    def complete(self, told: Iterable[str]) -> None:
        """All that run were told."""


TakeQueue = Callable[[matchmaking_pb2.Queue, Iterable[matchmaking_pb2.Left]], None]
"""Told of the queue whenever it has changed."""
Identify = Callable[[Request], Awaitable[Person | None]]
"""Who asks over HTTP, if a cookie says so. Raises LaeloError."""
