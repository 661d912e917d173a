"""The rules service: settings, wiring, run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from laelo.rules.v1 import rules_pb2_grpc
from laelo_common.runtime import Service, run_service
from laelo_common.settings import ServiceSettings
from laelo_common.stream import show_server

from .server import RulesServicer


@asynccontextmanager
async def wire(service: Service[ServiceSettings]) -> AsyncIterator[None]:
    """Offer the rules. There is nothing to connect to."""
    servicer = RulesServicer(service.telemetry)
    rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, service.grpc)
    service.serves("laelo.rules.v1.RulesService")
    service.on_drain(servicer.streams.close)
    service.metrics.count(
        "laelo_rules_questions_total", "Questions answered.", lambda: servicer.answered
    )
    service.metrics.count(
        "laelo_rules_senseless_total",
        "Questions that made no sense: somebody's fault, never a player's.",
        lambda: servicer.made_no_sense,
    )
    service.metrics.gauge(
        "laelo_rules_streams", "Streams open now.", lambda: len(servicer.streams.sessions)
    )
    show_server(service.metrics, servicer.streams)
    yield


def main() -> int:
    """Run until told to stop; the process's exit status."""
    return run_service("rules", ServiceSettings, wire)


if __name__ == "__main__":
    main()
