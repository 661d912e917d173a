"""One seat at one table: takes the frames in, and says whose turn it is."""

from typing import Any

from laelo_client.moves import Tile, Turn, moves_of

Frame = dict[str, Any]

_HISTORY = ("opener_chosen", "played", "passed")
_ENDS_TURN = (*_HISTORY, "hand_ended", "match_ended", "closed")


class Seat:
    """Knows what its seat may know. Nothing in here talks to anybody."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.seq = 0
        """Number of the newest frame that was taken in."""
        self.number = -1
        """The seat, 0-3; -1 = none yet."""
        self.fence = 0
        self.missed = False
        """Whether a frame is missing: nothing is known until it, or a snapshot, has come."""
        self.end: Frame | None = None
        """How the match ended, as the gateway told it."""
        self.is_closed = False
        self._hand: list[Tile] = []
        self._ends: tuple[int, int] | None = None
        self._scores = (0, 0)
        self._history: list[Frame] = []
        self._turn: Frame | None = None

    @property
    def turn_number(self) -> int:
        """What a command has to name; 0 while it is not one's own turn."""
        return int(self._turn["turn"]) if self._turn else 0

    def turn(self) -> Turn | None:
        """One's own turn, if it is that and nothing was missed."""
        told = self._turn
        if told is None or self.missed:
            return None
        ms = told.get("ms")
        team = self.number % 2
        return Turn(
            seat=self.number,
            hand=tuple(self._hand),
            ends=self._ends,
            scores=(self._scores[team], self._scores[1 - team]),
            history=tuple(self._history),
            seconds=None if ms is None else ms / 1000,
            moves=moves_of(told),
        )

    def take(self, frame: Frame) -> None:
        """A frame of this table has come."""
        if frame["t"] == "snapshot" and frame["seq"] >= self.seq:
            self._snapshot(frame["d"])
            self.seq, self.missed = frame["seq"], False
        elif frame["t"] == "event" and frame["seq"] > self.seq:
            self.missed = frame["seq"] != self.seq + 1
            if not self.missed:
                self.seq = frame["seq"]
                for event in frame["d"]["events"]:
                    self._event(event)

    def _snapshot(self, view: Frame) -> None:
        self.number, self.fence = view.get("me", -1), view.get("fence", 0)
        self._hand = _tiles(view.get("tiles", ()))
        self._ends = _pair(view.get("ends"))
        self._scores = (view["scores"][0], view["scores"][1])
        self._history = []
        self.end = view.get("match_end")
        self._open(view.get("turn"))

    def _event(self, event: Frame) -> None:
        kind = event["k"]
        if kind in _ENDS_TURN:
            self._turn = None
        if kind in _HISTORY:
            self._history.append(event)
        if kind == "turn":
            self._open(event)
        elif kind == "dealt":
            self._dealt(event)
        elif kind == "played":
            self._played(event)
        elif kind == "match_ended":
            self.end = event["end"]
        elif kind == "closed":
            self.is_closed = True
        elif kind in ("seat", "held") and event["seat"] == self.number:
            self.fence = event["fence"]

    def _dealt(self, event: Frame) -> None:
        self._hand = _tiles(event.get("tiles", ()))
        self._ends, self._history, self.end = None, [], None
        self._scores = (event["scores"][0], event["scores"][1])

    def _played(self, event: Frame) -> None:
        self._ends = _pair(event["ends"])
        if event["seat"] == self.number:
            self._hand.remove(_tile(event["tile"]))

    def _open(self, turn: Frame | None) -> None:
        self._turn = turn if turn is not None and turn["seat"] == self.number else None


def _tile(pair: list[int]) -> Tile:
    return min(pair), max(pair)


def _tiles(pairs: list[list[int]] | tuple[()]) -> list[Tile]:
    return [_tile(pair) for pair in pairs]


def _pair(numbers: list[int] | None) -> tuple[int, int] | None:
    return None if numbers is None else (numbers[0], numbers[1])
