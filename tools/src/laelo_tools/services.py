"""Questions to services of a platform that runs, over gRPC."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import grpc
import grpc.aio
from laelo_common.errors import Code
from laelo_common.status import error_of

from laelo_tools.errors import LaeloError
from laelo_tools.state import find_running

SECONDS: Final = 10.0

A = TypeVar("A")


def replicas(service: str, address: str | None) -> list[str]:
    """Where a service is: at an address, or in this checkout's platform. Raises LaeloError."""
    if address is not None:
        return [address]
    running = find_running()
    found = [at for name, at in running.addresses.items() if name.startswith(f"{service}-")]
    if not found:
        raise LaeloError(f"The platform that runs has no {service} service.")
    return found


async def ask(
    service: str, address: str | None, question: Callable[[grpc.aio.Channel], Awaitable[A]]
) -> A:
    """The answer of the first replica that has one. Raises LaeloError, also for a refusal."""
    last = ""
    for target in replicas(service, address):
        async with grpc.aio.insecure_channel(target) as channel:
            try:
                return await question(channel)
            except grpc.aio.AioRpcError as error:
                refused = error_of(error)
                last = f"{refused.code}: {refused.message}"
                if refused.code != Code.TRY_LATER:
                    raise LaeloError(f"The {service} service refuses: {last}.") from error
    raise LaeloError(f"The {service} service does not answer ({last}).")
