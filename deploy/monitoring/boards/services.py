"""Services: traffic, errors, saturation, and the streams between them."""

from typing import Final

from deploy.monitoring.asking import rate
from deploy.monitoring.panels import Board, Panel, Query, Row

OURS: Final = '{job=~"rules|bots|table|matchmaking|tournament|archive|gateway"}'

SERVICES: Final = Board(
    "services",
    "Services",
    (
        Row(
            "Traffic and errors",
            (
                Panel(
                    "Commits and questions a second",
                    "What each service does, in its own unit.",
                    "ops",
                    [
                        Query(rate("laelo_gateway_commands_total"), "gateway: commands"),
                        Query(rate("laelo_table_commits_total"), "table: commits"),
                        Query(rate("laelo_rules_questions_total"), "rules: questions"),
                        Query(rate("laelo_bots_moves_total"), "bots: moves"),
                        Query(rate("laelo_archive_commits_total"), "archive: commits"),
                    ],
                ),
                Panel(
                    "Answers to HTTP requests",
                    "5xx is our fault.",
                    "reqps",
                    [Query(rate("laelo_gateway_http_responses_total", "status"), "{{status}}")],
                ),
                Panel(
                    "Replicas that answer",
                    "By Prometheus' own count.",
                    "short",
                    [Query(f"sum by (job) (up{OURS})", "{{job}}")],
                ),
            ),
        ),
        Row(
            "Saturation",
            (
                Panel(
                    "CPU, in cores",
                    "A service is one thread: near 1 it is full, whatever its limit says.",
                    "short",
                    [
                        Query(
                            f"max by (job) (rate(process_cpu_seconds_total{OURS}[5m]))",
                            "{{job}}, its busiest replica",
                        )
                    ],
                ),
                Panel(
                    "Memory",
                    "The largest replica of each.",
                    "bytes",
                    [
                        Query(
                            f"max by (job) (process_resident_memory_bytes{OURS})",
                            "{{job}}",
                        )
                    ],
                ),
                Panel(
                    "Restarts an hour",
                    "None, but for releases.",
                    "short",
                    [
                        Query(
                            f"sum by (job) (changes(process_start_time_seconds{OURS}[1h]))",
                            "{{job}}",
                        )
                    ],
                ),
            ),
        ),
        Row(
            "Streams between services",
            (
                Panel(
                    "Waiting for an answer",
                    "Who asks whom. A line that climbs is a service that does not answer.",
                    "short",
                    [Query("sum by (job, to) (laelo_stream_pending)", "{{job}} to {{to}}")],
                ),
                Panel(
                    "Back-pressure and loss",
                    "Not sent, held back, dropped, too late, opened anew.",
                    "ops",
                    [
                        Query(rate("laelo_stream_overloaded_total", "to"), "not sent to {{to}}"),
                        Query(rate("laelo_stream_held_back_total", "job"), "held back by {{job}}"),
                        Query(rate("laelo_stream_dropped_total", "job"), "dropped by {{job}}"),
                        Query(rate("laelo_stream_timeouts_total", "to"), "timeouts of {{to}}"),
                        Query(rate("laelo_stream_reconnects_total", "to"), "anew to {{to}}"),
                    ],
                ),
                Panel(
                    "Replicas that each sees",
                    "The least that any replica of a service sees of another.",
                    "short",
                    [Query("min by (job, to) (laelo_stream_replicas)", "{{job}} of {{to}}")],
                ),
            ),
        ),
        Row(
            "Telemetry itself",
            (
                Panel(
                    "Spans a second",
                    "Dropped ones: take fewer traces.",
                    "ops",
                    [Query(rate("laelo_telemetry_spans_total", "job, fate"), "{{job}} {{fate}}")],
                ),
                Panel(
                    "Open files and sockets",
                    "The most of any replica.",
                    "short",
                    [
                        Query(
                            f"max by (job) (process_open_fds{OURS})",
                            "{{job}}",
                        )
                    ],
                ),
            ),
        ),
    ),
)
