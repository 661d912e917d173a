"""Letting people join again whose championship is over for them (R34)."""

import asyncio
from functools import partial

from laelo.tournament.v1 import events_pb2
from laelo_common.log import Aggregate, Following, Kind, Log, Recorded
from laelo_common.metrics import Counter

from laelo_matchmaking.app import Matchmaking
from laelo_matchmaking.domain.commands import Release
from laelo_matchmaking.domain.exits import Exit, exit_of, players_of
from laelo_matchmaking.patience import Patience


class Releases:
    """Follows the championships from where the queue's own log stands, and releases in order."""

    def __init__(self, log: Log, app: Matchmaking) -> None:
        self._log = log
        self._app = app
        self._exits: asyncio.Queue[Exit] = asyncio.Queue()
        self.failed = Counter()
        """Tries that came to nothing."""

    async def follow(self, after: int) -> Following:
        """Hear of all commits after a sequence of the stream TRN."""
        return await self._log.follow(Kind.CHAMPIONSHIP, after, self._on_commit)

    async def run(self) -> None:
        """Release whom the commits name, for ever."""
        patience = Patience(self.failed)
        while True:
            found = await self._exits.get()
            act = partial(self._release, found)
            await patience.until_done(act, f"releasing from championship {found.championship}")

    def _on_commit(self, recorded: Recorded) -> None:
        commit = events_pb2.Commit.FromString(recorded.data)
        found = exit_of(commit, recorded.sequence)
        if found is not None:
            self._exits.put_nowait(found)

    async def _release(self, found: Exit) -> None:
        players = None if found.everybody else await self._players(found)
        release = Release(
            championship=found.championship,
            version=found.version,
            sequence=found.sequence,
            players=players,
            cancelled=found.cancelled,
        )
        await self._app.run(release)

    async def _players(self, found: Exit) -> tuple[str, ...]:
        aggregate = Aggregate(Kind.CHAMPIONSHIP, found.championship)
        history = await self._log.tail(aggregate, 0)
        commits = [events_pb2.Commit.FromString(recorded.data) for recorded in history]
        return players_of(commits, found.teams)
