"""The bots service: settings, wiring, run."""

import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from laelo.bots.v1 import bots_pb2
from laelo.bots.v1.bots_pb2_grpc import add_BotsServiceServicer_to_server
from laelo_common.runtime import Service, run_service
from laelo_common.stream import show_server

from laelo_bots.judging.serving import Judging
from laelo_bots.mind import Mind
from laelo_bots.server import BotsServicer
from laelo_bots.settings import BotsSettings, budget_of, workers_of
from laelo_bots.thinking import Thinking
from laelo_bots.workers import Workers

LEVELS: Final = {
    number: name.removeprefix("LEVEL_").lower() for name, number in bots_pb2.Level.items() if number
}

_log = logging.getLogger(__name__)


@asynccontextmanager
async def wire(service: Service[BotsSettings]) -> AsyncIterator[None]:
    """Offer the bots. There is nothing to connect to."""
    mind = Mind()
    workers = Workers(workers_of(service.settings))
    try:
        _log.info("bots think in %s", mind.engine)
        thinking = Thinking(mind, workers, budget_of(service.settings, mind.language))
        judging = Judging(workers)
        servicer = BotsServicer(thinking, judging)
        add_BotsServiceServicer_to_server(servicer, service.grpc)
        service.serves("laelo.bots.v1.BotsService")
        service.on_drain(servicer.streams.close)
        _measure(service, servicer, thinking, workers)
        service.metrics.count("laelo_bots_judged_total", "Tiles judged.", lambda: judging.judged)
        yield
    finally:
        await workers.close()


def _measure(
    service: Service[BotsSettings], servicer: BotsServicer, thinking: Thinking, workers: Workers
) -> None:
    metrics = service.metrics
    for name, text, read in (
        (
            "senseless_total",
            "Views that made no sense: somebody's fault, never a player's.",
            lambda: servicer.made_no_sense,
        ),
        ("worlds_total", "Possible worlds looked at.", lambda: servicer.worlds),
        (
            "hurried_total",
            "Strong moves made without a search, for want of workers.",
            lambda: thinking.hurried,
        ),
        ("workers_replaced_total", "Workers that died.", lambda: workers.replaced),
    ):
        metrics.count(f"laelo_bots_{name}", text, read)
    metrics.gauge("laelo_bots_workers", "Workers alive.", lambda: workers.alive)
    metrics.gauge("laelo_bots_waiting", "Questions without a worker.", lambda: workers.waiting)
    metrics.gauge("laelo_bots_streams", "Streams open now.", lambda: len(servicer.streams.sessions))
    for level, name in LEVELS.items():
        metrics.count(
            "laelo_bots_moves_total",
            "Moves and openers chosen, by how well the bot plays.",
            partial(servicer.decisions.__getitem__, level),
            level=name,
        )
    show_server(metrics, servicer.streams)
    servicer.seconds = metrics.histogram(
        "laelo_bots_seconds", "Time that a bot thought about a move."
    )


def main() -> None:
    """Run until told to stop."""
    sys.exit(run_service("bots", BotsSettings, wire))


if __name__ == "__main__":
    main()
