"""The process as it is run: it starts, answers and ends when told to."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from laelo.bots.v1 import bots_pb2 as pb
from laelo.bots.v1.bots_pb2_grpc import BotsServiceStub
from laelo_common.testing.waiting import until

from .duel import random_hands, view_of

pytestmark = pytest.mark.integration


async def test_it_answers_until_it_is_told_to_stop(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "laelo_bots.main",
        stderr=PIPE,
        env={**os.environ, "LAELO_BOTS_READY_FILE": str(ready), "LAELO_BOTS_PORT": "0"},
    )
    try:
        await until(lambda: ready.exists() or process.returncode is not None)
        address = f"127.0.0.1:{json.loads(ready.read_text())['port']}"
        async with grpc.aio.insecure_channel(address) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            health = await stub.Check(
                health_pb2.HealthCheckRequest(service="laelo.bots.v1.BotsService")
            )
            assert health.status == health_pb2.HealthCheckResponse.SERVING
            view = pb.View(**view_of(random_hands(seed=1, hands=1)[0])._asdict())
            request = pb.ChooseMoveRequest(id=7, view=view, level=pb.LEVEL_SIMPLE)
            response = await BotsServiceStub(channel).ChooseMove(request)
            request.level = pb.LEVEL_STRONG
            strong = await BotsServiceStub(channel).ChooseMove(request)
        assert response.id == strong.id == 7
        assert not response.error
        assert not strong.error
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
