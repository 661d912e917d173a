"""Services that talk by TLS: play goes on as ever, and nobody speaks for another service."""

import asyncio
from typing import Any

import grpc
import grpc.aio
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.ids import new_id
from laelo_common.stream import plain
from laelo_common.tls import Identity
from laelo_tools.doctor.services import services
from laelo_tools.platform import Options, Platform
from laelo_tools.services import dials

from .player import Player

pytestmark = pytest.mark.integration

DENIED = grpc.StatusCode.PERMISSION_DENIED
LIVE = ("laelo_gateway_matchmaking_up 1", "laelo_gateway_tournament_up 1")


HOUSE = Options(
    port=0,
    sync="default",
    pause_ms=0,
    bot_delay_ms="0",
    tables=1,
    tournaments=1,
    matchmaking=1,
    archives=1,
    tls=True,
)


async def test_services_know_each_other_and_nobody_speaks_for_another() -> None:
    async with Platform(HOUSE) as platform:
        await people_play_and_all_services_reach_each_other(platform)
        await nobody_but_the_gateway_speaks_for_a_player(platform)
        await no_stream_is_opened_and_no_health_is_told_to_strangers(platform)
        await the_house_itself_may_do_what_is_its_own(platform)
        await an_operator_is_told_how_all_are(platform)


def channel(platform: Platform, name: str) -> grpc.aio.Channel:
    """To the table service, as who has the certificate of a service of the house."""
    assert platform.certificates is not None
    identity = Identity.of(name, platform.certificates / name)
    return identity.dial("table")(platform.addresses["table-1"])


async def submit(way: grpc.aio.Channel, **command: Any) -> Any:
    """The code of the table's answer, or the status if it did not even look."""
    request = table_pb2.SubmitRequest(command=table_pb2.Command(**command))
    try:
        async with way:
            answer = await table_pb2_grpc.TableServiceStub(way).Submit(request, timeout=30)
    except grpc.aio.AioRpcError as error:
        return error.code()
    return answer.update.code


async def people_play_and_all_services_reach_each_other(platform: Platform) -> None:
    async with Player(platform.url, "Ana", seed=1) as ana:
        await ana.create()
        await ana.start()
        await ana.until(lambda: ana.view.get("hand", 0) > 1 or ana.matches)
        assert ana.refused == []
    async with asyncio.timeout(60), httpx.AsyncClient() as client:
        page = ""
        while not all(line in page for line in LIVE):
            page = (await client.get(f"http://{platform.metrics['gateway-1']}/metrics")).text


async def nobody_but_the_gateway_speaks_for_a_player(platform: Platform) -> None:
    async with Player(platform.url, "Bia", seed=2) as bia:
        table = await bia.create()
        leave = {"table": table, "command": "x", "kind": table_pb2.KIND_LEAVE, "player": "nobody"}
        for name in ("bots", "rules", "archive", "matchmaking", "tournament", "console"):
            assert await submit(channel(platform, name), **leave) is DENIED, name
        assert await submit(plain(platform.addresses["table-1"]), **leave) is (
            grpc.StatusCode.UNAVAILABLE
        )
        assert await submit(channel(platform, "gateway"), **leave) == "NOT_SEATED"
        assert bia.view["me"] == 0


async def no_stream_is_opened_and_no_health_is_told_to_strangers(platform: Platform) -> None:
    async with channel(platform, "bots") as way:
        stream = table_pb2_grpc.TableServiceStub(way).Connect()
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await stream.read()
        assert error.value.code() is DENIED
        health: Any = health_pb2_grpc.HealthStub(way)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await health.Check(health_pb2.HealthCheckRequest(), timeout=30)
        assert error.value.code() is DENIED


async def the_house_itself_may_do_what_is_its_own(platform: Platform) -> None:
    cancel = {"table": new_id(), "command": "cancel", "kind": table_pb2.KIND_CANCEL}
    assert await submit(channel(platform, "tournament"), **cancel) == "UNKNOWN_TABLE"
    shut = {"table": new_id(), "command": "shut", "kind": table_pb2.KIND_SHUT, "player": "Ze"}
    assert await submit(channel(platform, "console"), **shut) == "UNKNOWN_TABLE"
    assert await submit(channel(platform, "console"), **cancel) is DENIED


async def an_operator_is_told_how_all_are(platform: Platform) -> None:
    grpc_services = dict(platform.addresses)
    del grpc_services["gateway-1"]
    asked = await services(grpc_services, dials(platform.describe().operator))
    assert [finding.said for finding in asked if not finding.well] == []
    unknown = await services(grpc_services)
    assert not any(finding.well for finding in unknown)
