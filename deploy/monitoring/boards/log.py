"""The log and its second copy."""

from typing import Final

from deploy.monitoring.asking import added, quantile, rate
from deploy.monitoring.panels import Board, Panel, Query, Row

VOLUME: Final = "kubelet_volume_stats"
HERE: Final = '{namespace="laelo"}'

LOG: Final = Board(
    "log-and-archive",
    "Log and archive",
    (
        Row(
            "The log, as services see it",
            (
                Panel(
                    "From sending a commit to its acknowledgement",
                    "Synced on three servers. What is slow here is slow for everybody who plays.",
                    "s",
                    [
                        Query(quantile(0.5, "laelo_log_append_seconds", "job"), "{{job}} 50%"),
                        Query(quantile(0.99, "laelo_log_append_seconds", "job"), "{{job}} 99%"),
                    ],
                ),
                Panel(
                    "Appends that were not simply stored",
                    "conflicts: homes are disputed; unavailable: the log is away.",
                    "ops",
                    [Query(rate("laelo_log_append_failures_total", "why"), "{{why}}")],
                ),
                Panel(
                    "Out of reach, lost, anew",
                    "All of these should be 0.",
                    "short",
                    [
                        Query("sum by (job) (laelo_log_out_of_reach)", "{{job}} out of reach"),
                        Query(
                            added("laelo_log_reconnects_total", "5m", "job"),
                            "{{job}} connected anew",
                        ),
                        Query(
                            added("laelo_log_resumed_total", "5m", "job"),
                            "{{job}} consumers anew",
                        ),
                        Query(
                            added("laelo_log_slow_consumers_total", "5m", "job"),
                            "{{job}} thrown away",
                        ),
                    ],
                ),
            ),
        ),
        Row(
            "The second copy",
            (
                Panel(
                    "Behind, in commits",
                    "Of the replica that archives; the others stand by.",
                    "short",
                    [
                        Query("min by (stream) (laelo_archive_behind)", "{{stream}}"),
                        Query("min(laelo_tournament_records_behind)", "ranking"),
                    ],
                ),
                Panel(
                    "Archived a second",
                    "Compare with the commits on the dashboard of services.",
                    "ops",
                    [Query(rate("laelo_archive_commits_total", "stream"), "{{stream}}")],
                ),
                Panel(
                    "Last comparison of log and copy",
                    "Every night; after three days somebody is woken.",
                    "s",
                    [Query("min by (stream) (laelo_archive_audit_age_seconds)", "{{stream}}")],
                ),
            ),
        ),
        Row(
            "What goes wrong",
            (
                Panel(
                    "Stuck, differing, given up",
                    "All of these should be 0.",
                    "short",
                    [
                        Query("max by (stream) (laelo_archive_stuck)", "{{stream}} stuck"),
                        Query("max by (stream) (laelo_archive_audit_faults)", "{{stream}} differs"),
                        Query(
                            added("laelo_archive_given_up_total", "1h", "stream"),
                            "{{stream}} given up",
                        ),
                        Query(
                            added("laelo_archive_failures_total", "1h", "stream"),
                            "{{stream}} tried again",
                        ),
                    ],
                ),
                Panel(
                    "Room on the volumes",
                    "Below 20 % somebody is woken.",
                    "percentunit",
                    [
                        Query(
                            f"min by (persistentvolumeclaim) ({VOLUME}_available_bytes{HERE}"
                            f" / {VOLUME}_capacity_bytes{HERE})",
                            "{{persistentvolumeclaim}}",
                        )
                    ],
                ),
                Panel(
                    "Judging",
                    "Matches that wait to be judged, and tiles judged a second.",
                    "short",
                    [
                        Query("sum(laelo_archive_judging)", "matches"),
                        Query(rate("laelo_archive_judged_total"), "tiles a second"),
                        Query(rate("laelo_archive_judging_failures_total"), "failures a second"),
                    ],
                ),
            ),
        ),
    ),
)
