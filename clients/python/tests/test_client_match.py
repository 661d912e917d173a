"""The example plays a whole match over the gateway, as the bot of somebody who is signed in; then
the match is judged.
"""

import asyncio
import os
import re
import sys
from pathlib import Path

import httpx
import pytest
from laelo_client.client import _new_id
from laelo_common.ids import is_id
from laelo_tools.accounts import sign_in
from laelo_tools.platform import Options, Platform

from tests.integration.player import Player

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "heavy.py"
SOURCE = EXAMPLE.parents[1] / "src"
LONGEST = 40


async def token_of(url: str, name: str) -> str:
    """A token for a bot, got as a person gets one."""
    cookie = await sign_in(url, "owner", "Dona Bia")
    headers = {"cookie": cookie, "origin": url}
    async with httpx.AsyncClient(trust_env=False) as http:
        page = await http.post(f"{url}/auth/bots", data={"name": name}, headers=headers)
    found = re.search(r"<code>(bot_[\w-]+)</code>", page.text)
    assert found is not None, page.text
    return found[1]


async def started(url: str, token: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLE), url, *arguments,
        env=os.environ | {"LAELO_TOKEN": token, "PYTHONPATH": str(SOURCE)},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip


@pytest.mark.integration
async def test_the_example_plays_a_match_as_a_marked_bot() -> None:
    options = Options(port=0, pause_ms=50, bot_delay_ms="0", archives=1)
    async with Platform(options) as platform:
        # Who has come in as a guest has shown that the database is there.
        async with Player(platform.url, "Ana", seed=3) as host:
            token = await token_of(platform.url, "Pesado")
            await host.create()
            bot = await started(platform.url, token, host.view["code"])
            await host.until(lambda: any('"Pesado [bot]"' in text for text in host.heard))
            await host.start()
            await host.played(1)
            out, _ = await asyncio.wait_for(bot.communicate(), 60)
        assert bot.returncode == 0, out.decode()
        lines = out.decode().splitlines()
        assert lines[0] == "playing as Pesado [bot]"
        won = host.matches[0]["team"] == 1
        assert lines[1] == f"{'won' if won else 'lost'} {host.matches[0]['scores']}"
        await check_judgement(platform.url, host.table)
        refused = await started(platform.url, "bot_nonsense")
        out, _ = await asyncio.wait_for(refused.communicate(), 60)
        assert refused.returncode == 1
        assert "SIGN_IN: no bot has this token" in out.decode()


async def check_judgement(url: str, table: str) -> None:
    """The match is judged once somebody asks, by the bots that run here, and it stays so."""
    path = f"{url}/api/replays/{table}/1/judgement"
    async with httpx.AsyncClient(trust_env=False) as http, asyncio.timeout(120):
        while "accuracies" not in (judgement := (await http.post(path)).json()):  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        verdicts = judgement["verdicts"]
        assert len(verdicts) == judgement["choices"] > 20
        assert {one["worlds"] for one in verdicts} <= {1, 256, 4000}
        for one in verdicts:
            best, made = one["equity"]
            # What is told is rounded, so a good move may look as worthy as the best.
            assert best > made if one["word"] in ("doubtful", "mistake") else best >= made
        who = [one["who"].get("name") for one in judgement["accuracies"]]
        assert "Pesado [bot]" in who
        assert (await http.get(path)).json() == judgement


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_ids_are_those_of_the_house() -> None:
    made = {_new_id() for _ in range(100)}
    assert len(made) == 100
    assert all(is_id(one) for one in made)
