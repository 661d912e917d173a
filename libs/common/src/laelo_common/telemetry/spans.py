"""Every span that a service may record, by name; docs/operations/tracing.md tells of each."""

from typing import Final

SERVES, ASKS, STORES, TAKES_IN = "server", "client", "producer", "consumer"
"""How a span stands to the one before it, in OpenTelemetry's words."""

SPANS: Final = {
    "gateway.command": SERVES,
    "table.command": SERVES,
    "table.turn": SERVES,
    "rules.judge": SERVES,
    "log.append": STORES,
    "matchmaking.command": SERVES,
    "tournament.command": SERVES,
    "tournament.result": TAKES_IN,
    "archive.commits": TAKES_IN,
}
