"""Service level objectives, and how fast their error budgets burn. docs/operations/slo.md."""

from collections.abc import Iterator
from typing import Final, NamedTuple

ANSWER: Final = "laelo_gateway_answer_seconds"
CLOCK: Final = "laelo_table_clock_lateness_seconds"
HTTP: Final = "laelo_gateway_http_responses_total"

WINDOWS: Final = ("5m", "30m", "1h", "2h", "6h", "1d", "3d")
FLOOR: Final = 0.1
"""Events a second that are counted at least, so that one fault at night is no outage."""


class Objective(NamedTuple):
    """What is promised over 30 days: all but so many of the events are good."""

    name: str
    budget: float
    """The share that may be bad."""
    bad: str
    """Bad events a second, with {w} for the window."""
    all: str
    """All of them."""

    def burn(self, window: str) -> str:
        """How many times faster than allowed the budget is used up over a window."""
        bad, events = self.bad.format(w=window), self.all.format(w=window)
        return f"({bad}) / clamp_min({events}, {FLOOR}) / {self.budget:g}"


def slower(metric: str, than: str) -> str:
    """Values of a histogram above a bound, a second."""
    return (
        f'sum(rate({metric}_count[{{w}}])) - sum(rate({metric}_bucket{{{{le="{than}"}}}}[{{w}}]))'
    )


OBJECTIVES: Final = (
    Objective(
        "play",
        0.001,
        "sum(rate(laelo_gateway_failed_total[{w}]))",
        "sum(rate(laelo_gateway_commands_total[{w}]))",
    ),
    Objective("speed", 0.01, slower(ANSWER, "0.25"), f"sum(rate({ANSWER}_count[{{w}}]))"),
    Objective("clocks", 0.01, slower(CLOCK, "0.5"), f"sum(rate({CLOCK}_count[{{w}}]))"),
    Objective(
        "pages",
        0.001,
        f'sum(rate({HTTP}{{{{status="5xx"}}}}[{{w}}]))',
        f"sum(rate({HTTP}[{{w}}]))",
    ),
)

FAST: Final = (("1h", "5m", 14.4), ("6h", "30m", 6))
SLOW: Final = (("1d", "2h", 3), ("3d", "6h", 1))
"""Long window, short window, and how many times too fast the budget burns over both."""

HEAD: Final = """\
# Written by `python -m deploy.monitoring`: change deploy/monitoring/objectives.py instead.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: laelo-slo
spec:
  groups:
    - name: laelo.slo.burn
      rules:
"""
ALERTS: Final = """\
    - name: laelo.slo
      rules:
        - alert: LaeloBudgetBurnsFast
          expr: |
            {fast}
          labels: {{severity: page}}
          annotations:
            summary: So much of {{{{ $labels.slo }}}} fails that the month's budget is gone in days.
            runbook: docs/operations/runbooks/budget-burns-fast.md
        - alert: LaeloBudgetBurnsSlowly
          expr: |
            {slow}
          labels: {{severity: ticket}}
          annotations:
            summary: The objective of {{{{ $labels.slo }}}} will be missed this month.
            runbook: docs/operations/runbooks/budget-burns-slowly.md
"""


def recorded(window: str) -> str:
    """The name under which Prometheus keeps the burn rates of a window."""
    return f"laelo:slo_burn:rate{window}"


def manifest() -> str:
    """The PrometheusRule, as YAML."""
    return HEAD + "".join(_records()) + ALERTS.format(fast=_both(FAST), slow=_both(SLOW))


def _records() -> Iterator[str]:
    for window in WINDOWS:
        for objective in OBJECTIVES:
            yield f"        - record: {recorded(window)}\n"
            yield f"          expr: {objective.burn(window)}\n"
            yield f"          labels: {{slo: {objective.name}}}\n"


def _both(pairs: tuple[tuple[str, str, float], ...]) -> str:
    """Over a long window, and still over a short one: it is bad, and goes on."""
    parts = [
        f"({recorded(long)} > {times} and {recorded(short)} > {times})"
        for long, short, times in pairs
    ]
    return "\n              or ".join(parts)
