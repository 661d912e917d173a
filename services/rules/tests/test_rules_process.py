"""The process as it is run: it starts, answers, tells how it is, and ends when told to."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import grpc.aio
import httpx
import pytest
from laelo.rules.v1 import rules_pb2, rules_pb2_grpc
from laelo_common.stream import CLIENT_OPTIONS
from laelo_common.testing.waiting import until

Started = tuple[Process, dict[str, int]]

COMMAND = (sys.executable, "-c", "import sys; from laelo_rules.main import main; sys.exit(main())")

pytestmark = pytest.mark.integration


async def start(**environ: str) -> Process:
    return await asyncio.create_subprocess_exec(
        *COMMAND, stderr=PIPE, env={**os.environ, **environ}
    )


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Started]:
    """The running process and its ports."""
    ready = tmp_path / "ready.json"
    process = await start(LAELO_RULES_READY_FILE=str(ready))
    try:
        await until(lambda: ready.exists() or process.returncode is not None)
        yield process, json.loads(ready.read_text())
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_it_answers_until_it_is_told_to_stop(service: Started) -> None:
    process, ports = service
    target = f"127.0.0.1:{ports['port']}"
    async with grpc.aio.insecure_channel(target, options=CLIENT_OPTIONS) as channel:
        response = await rules_pb2_grpc.RulesServiceStub(channel).Judge(
            rules_pb2.JudgeRequest(
                id=5,
                act=rules_pb2.ACT_DEAL,
                opening=rules_pb2.OPENING_FIRST,
                order=bytes(range(28)),
                state=rules_pb2.State(multiplier=1, led_5_0=2),
            )
        )
    assert (response.id, response.after.turn, response.plays) == (5, 3, b"\x14")
    async with httpx.AsyncClient(trust_env=False) as http:
        metrics = await http.get(f"http://127.0.0.1:{ports['http_port']}/metrics")
    assert "laelo_rules_questions_total 1\n" in metrics.text
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0


async def test_a_wrong_setting_is_named() -> None:
    process = await start(LAELO_RULES_PORT="many")
    _, errors = await process.communicate()
    assert process.returncode == 2
    assert b"LAELO_RULES_PORT" in errors
