"""What a load run brought, as JSON and as a table for people."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Growth:
    """Of memory, in kB: shared pages in equal parts (`pss`), and whole (`rss`)."""

    pss: float
    rss: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Times in the units of their names; the parts of CPU and memory go by process."""

    tables: int
    clients: int
    bots: int
    sync: str
    rpc: str
    tls: bool = False
    clock_seconds: int
    think_ms: int
    seconds: float
    moves: int
    matches: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us_per_move: float
    """nats-server, rules, table and gateway together; the others stand beside it."""
    cpu_us_by_process: dict[str, float] = field(default_factory=dict)
    memory_kb_per_table: dict[str, Growth] = field(default_factory=dict)
    """Growth of the four services since before the tables were opened: `joined`, `end`."""
    memory_kb_by_process: dict[str, Growth] = field(default_factory=dict)
    """Growth of each process at the end, a table."""
    calibration_ms: tuple[float, float]
    """CPU time of a fixed loop before and after."""
    machine_load: tuple[float, float]
    """Load average of one minute before and after."""
    errors: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    verified: str = ""

    def as_json(self) -> dict[str, Any]:
        """For files and programs."""
        return asdict(self)

    @property
    def is_good(self) -> bool:
        """Whether nothing went wrong and something was played."""
        return not self.errors and self.moves > 0


def percentile(ordered: Sequence[int], share: float) -> float:
    """A percentile of sorted microseconds, in milliseconds; 0 of nothing."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1000


def lines(result: Result) -> list[str]:
    """For people."""
    bots = f", {result.bots} bots each" if result.bots else ""
    clock = f", {result.clock_seconds} s a move" if result.clock_seconds else ""
    think = f", {result.think_ms} ms thought" if result.think_ms else ""
    tls = " over TLS" if result.tls else ""
    text = [
        f"{result.tables} tables, {result.clients} clients each{bots}{clock}{think};"
        f" {result.rpc}{tls}, sync {result.sync}; {result.seconds:.1f} s",
        "",
        f"  {'moves/s':<22}{result.moves_per_second:10,.0f}   ({result.moves:,} moves,"
        f" {result.matches} matches ended)",
        f"  {'to the last client':<22}{result.p50_ms:10.1f} ms p50",
        f"  {'':<22}{result.p99_ms:10.1f} ms p99",
        f"  {'CPU a move':<22}{result.cpu_us_per_move:10.1f} us (nats, rules, table, gateway)",
    ]
    text += _by_service(result.cpu_us_by_process)
    text += [
        f"  {f'memory a table, {when}':<22}{grown.pss:10.1f} kB PSS, {grown.rss:.1f} RSS"
        for when, grown in result.memory_kb_per_table.items()
    ]
    text += _by_service({name: kb.pss for name, kb in result.memory_kb_by_process.items()})
    before, after = result.calibration_ms
    load_before, load_after = result.machine_load
    text += [
        f"  {'calibration loop':<22}{before:10.1f} ms before, {after:.1f} after",
        f"  {'machine load':<22}{load_before:10.2f} before, {load_after:.2f} after",
    ]
    if result.verified:
        text.append(f"  {'log':<22}{result.verified}")
    wrong = sum(result.errors.values())
    text.append(f"  {'errors':<22}{wrong:10}")
    text += [f"    {code:<20}{count:10}" for code, count in result.errors.items()]
    text += [f"    {example}" for example in result.examples]
    return text


def _by_service(figures: dict[str, float]) -> list[str]:
    """A line for each service; of several replicas the sum, and each beside it."""
    services: dict[str, list[float]] = {}
    for name, figure in figures.items():
        services.setdefault(name.split("-")[0], []).append(figure)
    return [
        f"    {name:<20}{sum(parts):10.1f}"
        + (f"   ({' + '.join(f'{part:.1f}' for part in parts)})" if len(parts) > 1 else "")
        for name, parts in services.items()
    ]
