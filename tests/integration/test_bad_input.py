"""Whatever a client sends, it is told what was wrong, and the match goes on."""

import json
from typing import Any

import pytest
from laelo_common.ids import new_id
from laelo_tools.platform import Options, Platform
from websockets.asyncio.client import ClientConnection, connect

from .player import Player

pytestmark = pytest.mark.integration


class Raw:
    """A connection on which anything is sent and the refusals are read."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def refused(self, frame: str | bytes | dict[str, Any]) -> dict[str, Any]:
        """Send a frame; the data of the refusal that it gets, words included."""
        await self.socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)
        while True:
            answer = json.loads(await self.socket.recv())
            if answer["t"] == "nack":
                assert answer["d"]["reason"]
                return {**answer["d"], "re": answer.get("re")}


async def test_a_match_goes_on_whatever_comes_between() -> None:
    """One of two players sends all kinds of nonsense at each of his turns."""
    async with (
        Platform(Options(port=0, pause_ms=0, bot_delay_ms="0")) as platform,
        Player(platform.url, "Ana", seed=3) as ana,
        Player(platform.url, "Bia", seed=4) as bia,
        connect(platform.url.replace("http", "ws", 1) + "/ws") as socket,
    ):
        table = await ana.create()
        await bia.join(table, seat=1)
        bia.holds = lambda turn: bool(turn.get("plays"))
        await ana.start()
        await bia.until(lambda: (bia.view.get("turn") or {}).get("plays"))
        turn, fence = bia.view["turn"]["turn"], bia.view["fence"]
        before = bia.seq

        raw = Raw(socket)
        early = await raw.refused({"t": "watch", "id": "w", "table": table})
        assert early == {"code": "HELLO_FIRST", "reason": early["reason"], "re": "w"}
        hello = {"proto": 1, "name": "Caio"}
        await socket.send(json.dumps({"t": "hello", "id": "h", "d": hello}))
        assert json.loads(await socket.recv())["t"] == "welcome"

        def play(**data: Any) -> dict[str, Any]:
            d = {"tile": [0, 0], "turn": turn, "fence": fence, **data}
            return {"t": "play", "id": "p", "table": table, "d": d}

        for frame, code in (
            ({"t": "fly", "id": "a"}, "UNKNOWN_FRAME"),
            ("not json", "BAD_FRAME"),
            (b"\x00\x01", "BAD_FRAME"),
            ("[]", "BAD_FRAME"),
            ({"t": "play", "id": "b", "table": table}, "BAD_FRAME"),
            ({**play(), "id": 7}, "BAD_FRAME"),
            (play(tile="six"), "BAD_FRAME"),
            ({"t": "play", "id": "c", "table": "x" * 5000}, "FRAME_TOO_LARGE"),
            ({"t": "watch", "id": "d", "table": new_id()}, "UNKNOWN_TABLE"),
            (play(), "NOT_SEATED"),
            ({"t": "table.sit", "id": "e", "table": table, "d": {"seat": 1}}, "TABLE_FULL"),
            ({"t": "table.start", "id": "f", "table": table}, "NOT_SEATED"),
        ):
            assert (await raw.refused(frame))["code"] == code, frame

        for number, (data, code) in enumerate(
            (
                ({"tile": [7, 1]}, "INVALID_TILE"),
                ({"tile": bia.view["turn"]["plays"][0]["tile"], "end": "up"}, "INVALID_END"),
                ({"turn": turn - 1}, "STALE_TURN"),
                ({"turn": turn + 9}, "STALE_TURN"),
                ({"fence": fence + 1}, "STALE_FENCE"),
            )
        ):
            answer = await bia.ask("play", play(**data)["d"], f"wrong-{number}")
            assert (answer["t"], answer["d"]["code"]) == ("nack", code)
        answer = await ana.ask("pass", {"turn": turn, "fence": ana.view["fence"]}, "not-mine")
        assert answer["d"]["code"] == "NOT_YOUR_TURN"

        assert bia.seq == before, "nothing that was refused may change the table"
        bia.holds = lambda _: False
        await bia.act()
        await bia.played(1)
        await ana.played(1)
        assert ana.matches == bia.matches
