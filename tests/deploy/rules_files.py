"""All that Prometheus is told to record and to wake somebody for, and what it asks for."""

import re
from typing import Any

from tests.metrics_page import documented, series_of

from .manifests import of_kind, overlay

ELSEWHERE = {
    "up",
    "kubelet_volume_stats_available_bytes",
    "kubelet_volume_stats_capacity_bytes",
}
"""Series that are not our services' own."""
KEYWORDS = {"by", "on", "and", "or", "bool", "le", "without", "ignoring", "unless"}
_NAME = re.compile(r"\b[a-zA-Z_:][a-zA-Z0-9_:]*\b(?!\s*\()")
_ASIDE = re.compile(r"\{[^}]*\}|\[[^]]*\]|\b(?:by|on|without|ignoring)\s*\([^)]*\)|\d+(?:\.\d+)?\b")


def groups() -> list[dict[str, Any]]:
    """The groups of all PrometheusRules of the production."""
    rules = of_kind(overlay("prod"), "PrometheusRule")
    return [group for rule in rules for group in rule["spec"]["groups"]]


def rules() -> list[dict[str, Any]]:
    """All rules, recorded series and alerts."""
    return [rule for group in groups() for rule in group["rules"]]


def alerts() -> dict[str, dict[str, Any]]:
    """All alerts by name."""
    return {rule["alert"]: rule for rule in rules() if "alert" in rule}


def names_in(expr: str) -> set[str]:
    """The series that a query asks for."""
    return set(_NAME.findall(_ASIDE.sub(" ", expr))) - KEYWORDS


def known() -> set[str]:
    """The series that there are."""
    ours = (series_of(name, one) for name, one in documented().items())
    recorded = {rule["record"] for rule in rules() if "record" in rule}
    return set().union(*ours) | recorded | ELSEWHERE


def unknown_labels(expr: str) -> set[str]:
    """Attributes that a query asks our instruments for and that they have not."""
    series = {s: one for name, one in documented().items() for s in series_of(name, one)}
    unknown = set()
    for name, selectors in re.findall(r"([a-z_:]\w*)\{([^}]*)\}", expr):
        for label, operator, value in re.findall(r'(\w+)(=~|!=|!~|=)"([^"]*)"', selectors):
            values = series[name].attributes.get(label) if name in series else None
            if name in series and label not in ("le", "job", "pod") and values is None:
                unknown.add(label)
            elif values is not None and operator == "=" and value not in values:
                unknown.add(f"{label}={value}")
    return unknown
