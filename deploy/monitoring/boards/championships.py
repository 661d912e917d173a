"""Championships: who waits, what runs, what is stuck?"""

from typing import Final

from deploy.monitoring.asking import added, quantiles, rate
from deploy.monitoring.panels import Board, Panel, Query, Row

CHAMPIONSHIPS: Final = Board(
    "championships",
    "Championships",
    (
        Row(
            "The queue",
            (
                Panel(
                    "Who waits",
                    "Every replica of matchmaking sees the same queue.",
                    "short",
                    [
                        Query("max(laelo_matchmaking_waiting)", "in the queue"),
                        Query("max(laelo_matchmaking_away)", "of these disconnected"),
                        Query("max(laelo_matchmaking_busy)", "in a championship"),
                    ],
                ),
                Panel(
                    "How long people waited",
                    "Of those who were called.",
                    "s",
                    quantiles("laelo_matchmaking_wait_seconds"),
                ),
                Panel(
                    "Championships called an hour",
                    "By size.",
                    "short",
                    [
                        Query(
                            added("laelo_matchmaking_called_total", "1h", "tier"),
                            "{{tier}}",
                        )
                    ],
                ),
            ),
        ),
        Row(
            "Those that run",
            (
                Panel(
                    "Running championships and matches",
                    "A match counts until its result is in the log.",
                    "short",
                    [
                        Query("max(laelo_tournament_running)", "championships"),
                        Query("max(laelo_tournament_matches)", "matches"),
                    ],
                ),
                Panel(
                    "From the end of a match to its result",
                    "More than a second or two, and players wait for their next match.",
                    "s",
                    quantiles("laelo_tournament_result_seconds"),
                ),
                Panel(
                    "What is stuck",
                    "All of these should be 0.",
                    "short",
                    [
                        Query("max(laelo_matchmaking_pending)", "called, not begun"),
                        Query("min(laelo_tournament_records_behind)", "results not recorded"),
                        Query(added("laelo_tournament_unreadable_total", "1h"), "given up"),
                        Query(rate("laelo_matchmaking_failures_total"), "tries failed"),
                    ],
                ),
            ),
        ),
    ),
)
