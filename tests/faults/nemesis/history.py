"""What everybody did and saw, in the order in which it happened: the checks judge by this alone.

All entries come from one process, so their order is that of real time.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Frame = dict[str, Any]
LATER = ("TRY_LATER", "OVERLOADED", "TOO_FAST")
"""Refusals after which a client asks again: whether it was done is not known."""


def wall_ms() -> int:
    """Milliseconds since 1970 UTC, as in the log."""
    return time.time_ns() // 1_000_000


class Sent(NamedTuple):
    """A command goes out, for the first time or once more."""

    at_ms: int
    who: str
    frame: Frame


class Heard(NamedTuple):
    """A frame has come."""

    at_ms: int
    who: str
    frame: Frame


class Did(NamedTuple):
    """The nemesis has done something."""

    at_ms: int
    what: str


Entry = Sent | Heard | Did


class History:
    """Grows while a run lasts. `people` has the id that the house gave to each."""

    def __init__(self, now_ms: Callable[[], int] = wall_ms) -> None:
        self.entries: list[Entry] = []
        self.people: dict[str, str] = {}
        self._now_ms = now_ms

    def sent(self, who: str, frame: Frame) -> None:
        """Somebody sends a command."""
        self.entries.append(Sent(self._now_ms(), who, frame))

    def heard(self, who: str, frame: Frame) -> None:
        """Somebody hears something."""
        self.entries.append(Heard(self._now_ms(), who, frame))
        if frame["t"] == "welcome":
            self.people[who] = frame["d"]["me"]["id"]

    def did(self, what: str) -> None:
        """The nemesis does something."""
        self.entries.append(Did(self._now_ms(), what))

    def frames(self, who: str) -> Iterator[Heard]:
        """What one of them heard."""
        return (e for e in self.entries if isinstance(e, Heard) and e.who == who)


class Asked(NamedTuple):
    """A command as its sender knows it; places are those in the history."""

    who: str
    player: str
    frame: Frame
    sent: int
    answered: int = -1
    """Where it was answered for good; -1 = its sender never learned."""
    refused: str = ""
    """The code of a refusal."""
    version: int = 0
    """The commit that it made, if the answer says so."""

    @property
    def id(self) -> str:
        """As the log has it."""
        at_gateway = f"{self.player}-{self.frame['id']}"
        queues = self.frame["t"].startswith("queue.")
        return f"{self.player}.{at_gateway}" if queues else at_gateway

    @property
    def is_done(self) -> bool:
        """Whether its sender was told that it is done."""
        return self.answered >= 0 and not self.refused

    @property
    def words(self) -> str:
        """As it is told."""
        data = {key: value for key, value in self.frame.items() if key not in ("t", "id")}
        return f"{self.frame['t']} {self.frame['id']} {data}"


def asked(history: History) -> list[Asked]:
    """All commands, in the order in which they were first sent. What was once said to be done
    stays so: a later refusal of the same command is that of one more copy of it.
    """
    found: dict[tuple[str, str], Asked] = {}
    for place, entry in enumerate(history.entries):
        if isinstance(entry, Sent):
            key = entry.who, entry.frame["id"]
            player = history.people.get(entry.who, "")
            found.setdefault(key, Asked(entry.who, player, entry.frame, place))
        elif isinstance(entry, Heard) and entry.frame.get("re"):
            key = entry.who, entry.frame["re"]
            if key in found:
                found[key] = _answered(found[key], place, entry.frame)
    return list(found.values())


def _answered(before: Asked, place: int, frame: Frame) -> Asked:
    if before.answered >= 0 and not before.refused:
        return before
    if frame["t"] == "nack":
        code = frame["d"]["code"]
        return before if code in LATER else before._replace(answered=place, refused=code)
    version = frame.get("seq", 0) if frame["t"] == "event" else 0
    return before._replace(answered=place, refused="", version=version)
