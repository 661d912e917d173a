"""A platform of any shape, and a crowd that plays on all of its gateways."""

from dataclasses import replace
from typing import Any, Final

from laelo_tools.load.crowd import Order
from laelo_tools.load.crowds import Told, command, shares
from laelo_tools.load.player import Setting
from laelo_tools.load.result import Result
from laelo_tools.load.run import SEATS, Config, observe
from laelo_tools.load.table import Plan
from laelo_tools.platform import Options, Platform

# Thousands of clients from one address are a crowd here, and no attack.
ROOM: Final = {
    "gateway": {
        "LAELO_GATEWAY_GUEST_BURST": "100000",
        "LAELO_GATEWAY_GUEST_RATE": "1000",
        "LAELO_GATEWAY_ADDRESS_SOCKETS": "20000",
    }
}
BASE: Final = Options(port=0, sync="default", pause_ms=0, bot_delay_ms="0", env=ROOM)
CLIENTS_A_PROCESS: Final = 3000


async def play(platform: Platform, config: Config) -> Result:
    """Play on a platform that runs. Raises LaeloError."""
    gateways = [name for name in platform.addresses if name.startswith("gateway-")]
    crowds = max(len(gateways), -(-config.tables * SEATS // CLIENTS_A_PROCESS))
    parts = shares(config.tables, crowds)
    commands = []
    for number, part in enumerate(parts):
        url = f"ws://{platform.addresses[gateways[number % len(gateways)]]}/ws"
        plan = Plan(url, SEATS, config.clock_seconds, config.level)
        commands.append(command(Order(plan, Setting(config.think_ms), part, sum(parts[:number]))))
    async with Told(commands) as clients:
        facts = await observe(config, platform.pids, clients)
    return Result(
        tables=config.tables,
        clients=SEATS,
        bots=0,
        sync=platform.options.sync,
        rpc="stream",
        clock_seconds=config.clock_seconds,
        think_ms=config.think_ms,
        **facts,
    )


async def play_once(config: Config, **options: Any) -> Result:
    """Play on a platform of its own."""
    async with Platform(replace(BASE, **options)) as platform:
        return await play(platform, config)
