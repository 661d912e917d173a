"""A bot with an account against a gateway of this test: what it asks for, and how it goes on."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from laelo_tools.bots.player import Player, Style, Ticket
from laelo_tools.load.visitor import RefusedError
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

Frame = dict[str, Any]

CUP = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
MINE = {"team": 2, "animal": "siri"}


class Gateway:
    """Answers every command with an ack, or as a test wants it; keeps what came."""

    def __init__(self) -> None:
        self.came: list[Frame] = []
        self.refuses: dict[str, list[str]] = {}
        """By kind of frame: codes of refusals to come."""
        self._socket: ServerConnection | None = None
        self._news = asyncio.Condition()

    async def __call__(self, socket: ServerConnection) -> None:
        self._socket = socket
        try:
            async for text in socket:
                frame = json.loads(text)
                await self._answer(frame)
                async with self._news:
                    self.came.append(frame)
                    self._news.notify_all()
        except ConnectionClosed:
            return  # as a test wants it

    async def until(self, kind: str, times: int = 1) -> Frame:
        """Wait until so many frames of a kind have come; the last of them."""
        async with asyncio.timeout(20), self._news:
            await self._news.wait_for(lambda: len(self.of(kind)) >= times)
        return self.of(kind)[times - 1]

    def of(self, kind: str) -> list[Frame]:
        """What came of a kind."""
        return [frame for frame in self.came if frame["t"] == kind]

    async def send(self, kind: str, part: Frame, **more: Any) -> None:
        """Send a frame."""
        assert self._socket is not None
        await self._socket.send(json.dumps({"t": kind, "now": 0, "d": part, **more}))

    async def call(self, table: str, match: str = "W1-1") -> None:
        """Call the player to a match."""
        part = {"championship": CUP, "tier": "bronze", "match": match, "table": table, "seat": 1}
        await self.send("called", {**part, **MINE, "ms": 0})

    async def bracket(self, stage: str = "running", **team: Any) -> None:
        """Tell the bracket."""
        teams = [{"number": 1}, {"number": 2, **team}]
        await self.send("bracket", {"id": CUP, "stage": stage, "teams": teams, "mine": MINE})

    async def cut(self) -> None:
        """Lose the connection."""
        assert self._socket is not None
        self._socket.transport.abort()

    async def _answer(self, frame: Frame) -> None:
        kind = frame["t"]
        if kind == "hello":
            await self.send("welcome", {"me": {"id": "me"}}, re=frame["id"])
        elif self.refuses.get(kind):
            refused = {"code": self.refuses[kind].pop(0), "reason": "so it is"}
            await self.send("nack", refused, re=frame["id"])
        else:
            await self.send("ack", {}, re=frame["id"])


@asynccontextmanager
async def playing() -> AsyncIterator[tuple[Gateway, Player]]:
    """A player who is connected."""
    gateway = Gateway()
    async with serve(gateway, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        ticket = Ticket([f"ws://127.0.0.1:{port}/ws"], "Autômato 1", "laelo_session=x")
        async with Player(ticket, Style(), 1) as player:
            yield gateway, player


async def test_it_joins_or_says_why_it_cannot() -> None:
    async with playing() as (gateway, player):
        await player.join()
        gateway.refuses["queue.join"] = ["TRY_LATER", "IN_CHAMPIONSHIP"]
        with pytest.raises(RefusedError, match="IN_CHAMPIONSHIP") as refused:
            await player.join()
        assert refused.value.code == "IN_CHAMPIONSHIP"
        assert len(gateway.of("queue.join")) == 3


async def test_it_goes_from_table_to_table_once_they_are_open() -> None:
    async with playing() as (gateway, player):
        gateway.refuses["watch"] = ["UNKNOWN_TABLE", "UNKNOWN_TABLE"]
        await gateway.call("ONE")
        assert (await gateway.until("watch", 3))["table"] == "ONE"
        await gateway.call("ONE")
        await gateway.call("TWO", "W2-1")
        assert (await gateway.until("unwatch"))["table"] == "ONE"
        assert (await gateway.until("watch", 4))["table"] == "TWO"
        assert player.tables == ["ONE", "TWO"]


async def test_it_comes_back_to_table_and_bracket() -> None:
    async with playing() as (gateway, player):
        await gateway.bracket()
        await gateway.call("ONE")
        await gateway.until("watch")
        assert not player.is_placed
        await gateway.cut()
        asked = await gateway.until("bracket.watch")
        assert asked["d"] == {"championship": CUP}
        await gateway.call("ONE")
        assert (await gateway.until("watch", 2))["table"] == "ONE"


@pytest.mark.parametrize(
    ("stage", "team"),
    [("running", {"place": [3, 3], "points": 2}), ("cancelled", {}), ("over", {})],
)
async def test_it_is_through_when_the_team_is_placed_or_all_is_over(
    stage: str, team: Frame
) -> None:
    async with playing() as (gateway, player):
        await gateway.bracket()
        await player.until(lambda: player.bracket, 20)
        assert not player.is_placed
        await gateway.bracket(stage, **team)
        await player.until(lambda: player.is_placed, 20)
        assert player.team == {"number": 2, **team}


async def test_a_refusal_that_no_clock_explains_is_kept() -> None:
    async with playing() as (gateway, player):
        gateway.refuses["pass"] = ["STALE_TURN", "STALE_FENCE"]
        await gateway.call("ONE")
        await gateway.until("watch")
        for turn in (7, 8):
            view = {"me": 1, "fence": 4, "scores": [0, 0], "multiplier": 1, "hand": 1}
            view["turn"] = {"seat": 1, "turn": turn, "must_pass": True}
            view["chain"] = [[0, 1]]
            await gateway.send("snapshot", view, table="ONE", seq=turn)
        answer = await gateway.until("pass", 2)
        assert answer["d"] == {"turn": 8, "fence": 4}
        await player.until(lambda: player.refused, 20)
        assert [refused.code for refused in player.refused] == ["STALE_FENCE"]


async def test_a_fault_of_a_move_is_raised_where_one_waits() -> None:
    async with playing() as (gateway, player):
        gateway.refuses["watch"] = ["BAD_REQUEST"]
        await gateway.call("ONE")
        with pytest.raises(RefusedError, match="BAD_REQUEST"):
            await player.until(lambda: False, 20)
