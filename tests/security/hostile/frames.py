"""Frames as a cheat would send them: those of a live session, spoilt, replayed, out of place."""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Final

from laelo_common.ids import ulid

from tests.security.hostile.values import damaged, odd, written

KEPT: Final = 200
OWN_TABLES: Final = 2
"""So many tables one cheat has at the same time,"""
MOST_TABLES: Final = 30
"""and so many at all: the log is not what is attacked here."""

Frame = dict[str, Any]


class Scene:
    """What a cheat knows: the tables of others, and how it stands at one's own."""

    def __init__(self, chance: Random, others: list[str], tokens: list[str]) -> None:
        self.chance = chance
        self.others = others
        self.tokens = tokens
        """Of other cheats: an honest person's would be theft, and rightly be believed."""
        self.own: list[str] = []
        self.turn: Frame = {}
        self.fence = 0
        self.seat = 0
        self.hand = 1
        self.code = "ABCDEF"
        self.table = ""
        self.fresh_again = self.fresh()
        self._opened = 0

    def any_table(self) -> str:
        """One's own, mostly; one of others; one that is none."""
        dice = self.chance.random()
        if dice < 0.5 and self.own:
            return self.chance.choice(self.own)
        if dice < 0.85 and self.others:
            return self.chance.choice(self.others)
        return self.fresh()

    def fresh(self) -> str:
        """A table that there is not."""
        return ulid(self.chance.randrange(1 << 40, 1 << 41), self.chance.randbytes(10))

    def opened(self) -> str:
        """A table to be opened: a new one while there are not enough."""
        if len(self.own) < OWN_TABLES and self._opened < MOST_TABLES:
            self._opened += 1
            self.own.append(self.fresh())
        return self.own[-1] if self.own else self.fresh_again

    def heard(self, frame: Frame) -> None:
        """Learn from what the gateway says of one's own tables."""
        table, data = frame.get("table", ""), frame.get("d") or {}
        if table not in self.own:
            return
        if frame.get("t") == "snapshot":
            self.table, self.seat = table, data.get("me", 4)
            self.fence, self.code = data.get("fence", 0), data.get("code", self.code)
            self.hand, self.turn = data.get("hand", 1), data.get("turn") or {}
        for event in data.get("events", ()):
            if event.get("k") == "closed":
                self.own.remove(table)
                return
            if event.get("k") == "turn":
                self.table, self.turn = table, event
            elif event.get("k") == "committed":
                self.hand = event.get("hand", self.hand)


def _acting(scene: Scene) -> Frame:
    return {
        "turn": scene.turn.get("turn", scene.chance.randrange(300)),
        "fence": scene.fence if scene.chance.random() < 0.8 else scene.chance.randrange(9),
    }


def _play(scene: Scene) -> Frame:
    plays = scene.turn.get("plays") or []
    data = _acting(scene)
    if plays and scene.chance.random() < 0.3:
        play = scene.chance.choice(plays)
        data["tile"] = play["tile"]
        if play.get("ends"):
            data["end"] = scene.chance.choice(play["ends"])
        return data
    data["tile"] = [scene.chance.randint(-1, 8), scene.chance.randint(-1, 8)]
    data["end"] = scene.chance.choice(["left", "right", "up", ""])
    return data


def _held(scene: Scene) -> list[Frame]:
    many = scene.chance.randint(0, 4)
    return [{"table": scene.any_table(), "seq": scene.chance.randrange(200)} for _ in range(many)]


def _hello(scene: Scene) -> Frame:
    data: Frame = {
        "proto": 1,
        "name": "Cheat",
        "lang": "pt",
        "window": "w1",
        "resume": _held(scene),
    }
    if scene.tokens and scene.chance.random() < 0.5:
        data["token"] = scene.chance.choice(scene.tokens)
    return data


def _options(scene: Scene) -> Frame:
    return {
        "move_seconds": scene.chance.choice([0, 0, 5, 15, 1, 10**6]),
        "spectators": True,
        "level": scene.chance.choice(["random", "easy"]),
    }


def _seat(scene: Scene) -> Frame:
    return {"seat": scene.chance.randint(0, 3)}


def _level(scene: Scene) -> Frame:
    return {"level": scene.chance.choice(["random", "easy"])}


_DATA: Final[dict[str, Callable[[Scene], Frame]]] = {
    "hello": _hello,
    "ping": lambda scene: {"client": scene.chance.random() * 1e9, "have": _held(scene)},
    "table.create": lambda scene: {"options": _options(scene)},
    "table.sit": _seat,
    "table.start": _level,
    "table.kick": _seat,
    "table.swap": lambda scene: {"seats": [scene.chance.randint(0, 4), scene.chance.randint(0, 4)]},
    "table.find": lambda scene: {"code": scene.code},
    "deal.bytes": lambda scene: {
        "hand": scene.hand + scene.chance.randint(-1, 1),
        "bytes": scene.chance.randbytes(16).hex(),
    },
    "say": lambda scene: {"phrase": scene.chance.choice(["hello", "bye", "pass the six"])},
    "seat.bot": lambda scene: {**_seat(scene), **_level(scene)},
    "seat.unbot": _seat,
    "play": _play,
    "pass": _acting,
    "choose_opener": lambda scene: {**_acting(scene), "opener": scene.chance.randint(0, 4)},
    "bracket.watch": lambda scene: {"championship": scene.any_table()},
    "bracket.unwatch": lambda scene: {"championship": scene.any_table()},
}
_NO_TABLE: Final = {"hello", "ping", "table.find", "bracket.watch", "bracket.unwatch"} | {
    "queue.join", "queue.leave", "queue.watch", "queue.unwatch",
}  # fmt: skip
_WEIGHTS: Final = {
    "hello": 2, "ping": 3, "table.create": 2, "watch": 3, "unwatch": 2, "sync": 3, "table.sit": 4,
    "table.leave": 1, "table.start": 4, "table.kick": 2, "table.swap": 2, "table.close": 1,
    "table.find": 2, "table.quick": 1, "deal.bytes": 3, "say": 2, "seat.bot": 2, "seat.unbot": 1,
    "play": 20, "pass": 6, "choose_opener": 4, "queue.join": 1, "queue.leave": 1, "queue.watch": 1,
    "queue.unwatch": 1, "bracket.watch": 1, "bracket.unwatch": 1,
}  # fmt: skip
KINDS: Final = tuple(_WEIGHTS)
_SHARES: Final = tuple(_WEIGHTS.values())


class Frames:
    """An endless supply for one cheat."""

    def __init__(self, chance: Random, scene: Scene) -> None:
        self._chance = chance
        self._scene = scene
        self._sent: deque[bytes] = deque(maxlen=KEPT)
        self._number = 0

    def one(self) -> bytes:
        """The next frame."""
        made = self._made()
        self._sent.append(made)
        return made

    def valid(self, kind: str) -> Frame:
        """A frame of the documented form: it may be asked for at the wrong time all the same."""
        scene = self._scene
        self._number += 1
        frame: Frame = {"t": kind, "id": f"x{self._number}"}
        if kind not in _NO_TABLE:
            opens = kind in ("table.create", "table.quick")
            acts = kind in ("play", "pass", "choose_opener", "deal.bytes") and scene.table
            mine = scene.table if acts and self._chance.random() < 0.7 else scene.any_table()
            frame["table"] = scene.opened() if opens else mine
        if kind == "sync":
            frame["seq"] = self._chance.choice([0, 1, 7, 300, 2**53 - 1])
        if kind in _DATA:
            frame["d"] = _DATA[kind](scene)
        return frame

    def _made(self) -> bytes:
        chance = self._chance
        dice = chance.random()
        if dice < 0.08 and self._sent:
            return chance.choice(self._sent)
        if dice < 0.12:
            return chance.randbytes(chance.choice([0, 1, 5, 60, 900]))
        if dice < 0.15:
            return odd(chance).encode("utf-8", "surrogatepass")
        frame = self.valid(chance.choices(KINDS, _SHARES)[0])
        if dice < 0.45:
            return written(frame, chance).encode()
        if dice < 0.80:
            return written(frame, chance, chance.choice([0.05, 0.2])).encode(
                "utf-8", "surrogatepass"
            )
        text = damaged(written(frame, chance).encode(), chance)
        if dice < 0.97:
            return text
        if dice < 0.98:
            return text + b" " * chance.choice([4000, 5000, 20_000])
        return chance.choice([b"\xef\xbb\xbf", b"\xff\xfe", b" \n", b""]) + text
