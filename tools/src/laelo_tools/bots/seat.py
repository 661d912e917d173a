"""A table as one who plays there follows it: what to answer, and when something was missed."""

from random import Random
from typing import Any, NamedTuple

from laelo_bots.domain.levels import Level

from laelo_tools.bots.memory import Memory
from laelo_tools.bots.mind import answer

Part = dict[str, Any]

_ENDS_TURN = frozenset(("played", "passed", "opener_chosen", "hand_ended", "match_ended", "closed"))


class Move(NamedTuple):
    """A command that answers a turn."""

    kind: str
    data: Part


class Seat:
    """Takes the frames of one table in."""

    def __init__(self, table: str, level: Level, chance: Random) -> None:
        self.table = table
        self._turn: Part | None = None
        """The open turn, if it is one's own and not answered yet."""
        self._missed = False
        self._asked = False
        self._level = level
        self._chance = chance
        self._memory = Memory()
        self._seat = -1
        self._fence = 0
        self._seq = 0

    def take(self, frame: Part) -> None:
        """A frame of this table has come."""
        if frame["t"] == "snapshot":
            self._snapshot(frame)
        elif frame["t"] == "event" and frame["seq"] > self._seq:
            self._missed |= frame["seq"] != self._seq + 1
            if not self._missed:
                self._seq = frame["seq"]
                for event in frame["d"]["events"]:
                    self._event(event)

    def needs_snapshot(self) -> bool:
        """Whether something was missed; true once, until the snapshot has come."""
        asked, self._asked = self._asked, self._missed
        return self._missed and not asked

    def move(self) -> Move | None:
        """What to answer to the open turn, once; None while it is not one's own."""
        if self._turn is None or self._missed:
            return None
        turn, self._turn = self._turn, None
        kind, data = answer(turn, self._memory.view(turn), self._level, self._chance)
        return Move(kind, {**data, "turn": turn["turn"], "fence": self._fence})

    def _snapshot(self, frame: Part) -> None:
        if frame["seq"] < self._seq:
            return
        view = frame["d"]
        self._missed = self._asked = False
        self._seq = frame["seq"]
        self._seat, self._fence = view.get("me", -1), view.get("fence", 0)
        self._memory.snapshot(view)
        self._open(view.get("turn"))

    def _event(self, event: Part) -> None:
        self._memory.event(event)
        kind = event["k"]
        if kind == "turn":
            self._open(event)
        elif kind in _ENDS_TURN:
            self._turn = None
        elif kind in ("seat", "held") and event["seat"] == self._seat:
            self._fence = event["fence"]

    def _open(self, turn: Part | None) -> None:
        self._turn = turn if turn is not None and turn["seat"] == self._seat else None
