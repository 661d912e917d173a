"""The figures of bench/results that the paper plan is computed from."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

RESULTS: Final = Path(__file__).resolve().parents[1] / "results"
SERVICES: Final = ("gateway", "table", "rules")
"""Those that are copied as often as it takes; what they cost depends on how full frames are."""


class Cost(NamedTuple):
    """What a move costs a service, in µs, when one of its processes has so many a second."""

    rate: float
    us: float


class Measured(NamedTuple):
    """All that the plan needs to know."""

    machine: str
    light: Mapping[str, Cost]
    """By service, at some 250 moves a second: a frame for each move."""
    full: Mapping[str, Cost]
    """By service, as many moves as one machine can: frames are full."""
    nats_us: tuple[float, float]
    """Of the log's server, at both rates."""
    table_kb: Mapping[str, float]
    """Memory a table, by service, at the end of a run with 500."""
    synced_moves: float
    """Moves a second that one machine did with each commit synced on three servers."""
    synced_us: tuple[float, float]
    """CPU a move of everything then, and on one server."""
    log_bytes: float
    """Of a commit in the log's store."""
    copy_bytes: float
    """Of a commit in PostgreSQL."""
    archive_rate: float
    """Commits a second that one archive takes in."""
    archive_us: float
    client_ms: float
    """CPU of all processes for a client that comes back, in ms."""

    def cost(self, service: str, rate: float) -> float:
        """µs a move at so many moves a second in one process; between the two that were
        measured in proportion to the logarithm of the rate, beyond them as at the nearer one.
        """
        light, full = self.light[service], self.full[service]
        if full.rate <= light.rate:
            return light.us
        share = (math.log(rate) - math.log(light.rate)) / math.log(full.rate / light.rate)
        return light.us + (full.us - light.us) * min(1.0, max(0.0, share))


def read() -> Measured:
    """Read what is there. Raises FileNotFoundError and KeyError for what was not measured yet."""
    growth = _json("growth")
    archive = _json("archive")
    light = growth["light"]["default"]
    full = max(
        (run for run in growth["tables"].values() if _is_run(run)),
        key=lambda run: float(run["moves_per_second"]),
    )
    synced, alone = growth["synced"]["3-full"], growth["synced"]["1-full"]
    memory = growth["memory"]["500"]
    return Measured(
        machine=_machine(growth["light"]["machine"]),
        light={name: _cost(light, name) for name in SERVICES},
        full={name: _cost(full, name) for name in SERVICES},
        nats_us=(_cost(light, "nats").us, _cost(full, "nats").us),
        table_kb={name: _kb(memory, name) for name in SERVICES},
        synced_moves=synced["moves_per_second"],
        synced_us=(synced["cpu_us_per_move"], alone["cpu_us_per_move"]),
        log_bytes=growth["stored"]["bytes_a_commit"],
        copy_bytes=archive["bytes_a_commit"],
        archive_rate=archive["commits_a_second"],
        archive_us=archive["cpu_us_a_commit"],
        client_ms=growth["reconnect"]["cpu_ms_per_client"],
    )


def _json(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def _is_run(value: object) -> bool:
    return isinstance(value, dict) and "moves_per_second" in value


def _cost(run: Any, service: str) -> Cost:
    """Of all replicas of a service together, and the rate of one of them."""
    parts = [
        us for name, us in run["cpu_us_by_process"].items() if name.partition("-")[0] == service
    ]
    return Cost(run["moves_per_second"] / len(parts), sum(parts))


def _kb(run: Any, service: str) -> float:
    parts = run["memory_kb_by_process"].items()
    return float(sum(kb["pss"] for name, kb in parts if name.partition("-")[0] == service))


def _machine(told: Any) -> str:
    load = told["load_average"][0]
    when = told["time"][:10]
    return f"{told['cores']} cores of an {told['processor']}, {when}, load {load:.1f} afterwards"
