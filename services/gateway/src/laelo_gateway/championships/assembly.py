"""The parts of championships, put together."""

from collections.abc import Coroutine, Iterator
from time import monotonic
from typing import Any, NamedTuple

from laelo_common.metrics import Metrics
from laelo_common.stream import Dials, all_plain
from laelo_common.telemetry import OFF, Telemetry

from laelo_gateway.championships.adapters.matchmaking import MatchmakingLink
from laelo_gateway.championships.adapters.tournament import TournamentLink
from laelo_gateway.championships.brackets import Brackets
from laelo_gateway.championships.counts import CupCounts
from laelo_gateway.championships.cups import Cups
from laelo_gateway.championships.hall import Boards, Hall, Services
from laelo_gateway.championships.limits import CupLimits
from laelo_gateway.championships.membership import Membership
from laelo_gateway.championships.names import Names
from laelo_gateway.championships.ports import NameStore
from laelo_gateway.championships.queue import QueueBoard
from laelo_gateway.championships.visitors import Visitors
from laelo_gateway.counts import Counts


class Where(NamedTuple):
    """Addresses of the replicas; none = no championships here."""

    matchmaking: tuple[str, ...] = ()
    tournament: tuple[str, ...] = ()


class Championships:
    """What `main` needs of them."""

    def __init__(
        self,
        where: Where,
        store: NameStore,
        counts: Counts,
        dials: Dials = all_plain,
        telemetry: Telemetry = OFF,
    ) -> None:
        self.matchmaking = MatchmakingLink(where.matchmaking, dials("matchmaking"))
        self.tournament = TournamentLink(where.tournament, dials("tournament"))
        self.names = Names(store)
        self.limits = CupLimits()
        self.cups = Cups(monotonic)
        self.visitors = Visitors(self.matchmaking)
        self.counts = CupCounts()
        self.queue = QueueBoard(self.visitors, self.counts)
        self.brackets = Brackets(self.cups, self.visitors, self.tournament, self.names, self.counts)
        self.matchmaking.listen(self.visitors.people, self.queue.take)
        self.tournament.listen(self.brackets)
        self.membership = Membership(self.matchmaking, self.tournament, self.cups, self.names)
        self.hall = Hall(
            Services(self.matchmaking, self.tournament),
            Boards(self.visitors, self.queue, self.cups, self.brackets),
            self.limits,
            (counts, self.counts),
            telemetry,
        )

    def work(self) -> Iterator[tuple[Coroutine[Any, Any, None], str]]:
        """What has to run all the time, with names."""
        yield self.matchmaking.run(), "matchmaking replicas"
        yield self.tournament.run(), "tournament replicas"
        yield self.brackets.run(), "brackets"

    async def close(self) -> None:
        """Let go of everything."""
        self.queue.close()
        await self.hall.close()
        await self.brackets.close()
        await self.matchmaking.close()
        await self.tournament.close()

    def register(self, metrics: Metrics) -> None:
        """Show the numbers."""
        self.counts.register(metrics)
        gauge = metrics.gauge
        gauge("laelo_gateway_people", "people with accounts here", lambda: len(self.visitors))
        gauge("laelo_gateway_queue_watchers", "who looks at the queue", lambda: self.queue.watchers)
        gauge("laelo_gateway_championships", "championships kept here", lambda: len(self.cups))
        gauge(
            "laelo_gateway_matchmaking_up",
            "matchmaking replicas that tell of the queue",
            lambda: self.matchmaking.replicas_up,
        )
        gauge(
            "laelo_gateway_tournament_up",
            "1 while all running championships are known",
            lambda: float(self.tournament.is_live),
        )
