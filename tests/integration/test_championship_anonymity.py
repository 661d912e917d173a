"""Who is who stays hidden until a team is out or champion (R40), from everybody and everywhere.

A championship is played, and all that anybody receives meanwhile is kept: its players, a person
and a guest who watch tables and bracket, strangers who ask over HTTP; and every line that any
process logs. Then all of it is searched for whatever gives somebody away.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple, Protocol

import pytest
from laelo.tournament.v1 import events_pb2
from laelo_tools.history.source import histories
from laelo_tools.load.visitor import Frame, RefusedError, Visitor
from laelo_tools.platform import Options, Platform

from .crowd import (
    Crowd,
    Member,
    browser,
    championship,
    checked,
    ended,
    eventually,
    join_in_turn,
    nobody_in_limbo,
)

pytestmark = pytest.mark.integration

OPTIONS = Options(
    port=0,
    sync="default",
    pause_ms=0,
    tables=2,
    tournaments=1,
    matchmaking=1,
    gateways=2,
    clock_scale=0.02,
    env={"matchmaking": {"LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0"}},
)
GUEST, STRANGER, LOGS = "a guest who watches", "a stranger over HTTP", "the logs"
OPEN_TO_ALL = (
    "/api/championships",
    "/api/ranking",
    "/api/account",
    "/api/account/export",
    "/version.json",
    "/metrics",
)


class Kept(NamedTuple):
    """Something that somebody received."""

    who: str
    at_ms: float
    text: bytes


class Ear:
    """Keeps all that is heard, by whomever."""

    def __init__(self) -> None:
        self.kept: list[Kept] = []
        self.ids: dict[str, str] = {}
        self.tables: set[str] = set()

    def __call__(self, who: str, text: bytes, frame: Frame) -> None:
        """A frame."""
        self.keep(who, text)
        if frame["t"] == "welcome":
            self.ids[who] = frame["d"]["me"]["id"]
        elif frame["t"] == "bracket":
            self.tables |= {m["table"] for m in frame["d"]["matches"] if m.get("table")}

    def keep(self, who: str, text: bytes) -> None:
        """Keep it with the time."""
        self.kept.append(Kept(who, time.time_ns() / 1e6, text))

    def of(self, who: str) -> list[bytes]:
        """All that somebody received."""
        return [kept.text for kept in self.kept if kept.who == who]


class Asks(Protocol):
    """Who can send commands."""

    async def ask(self, kind: str, table: str = "", **part: Any) -> Frame:
        """Send one."""


async def watch_all(visitor: Asks, ear: Ear, name: str) -> None:
    """Look at the queue, the bracket, and every table as soon as it is named in that."""
    await visitor.ask("queue.watch")
    await visitor.ask("bracket.watch", championship=name)
    seen: set[str] = set()
    while True:
        for table in ear.tables - seen:
            with suppress(RefusedError):  # not opened yet, or closed
                await visitor.ask("watch", table)
                seen.add(table)
        await asyncio.sleep(0.02)


async def talk(players: Sequence[Member]) -> None:
    """Say something at one table after another."""
    while True:
        for player in players:
            if player.call is not None:
                with suppress(RefusedError):  # that match is over
                    await player.ask("say", player.call["table"], phrase="hello")
            await asyncio.sleep(0.05)


async def ask_around(urls: Sequence[str], cookies: dict[str, str], ear: Ear, name: str) -> None:
    """Ask over HTTP for all that can be had, as everybody and as nobody, headers and all."""
    async with browser() as http:
        while True:
            for url in urls:
                for path in (*OPEN_TO_ALL, f"/api/brackets/{name}"):
                    for who, cookie in cookies.items():
                        answer = await http.get(url + path, headers={"cookie": cookie})
                        head = json.dumps(dict(answer.headers)).encode()
                        ear.keep(who, head + b"\n" + answer.content)
            await asyncio.sleep(0.1)


@asynccontextmanager
async def meanwhile(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do these for ever; what goes wrong in one is raised at the end."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [r for r in results if not isinstance(r, asyncio.CancelledError)] == []


async def placed_ms(platform: Platform, name: str) -> dict[int, int]:
    """When each team was out or champion, by its number."""
    async with histories(platform.nats_url) as log:
        records = await log.championship(name)
    commits = [events_pb2.Commit.FromString(record.data) for record in records]
    return {
        event.team_placed.team: commit.head.time_ms
        for commit in commits
        for event in commit.events
        if event.WhichOneof("event") == "team_placed"
    }


def leaks(ear: Ear, member: Member, secrets: Sequence[str], before_ms: float) -> list[Kept]:
    """What others received before a moment and gives somebody away."""
    needles = [secret.encode() for secret in secrets]
    return [
        kept
        for kept in ear.kept
        if kept.who != member.name
        and kept.at_ms < before_ms
        and any(needle in kept.text for needle in needles)
    ]


async def test_nobody_is_known_before_the_team_is_placed_and_everybody_after_it() -> None:
    ear = Ear()
    async with (
        Platform(OPTIONS, lambda _, line: ear.keep(LOGS, line.encode())) as platform,
        Crowd(platform, "Segredo") as crowd,
    ):
        address = f"{platform.url.replace('http', 'ws', 1)}/ws"
        *players, watcher = await crowd.come(9, ear)
        # Who signs in is logged by the random id: of the championship nothing follows from it.
        ear.kept = [kept for kept in ear.kept if kept.who != LOGS]
        await join_in_turn(players)
        await players[0].until(lambda: players[0].call, 20)
        assert players[0].call is not None
        name = players[0].call["championship"]
        urls = [f"http://{at}" for part, at in platform.addresses.items() if "gateway" in part]
        cookies = {STRANGER: "", **{m.name: m.cookie for m in (players[0], watcher)}}
        visitor = Visitor(
            [address], "Visita", Random(0), hear=lambda text, frame: ear(GUEST, text, frame)
        )
        async with (
            visitor as guest,
            meanwhile(
                watch_all(guest, ear, name),
                watch_all(watcher, ear, name),
                ask_around(urls, cookies, ear, name),
                talk(players),
            ),
        ):
            await ended(players)
            await nobody_in_limbo(platform)
            listeners = (GUEST, STRANGER, *(member.name for member in (*players, watcher)))
            await eventually(partial(all_told, ear, listeners, [p.name for p in players]))
        assert (await checked(platform, name)).faults == []
        entries = (await championship(platform, name)).entries
        teams = {entry.player: entry.team for entry in entries}
        placed = await placed_ms(platform, name)

        assert len({teams[ear.ids[player.name]] for player in players}) == 4
        for player in players:
            own = ear.ids[player.name]
            token = player.cookie.partition("=")[2]
            assert leaks(ear, player, [player.name, own], placed[teams[own]]) == []
            assert leaks(ear, player, [token, player.subject], float("inf")) == []
        for who in listeners:
            received = ear.of(who)
            # Names are shown as soon as their team is out, while others still play.
            assert any(b'"running"' in text and b'"names"' in text for text in received)
        check_watched(ear.of(GUEST))


async def all_told(ear: Ear, listeners: Sequence[str], names: Sequence[str]) -> bool:
    """Whether everybody was told who everybody was."""
    everything = [b"".join(ear.of(who)) for who in listeners]
    return all(name.encode() in text for text in everything for name in names)


def check_watched(received: list[bytes]) -> None:
    """There was something to be found: tables, talk and seats of people who are animals."""
    for mark in (b'"t":"event"', b'"t":"snapshot"', b'"t":"said"', b'"animal":"'):
        assert any(mark in text for text in received)
