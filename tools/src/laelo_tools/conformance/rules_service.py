"""A rules service to ask: one that runs, or one of our own on a free port."""

import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import grpc
import grpc.aio
from laelo.rules.v1 import rules_pb2 as pb
from laelo.rules.v1.rules_pb2_grpc import RulesServiceStub
from laelo_common.stream import CLIENT_OPTIONS

from laelo_tools.conformance.operations import Judge
from laelo_tools.errors import LaeloError
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Program, Supervisor
from laelo_tools.supervisor.health import grpc_ready

_ASK_SECONDS = 10.0


def when_asked(stack: AsyncExitStack, address: str | None) -> Judge:
    """Ask the rules service at `host:port`, or one of our own that starts with the first
    question and stops with the stack: files without such a question need none.
    """
    found: list[Judge] = []

    async def judge(request: pb.JudgeRequest) -> pb.JudgeResponse:
        if not found:
            at = await stack.enter_async_context(own_rules()) if address is None else address
            found.append(await stack.enter_async_context(rules_at(at)))
        return await found[0](request)

    return judge


@asynccontextmanager
async def rules_at(address: str) -> AsyncIterator[Judge]:
    """Ask the rules service at `host:port`. Raises LaeloError when it is not to be reached."""
    async with grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS) as channel:
        stub = RulesServiceStub(channel)

        async def judge(request: pb.JudgeRequest) -> pb.JudgeResponse:
            try:
                return await stub.Judge(request, timeout=_ASK_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
                    return pb.JudgeResponse(
                        refusal=pb.REFUSAL_BAD_REQUEST, reason=error.details() or ""
                    )
                raise LaeloError(
                    f"The rules service at {address} does not answer ({error.code().name}):"
                    " check the address, or leave --rules out to start one."
                ) from error

        yield judge


@asynccontextmanager
async def own_rules() -> AsyncIterator[str]:
    """Run a rules service for a while: its address."""
    ports = Ports()
    port = ports.free()
    address = f"127.0.0.1:{port}"
    supervisor = Supervisor(OnExit.LEAVE)
    try:
        await supervisor.start(
            Program(
                name="rules",
                argv=(sys.executable, "-m", "laelo_rules.main"),
                env={"LAELO_RULES_PORT": str(port)},
                ready=partial(grpc_ready, address),
            )
        )
        yield address
    finally:
        await supervisor.stop()
        ports.release()
