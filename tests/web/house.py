"""A platform that starts championships, bots that fill one, and what a browser hears of it."""

import json
from typing import Any

from laelo_bots.domain.levels import Level
from laelo_tools.bots.player import Player as Bot
from laelo_tools.bots.player import Style
from laelo_tools.bots.tickets import Person, enrol
from laelo_tools.platform import Options
from playwright.sync_api import BrowserContext, Page, WebSocket

from .conftest import Background

SCALE = 0.1
"""A person acts within a tenth of the rules' clocks, or the clock acts: it goes on either way."""

OPTIONS = Options(
    port=0,
    sync="default",
    pause_ms=2500,
    bot_delay_ms="0",
    tables=1,
    tournaments=1,
    matchmaking=1,
    clock_scale=SCALE,
    env={
        "matchmaking": {
            "LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "40",
            # A browser that a busy machine keeps waiting is not gone.
            "LAELO_MATCHMAKING_QUEUE_GRACE_SECONDS": "3600",
        },
        "tournament": {"LAELO_TOURNAMENT_MATCH_PAUSE_SECONDS": "25"},
    },
)
STYLE = Style(Level.SIMPLE)
NAMES = ("Severino", "Zefinha", "Tonho da Vila", "Biu do Bar", "Dona Nenê", "Seu Ciço", "Mainha Lu")
"""None of them is a word of the page."""

Frame = dict[str, Any]


class House:
    """Its bots come when they are told to, and then play until they are out."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        """The accounts of all bots that have come."""
        self._background = Background()
        self._bots: list[Bot] = []
        self.url = self._background.start(OPTIONS)

    def close(self) -> None:
        """All go, and the platform stops."""
        try:
            for bot in self._bots:
                self._background.do(bot.__aexit__())
        finally:
            self._background.stop()

    def come(self, number: int) -> None:
        """So many more bots join the queue, one after the other."""
        self._background.do(self._come(number))

    def see_through(self) -> None:
        """Wait until the championship is over for all bots; none of them may have been refused."""
        self._background.do(self._see_through())

    async def _come(self, number: int) -> None:
        names = NAMES[len(self._bots) :][:number]
        for ticket in await enrol(self.url, [Person(f"bot {name}", name) for name in names]):
            bot = Bot(ticket, STYLE, len(self._bots), self._hear)
            self._bots.append(bot)
            await bot.__aenter__()
            await bot.join()

    async def _see_through(self) -> None:
        for bot in self._bots:
            await bot.until(lambda bot=bot: bot.is_placed)  # type: ignore[misc]
            assert bot.refused == []

    def _hear(self, _: bytes, frame: Frame) -> None:
        if frame["t"] == "welcome":
            self.ids.add(frame["d"]["me"]["id"])


class Ear:
    """Keeps every frame that any window of a browser receives."""

    def __init__(self, context: BrowserContext) -> None:
        self.frames: list[Frame] = []
        for page in context.pages:
            self._listen(page)
        context.on("page", self._listen)

    def _listen(self, page: Page) -> None:
        page.on("websocket", self._connected)

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.frames.append(json.loads(text)))

    def brackets(self) -> list[Frame]:
        """What was told of the championship, the oldest first."""
        return [frame["d"] for frame in self.frames if frame["t"] == "bracket"]

    def calls(self) -> list[Frame]:
        """The calls to the person's matches, each as often as it was heard."""
        return [frame["d"] for frame in self.frames if frame["t"] == "called"]

    def seats(self, table: str) -> list[Frame]:
        """Who sits at a table, as it was told first."""
        told = (f for f in self.frames if f["t"] == "snapshot" and f["table"] == table)
        return list(next(told)["d"]["seats"])

    def revealed(self) -> set[str]:
        """The names of all who may be known by now: their teams are out or champion (R40)."""
        return {name for bracket in self.brackets() for name in _shown(bracket)}

    def leaks(self, secrets: set[str]) -> list[Frame]:
        """The frames that hold a secret where it may not be."""
        texts = ((json.dumps(_lawful(frame), ensure_ascii=False), frame) for frame in self.frames)
        return [frame for text, frame in texts if any(secret in text for secret in secrets)]


def _shown(bracket: Frame) -> list[str]:
    placed = [team for team in bracket["teams"] if "place" in team]
    return [name for team in placed for name in team["names"]]


def _lawful(frame: Frame) -> Frame:
    """The frame without what a bracket says once it may: who was who, and whom the draw drew."""
    if frame["t"] != "bracket":
        return frame
    body = {key: value for key, value in frame["d"].items() if key != "teams"}
    if body["stage"] == "over":
        body = {key: value for key, value in body.items() if key not in ("players", "drawn")}
    teams = [_without_names(team) if "place" in team else team for team in frame["d"]["teams"]]
    return {**frame, "d": {**body, "teams": teams}}


def _without_names(team: Frame) -> Frame:
    return {key: value for key, value in team.items() if key != "names"}
