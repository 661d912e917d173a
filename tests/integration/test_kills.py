"""Whatever process is killed in mid-match, the same match goes on: nothing lost, nothing twice."""

import asyncio
from collections import Counter
from signal import SIGKILL

import pytest
from laelo.table.v1 import events_pb2
from laelo_common.log import Recorded
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

from .player import Player

pytestmark = [pytest.mark.integration, pytest.mark.faults]

EVERY_MOVES = 25
KILLS = 4


def commands_of(records: list[Recorded]) -> dict[str, list[int]]:
    """Versions that each command id made; a client's id stands in it behind the person's."""
    made: dict[str, list[int]] = {}
    for record in records:
        head = events_pb2.Commit.FromString(record.data).head
        command = head.command.removeprefix(f"{head.actor_id}-")
        made.setdefault(command, []).append(head.version)
    return made


@pytest.mark.parametrize(
    "killed",
    [
        pytest.param(("table-1",), id="one-table-replica"),
        pytest.param(("table-1", "table-2"), id="both-table-replicas"),
        pytest.param(("rules-1",), id="rules"),
        pytest.param(("bots-1",), id="bots"),
        pytest.param(("gateway-1",), id="gateway"),
        pytest.param(("nats",), id="nats"),
    ],
)
async def test_the_match_goes_on(killed: tuple[str, ...]) -> None:
    """Two persons and two bots play on through four kills; then the log is held against them."""
    options = Options(port=0, pause_ms=100, bot_delay_ms="5-20")
    async with (
        Platform(options) as platform,
        Player(platform.url, "Ana", seed=1) as ana,
        Player(platform.url, "Bia", seed=2) as bia,
    ):
        table = await ana.create()
        await bia.join(table, seat=1)
        await ana.start()
        kills = 0
        for nth in range(1, KILLS + 1):
            mark = nth * EVERY_MOVES
            await ana.until(lambda mark=mark: ana.seq >= mark or ana.matches)  # type: ignore[misc]
            if ana.matches:
                break
            await asyncio.gather(*(platform.kill(name, SIGKILL) for name in killed))
            kills += 1
            await asyncio.gather(*(platform.restart(name) for name in killed))
        await asyncio.gather(ana.played(1), bia.played(1))

        async with histories(platform.nats_url) as log:
            records, snapshot = await log.of(table)
        assert kills >= 2
        assert verify_table(table, records, snapshot).faults == []
        made = commands_of(records)
        assert Counter(map(len, made.values())).keys() == {1}
        for player in (ana, bia):
            assert player.matches == ana.matches
            assert player.refused == []
            assert player.frames == sorted(set(player.frames))
            assert player.seq == len(records)
            for command, version in player.acknowledged.items():
                if command in made:
                    assert made[command] == [version]
            played = [command for command in player.acknowledged if "-turn-" in command]
            assert played
            assert all(command in made for command in played)
