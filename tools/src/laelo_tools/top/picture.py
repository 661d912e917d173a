"""What is shown, and how it follows from two looks at the house."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from laelo_tools.top.exposition import Numbers
from laelo_tools.top.processes import Usage

Kind = Literal["friendly", "championship"]
PHASES: Final = ("lobby", "play", "pause", "over")


class Seen(NamedTuple):
    """A part as it answered; `said` is why it is not well, or empty."""

    name: str
    pid: int | None
    said: str
    usage: Usage | None


class Match(NamedTuple):
    """A match that is being played."""

    table: str
    number: int
    kind: Kind
    started_ms: int
    hands: int
    score: tuple[int, int]


class Look(NamedTuple):
    """The house at one moment."""

    at: float
    """In seconds, of any clock."""
    now_ms: int
    parts: Sequence[Seen]
    numbers: Numbers
    matches: Sequence[Match] | None
    """The newest ones; None where they cannot be asked for."""
    playing: Mapping[Kind, int]
    """How many matches are played, by kind."""


class Part(NamedTuple):
    """A process: `cpu` is a share of one core, `memory` bytes; None where it is not known."""

    name: str
    pid: int | None
    well: bool
    said: str
    cpu: float | None
    memory: int | None


class Picture(NamedTuple):
    """What there is to see. Rates are by the second since the look before."""

    now_ms: int
    versions: Mapping[str, str]
    moves: float
    commits: float
    people: int
    tables: Mapping[str, int]
    """Open tables that somebody looks at, by what they wait for."""
    playing: Mapping[Kind, int]
    queue: int
    championships: int
    lag: Mapping[str, int]
    """Commits that are not yet in the archive, by stream, nor in the records."""
    parts: Sequence[Part]
    matches: Sequence[Match] | None


def picture(before: Look, now: Look, versions: Mapping[str, str]) -> Picture:
    """How it is now; what was started in between counts from its start."""
    numbers = now.numbers
    lag = {stream: int(n) for stream, n in numbers.by("laelo_archive_behind", "stream").items()}
    if numbers.by("laelo_archive_behind", "stream"):
        lag["records"] = int(numbers.most("laelo_tournament_records_behind"))
    return Picture(
        now_ms=now.now_ms,
        versions=versions,
        moves=_rate("laelo_table_moves_total", before, now),
        commits=_rate("laelo_table_commits_total", before, now),
        people=int(numbers.total("laelo_gateway_sockets")),
        tables={name: int(numbers.total("laelo_table_watched", phase=name)) for name in PHASES},
        playing=now.playing,
        queue=int(numbers.most("laelo_matchmaking_waiting")),
        championships=int(numbers.most("laelo_tournament_running")),
        lag=lag,
        parts=[_part(seen, before, now) for seen in now.parts],
        matches=now.matches,
    )


def _rate(name: str, before: Look, now: Look) -> float:
    seconds = now.at - before.at
    grown = now.numbers.total(name) - before.numbers.total(name)
    return max(grown, 0.0) / seconds if seconds > 0 else 0.0


def _part(seen: Seen, before: Look, now: Look) -> Part:
    old = next((one for one in before.parts if (one.name, one.pid) == (seen.name, seen.pid)), None)
    cpu = None
    if seen.usage and old and old.usage and now.at > before.at:
        cpu = (seen.usage.cpu_seconds - old.usage.cpu_seconds) / (now.at - before.at)
    memory = seen.usage.memory if seen.usage else None
    return Part(seen.name, seen.pid, not seen.said, seen.said, cpu, memory)
