"""While a release is rolled out, replicas of both serve, and nobody waits.

A replica of the release before meets an event that it does not know: it answers nothing about
that table (ADR 0019), and whoever asks it is answered by one that knows it. Here the older one
is the home of the table, and does not know who has a seat.
"""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from laelo_common.hashing import home
from laelo_common.ids import new_id
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

from tests.integration.player import Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TURNS = 40
"""So long is played: some are people's, some the bots'."""

OLDER = """
from laelo_common import upcast
upcast._READ["seat_taken_2"] = lambda event: (None, None)
"""


async def test_play_goes_on_while_its_home_is_of_the_release_before(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(OLDER)
    older = {"table-1": {"PYTHONPATH": str(tmp_path)}}
    options = Options(port=0, pause_ms=0, bot_delay_ms="0", tables=2, env=older)
    async with Platform(options) as platform, AsyncExitStack() as stack:
        ana, bia = [
            await stack.enter_async_context(Player(platform.url, name, seed=seed))
            for seed, name in enumerate(("Ana", "Bia"))
        ]
        replicas = frozenset((platform.addresses["table-1"], platform.addresses["table-2"]))
        ana.table = new_id()
        while home(ana.table, replicas) != platform.addresses["table-1"]:
            ana.table = new_id()
        await ana.ask("table.create", {})
        await ana.until(lambda: ana.view.get("me") == 0)
        await bia.join(ana.table, seat=1)
        await ana.start()
        for player in (ana, bia):
            await player.until(lambda player=player: player.seq >= TURNS, 200)  # type: ignore[misc]
        assert any("UnknownEventError" in line for line in platform.output("table-1"))
        # Play goes on while the log is read: what was acknowledged before has to be in it.
        acknowledged = [dict(player.acknowledged) for player in (ana, bia)]
        async with histories(platform.nats_url) as log:
            records, snapshot = await log.of(ana.table)
        assert verify_table(ana.table, records, snapshot).faults == []
        for player, known in zip((ana, bia), acknowledged, strict=True):
            assert player.refused == []
            assert player.frames == list(range(player.frames[0], player.seq + 1))
            moves = [version for command, version in known.items() if "-turn-" in command]
            assert moves
            assert set(moves) <= set(range(len(records) + 1))
