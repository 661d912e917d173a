"""What is going to be broken, when and for how long: all of it follows from a seed."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple


class Kind(StrEnum):
    """What can be done to a process, to the wire between two, or to a disk."""

    KILL = "kill"  # SIGKILL, and started again
    STOP = "stop"  # SIGSTOP, then SIGCONT
    RESTART = "restart"  # asked to end, and started again
    CUT = "cut"  # connections are reset, new ones refused
    HOLD = "hold"  # nothing passes; in the end all that waited does
    DELAY = "delay"  # everything comes late
    FILL = "fill"  # not a byte more can be written


PROCESS: Final = (Kind.KILL, Kind.STOP, Kind.RESTART)
WIRE: Final = (Kind.CUT, Kind.HOLD, Kind.DELAY)

LONGEST: Final[Mapping[Kind, float]] = {
    Kind.KILL: 3.0,
    Kind.STOP: 6.0,
    Kind.RESTART: 0.5,
    Kind.CUT: 4.0,
    Kind.HOLD: 6.0,
    Kind.DELAY: 5.0,
    Kind.FILL: 4.0,
}
"""Seconds for which a fault lasts at most. A killed leader of the log takes 4 to 9 by itself."""
SHORTEST: Final = 0.2
PEOPLE: Final = "people"
LOG: Final = "nats"
"""All servers of the log together, as one end of a wire."""


class Fault(NamedTuple):
    """One thing that is done; `after` and `seconds` count from the plan's begin."""

    number: int
    after: float
    seconds: float
    kind: Kind
    target: str
    """A process."""
    other: str = ""
    """The process at the other end, if it is a wire: `target` connects to it."""

    @property
    def words(self) -> str:
        """As it is told."""
        where = f"{self.target} → {self.other}" if self.other else self.target
        return f"{self.kind} {where} for {self.seconds:.1f} s"


class Targets(NamedTuple):
    """What there is to be broken."""

    processes: Sequence[str]
    wires: Sequence[tuple[str, str]]
    disks: Sequence[str]

    @classmethod
    def of(cls, names: Sequence[str]) -> "Targets":
        """Those of a platform with parts of these names."""
        wires = [(one, other) for one in (PEOPLE, *names) for other in _talks_to(one, names)]
        disks = [name for name in names if name.startswith((LOG, "postgres"))]
        return cls(tuple(names), wires, disks)


_TALKS: Final[Mapping[str, tuple[str, ...]]] = {
    PEOPLE: ("gateway",),
    "gateway": ("table", "matchmaking", "tournament", "archive", "postgres"),
    "table": ("rules", "bots", LOG),
    "matchmaking": ("tournament", LOG),
    "tournament": ("table", "postgres", LOG),
    "archive": ("postgres", "bots", LOG),
}


def _talks_to(name: str, names: Sequence[str]) -> list[str]:
    service = name.partition("-")[0]
    if service == LOG:  # whichever of two has called the other
        return [other for other in names if other.startswith(f"{LOG}-") and other != name]
    found: list[str] = []
    for other in _TALKS.get(service, ()):
        if other == LOG:
            found.append(LOG)
        else:
            found += [one for one in names if one.partition("-")[0] == other]
    return found


def plan(seed: str, count: int, targets: Targets, pace: float) -> list[Fault]:
    """So many faults, one after another begun every `pace` seconds on the average; they may
    overlap. Each kind and each target gets its turn before any has it twice.
    """
    chance = Random(f"plan {seed}")
    kinds = _Deck(chance, tuple(Kind))
    processes = {kind: _Deck(chance, targets.processes) for kind in PROCESS}
    wires = {kind: _Deck(chance, targets.wires) for kind in WIRE}
    disks = _Deck(chance, targets.disks)
    faults: list[Fault] = []
    after = 0.0
    for number in range(1, count + 1):
        kind = kinds.next()
        target, other = "", ""
        if kind in PROCESS:
            target = processes[kind].next()
        elif kind in WIRE:
            target, other = wires[kind].next()
        else:
            target = disks.next()
        seconds = round(chance.uniform(SHORTEST, LONGEST[kind]), 1)
        faults.append(Fault(number, round(after, 1), seconds, kind, target, other))
        after += chance.uniform(0.3, 1.7) * pace
    return faults


class _Deck:
    """Cards that are shuffled anew once all of them were dealt."""

    def __init__(self, chance: Random, cards: Sequence[object]) -> None:
        self._chance = chance
        self._cards = list(cards)
        self._left: list[object] = []

    def next(self):
        """The next card."""
        if not self._left:
            self._left = self._chance.sample(self._cards, len(self._cards))
        return self._left.pop()
