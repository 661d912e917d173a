"""The bots service: settings, wiring, run."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from laelo.bots.v1.bots_pb2_grpc import add_BotsServiceServicer_to_server
from laelo_common.runtime import Service, run_service
from laelo_common.settings import ServiceSettings

from laelo_bots.server import BotsServicer


@asynccontextmanager
async def wire(service: Service[ServiceSettings]) -> AsyncIterator[None]:
    """Offer the bots. There is nothing to connect to."""
    servicer = BotsServicer()
    add_BotsServiceServicer_to_server(servicer, service.grpc)
    service.serves("laelo.bots.v1.BotsService")
    service.on_drain(servicer.streams.close)
    service.metrics.count(
        "laelo_bots_moves_total", "Moves and openers chosen.", lambda: servicer.chosen
    )
    service.metrics.count(
        "laelo_bots_senseless_total",
        "Views that made no sense: somebody's fault, never a player's.",
        lambda: servicer.made_no_sense,
    )
    service.metrics.gauge(
        "laelo_bots_streams", "Streams open now.", lambda: len(servicer.streams.sessions)
    )
    yield


def main() -> None:
    """Run until told to stop."""
    sys.exit(run_service("bots", ServiceSettings, wire))


if __name__ == "__main__":
    main()
