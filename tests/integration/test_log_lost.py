"""The log's store is deleted in the midst of everything, restored, and everything goes on."""

import argparse
import asyncio
import shutil
from pathlib import Path
from signal import SIGKILL

import pytest
from laelo_tools.commands import log as log_command
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

from .archived import all_archived
from .crowd import Crowd, checked, ended, join_in_turn, nobody_in_limbo
from .player import Player

pytestmark = [pytest.mark.integration, pytest.mark.faults]

WRITERS = ("table-1", "table-2", "tournament-1", "matchmaking-1")


def options(state: Path) -> Options:
    return Options(
        state=state,
        port=0,
        pause_ms=0,
        bot_delay_ms="0",
        tournaments=1,
        matchmaking=1,
        archives=1,
        clock_scale=0.05,
        env={"matchmaking": {"LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0"}},
    )


async def run(platform: Platform, *words: str) -> int:
    """The exit status of `laelo log …` on this platform."""
    parser = argparse.ArgumentParser()
    log_command.configure(parser)
    where = ["--nats", platform.nats_url]
    if words[0] != "verify":
        where += ["--pg", platform.pg_dsn]
    args = parser.parse_args([*words, *where])
    return await log_command._COMMANDS[args.log_command](args)


async def test_a_match_and_a_championship_go_on_from_the_second_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    async with (
        Platform(options(state)) as platform,
        Player(platform.url, "Ana", seed=1) as ana,
        Player(platform.url, "Bia", seed=2) as bia,
        Crowd(platform, "Copa") as crowd,
    ):
        table = await ana.create()
        await bia.join(table, seat=1)
        await ana.start()
        people = await crowd.come(8)
        await join_in_turn(people)
        await ana.until(lambda: ana.seq >= 30)
        await asyncio.gather(*(member.until(lambda m=member: m.bracket, 60) for member in people))  # type: ignore[misc]
        before = ana.seq

        await asyncio.gather(*(platform.kill(name, SIGKILL) for name in WRITERS))
        await all_archived(platform)
        await platform.kill("nats", SIGKILL)
        shutil.rmtree(state / "nats" / "jetstream")
        await platform.restart("nats")
        assert await run(platform, "restore") == 0
        assert "LOST" not in capsys.readouterr().out
        await asyncio.gather(*(platform.restart(name) for name in WRITERS))

        await asyncio.gather(ana.played(1), bia.played(1), ended(people))
        assert ana.seq > before
        assert ana.matches == bia.matches
        name = people[0].bracket["id"]
        assert {member.bracket["stage"] for member in people} == {"over"}
        assert (await checked(platform, name)).faults == []
        await nobody_in_limbo(platform)
        async with histories(platform.nats_url) as log:
            for one, records in (await log.all()).items():
                assert verify_table(one, records, await log.snapshot(one)).faults == []
        await all_archived(platform)
        assert await run(platform, "audit") == 0
        assert await run(platform, "replay") == 0
        assert await run(platform, "replay", "--check") == 0
        told = capsys.readouterr().out
        assert "0 tables wrong" in told
