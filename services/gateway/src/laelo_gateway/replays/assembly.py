"""The parts of histories and replays, put together."""

from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

from laelo_common.metrics import Metrics
from laelo_common.stream import Dial, plain
from starlette.routing import Route

from laelo_gateway.replays.adapters.archive import ArchiveLink
from laelo_gateway.replays.api import ReplayPages
from laelo_gateway.replays.ports import NamesByPerson
from laelo_gateway.replays.viewers import Viewers


class Replays:
    """What `main` needs of them. No addresses: nothing is kept at this house."""

    def __init__(
        self,
        addresses: Sequence[str],
        names: NamesByPerson,
        viewers: Viewers,
        proxies: int,
        dial: Dial = plain,
    ) -> None:
        self.archive = ArchiveLink(addresses, dial)
        self._pages = ReplayPages(self.archive, names, viewers, proxies)

    def routes(self) -> list[Route]:
        """What the HTTP server serves."""
        return self._pages.routes()

    def work(self) -> Iterator[tuple[Coroutine[Any, Any, None], str]]:
        """What has to run all the time, with names."""
        yield self.archive.run(), "archive replicas"

    async def close(self) -> None:
        """Let go of everything."""
        await self.archive.close()

    def register(self, metrics: Metrics) -> None:
        """Show the numbers."""
        self._pages.counts.register(metrics)
        metrics.gauge(
            "laelo_gateway_archive_replicas",
            "archive replicas that are known",
            lambda: float(self.archive.replicas),
        )
