"""A gateway of the test's own behind the built page: it says what the test lets it say.

What a page does with a queue, a call or a bracket needs no thirty-two people: one frame tells it.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute

NOW = 1_764_500_000_000
CHAMPIONSHIP = "01J0000000000000000000CVP0"
TABLE = "01J00000000000000000000TA8"
"""That of a championship's first match, where a test has need of one."""
GUEST: dict[str, object] = {"id": "guest-1", "name": "Anna"}
ANNA: dict[str, object] = {"id": "anna-1", "name": "Anna", "guest": False}

NOTHING: dict[str, object] = {
    "/api/championships": {"running": [], "ended": []},
    "/api/ranking": {"week": "2026-11-30", "weeks": [], "rows": []},
    "/api/account/settings": {},
}
"""What is answered where a test has nothing of its own to say."""

Answers = dict[str, object]


class Stage:
    """Every window of one browser is connected to it."""

    def __init__(self, context: BrowserContext, me: Answers, answers: Mapping[str, object]) -> None:
        self.asked: list[dict[str, Any]] = []
        self.on: dict[str, list[dict[str, Any]]] = {}
        """Frames that follow a frame of the page, by its type."""
        self.refused: dict[str, str] = {}
        """The code with which a frame of the page is refused, by its type."""
        self.unanswered: set[str] = set()
        """Types of frames of the page that nothing follows."""
        self.closes: int | None = None
        """Connections are closed at once with this code."""
        self.sockets: list[str] = []
        """The addresses to which windows have connected."""
        self._me = me
        self._answers = {**NOTHING, "/api/account": _account(me), **answers}
        self._sockets: list[WebSocketRoute] = []
        context.route_web_socket(re.compile("^wss?:"), self._connected)
        context.route(re.compile("/api/"), self._fetch)

    def tell(self, frame: dict[str, Any]) -> None:
        """Send a frame to all windows."""
        for socket in self._sockets:
            socket.send(json.dumps({"now": NOW, **frame}))

    def close(self, code: int) -> None:
        """Close all connections, and those that follow."""
        self.closes = code
        for socket in self._sockets:
            socket.close(code=code)

    def await_asked(self, kind: str, page: Page) -> dict[str, Any]:
        """Wait until the page has asked for something; what it has said with that."""
        while True:
            for frame in self.asked:
                if frame["t"] == kind:
                    return dict(frame["d"])
            page.wait_for_timeout(50)

    def types(self) -> list[str]:
        """What the page has asked for so far, but for pings; what was sent again counts once."""
        asked = {frame["id"]: frame["t"] for frame in self.asked if frame["t"] != "ping"}
        return list(asked.values())

    def _connected(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket.url)
        if self.closes is not None:
            socket.close(code=self.closes)
            return
        self._sockets.append(socket)
        socket.on_message(lambda text: self._heard(socket, json.loads(text)))

    def _heard(self, socket: WebSocketRoute, frame: dict[str, Any]) -> None:
        self.asked.append(frame)
        if frame["t"] in self.unanswered:
            return
        if frame["t"] == "hello":
            welcome = {"proto": 1, "min_proto": 1, "build": "", "me": self._me}
            answers = [{"t": "welcome", "re": frame["id"], "d": welcome}]
        elif frame["t"] == "ping":
            answers = [{"t": "pong", "d": {"client": frame["d"]["client"]}}]
        elif code := self.refused.get(frame["t"]):
            answers = [{"t": "nack", "re": frame["id"], "d": {"code": code, "reason": code}}]
        else:
            answers = [{"t": "ack", "re": frame["id"]}]
        for answer in [*answers, *self.on.get(frame["t"], [])]:
            socket.send(json.dumps({"now": NOW, **answer}))

    def _fetch(self, route: Route) -> None:
        url = route.request.url.split("://", 1)[1]
        answer = self._answers["/" + url.split("/", 1)[1]]
        refused = isinstance(answer, dict) and "code" in answer
        route.fulfill(json=answer, status=404 if refused else 200)


def _account(me: Answers) -> Answers:
    known = me.get("guest") is False
    name = me["name"] if known else ""
    return {"signed_in": known, "name": name, "nameless": known and not name, "provider": "google"}


def table(name: str, seats: list[dict[str, Any]], **parts: object) -> dict[str, Any]:
    """A table as who sits in seat 0 sees it."""
    view = {
        "phase": "lobby",
        "options": {},
        "seats": seats,
        "scores": [0, 0],
        "match": 0,
        "hand": 0,
        "multiplier": 1,
        "me": 0,
        "fence": 1,
    }
    return {"t": "snapshot", "table": name, "seq": 5, "d": view | parts}


def queue(count: int, **parts: object) -> dict[str, Any]:
    """A frame that tells of the queue."""
    return {"t": "queue", "d": {"count": count, "wait_ms": 180_000, **parts}}


def table_of(match: str) -> str:
    """The table of a match: each has one of its own."""
    return TABLE[:-1] + "8ABCDE"[EMPTY.index(match)]


def called(match: str = "W1-1", ms: int = 15_000) -> dict[str, Any]:
    """The call to a match, as the billy goat of team 1."""
    part = {"championship": CHAMPIONSHIP, "tier": "bronze", "match": match}
    part |= {"table": table_of(match)}
    return {"t": "called", "d": {**part, "seat": 0, "team": 1, "animal": "bode", "ms": ms}}


PAIRS = [
    ("bode", "siri"),
    ("galo", "asa-branca"),
    ("cutia", "timbu"),
    ("jaguatirica", "tubarao-limao"),
]
EMPTY = ("W1-1", "W1-2", "W2-1", "L1-1", "L2-1", "F1")
"""The matches of a bronze championship."""


Matches = dict[str, dict[str, Any]]


def bracket(matches: Matches, **parts: object) -> dict[str, Any]:
    """A bronze championship in which these matches are known."""
    teams: list[dict[str, Any]] = [
        {"number": number, "animals": pair} for number, pair in enumerate(PAIRS, 1)
    ]
    placed = parts.pop("placed", {})
    assert isinstance(placed, dict)
    for number, part in placed.items():
        teams[number - 1].update(part)
    body = {
        "id": CHAMPIONSHIP,
        "version": 1 + len(matches),
        "tier": "bronze",
        "stage": "running",
        "started": NOW - 600_000,
        "commitment": "ab" * 32,
        "teams": teams,
        "matches": [{"id": name, "teams": [None, None], **matches.get(name, {})} for name in EMPTY],
        **parts,
    }
    return {"t": "bracket", "d": body}
