"""What a rolling restart brought, as JSON and as lines for people."""

from dataclasses import asdict, dataclass, field
from typing import Any

from laelo_tools.rolling.pauses import Figures, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Pauses are what players saw beyond the beat at which they play."""

    tables: int
    people: int
    beat_ms: int
    rounds: int
    seconds: float
    replicas: dict[str, int]
    restarts: int
    matches: int
    moves: int
    acknowledged: int
    """Commands of people that were answered, each of which has to be in the log."""
    clock_moves: int
    """Moves that the clock made in the place of people."""
    championships: int
    quiet: Figures
    """Before anything was restarted."""
    services: Figures
    """While services were restarted."""
    by_service: dict[str, Figures]
    stop_seconds: dict[str, float]
    """The longest time that a process of each took from SIGTERM to its end."""
    connections_lost: int
    faults: list[str] = field(default_factory=list)
    machine_load: tuple[float, float]
    """Load average of one minute before and after."""

    def as_json(self) -> dict[str, Any]:
        """For files and programs."""
        by_service = {name: figures._asdict() for name, figures in self.by_service.items()}
        return {
            **asdict(self),
            "quiet": self.quiet._asdict(),
            "services": self.services._asdict(),
            "by_service": by_service,
        }

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost."""
        return not self.faults and self.moves > 0


def longest_stops(steps: list[Step]) -> dict[str, float]:
    """By service, in seconds."""
    longest: dict[str, float] = {}
    for step in steps:
        seconds = round(step.stopped - step.began, 2)
        longest[step.service] = max(seconds, longest.get(step.service, 0.0))
    return longest


def lines(result: Result) -> list[str]:
    """For people."""
    text = [
        f"{result.tables} tables with {result.people} people, a beat of {result.beat_ms} ms;"
        f" {result.restarts} restarts in {result.rounds} rounds; {result.seconds:.0f} s",
        "",
        f"  {result.matches} matches, {result.moves:,} moves, {result.championships} championships;"
        f" {result.acknowledged:,} commands acknowledged, {result.clock_moves} moves by the clock,"
        f" {result.connections_lost} connections that came again",
        "",
        f"  {'pause beyond the beat, ms':<28}{'p50':>10}{'p99':>10}{'longest':>10}{'stops in':>12}",
        _line("nothing restarted", result.quiet),
    ]
    for name, figures in result.by_service.items():
        stop = result.stop_seconds.get(name)
        text.append(_line(name, figures) + ("" if stop is None else f"{stop:10.2f} s"))
    text.append(_line("all services", result.services))
    text += ["", f"  {'faults':<28}{len(result.faults):10}"]
    return text + [f"    {fault}" for fault in result.faults]


def _line(name: str, figures: Figures) -> str:
    times = (figures.p50_ms, figures.p99_ms, figures.longest_ms)
    return f"  {name:<28}" + "".join(f"{ms:10.0f}" for ms in times)
