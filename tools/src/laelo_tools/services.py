"""Questions to services of a platform that runs, over gRPC."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

import grpc
import grpc.aio
from laelo_common.errors import Code
from laelo_common.status import error_of
from laelo_common.stream import Dials, all_plain
from laelo_common.tls import Identity, TlsError
from laelo_common.tls.callers import OPERATOR

from laelo_tools.errors import LaeloError
from laelo_tools.state import find_running

SECONDS: Final = 10.0
VARIABLE: Final = "LAELO_OPERATOR_TLS_FOLDER"

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


def dials(folder: str = "") -> Dials:
    """Channels to services, with the operator's certificate: that in the folder which the
    environment names, else in this one; in the clear without any. Raises LaeloError.
    """
    chosen = os.environ.get(VARIABLE) or folder
    if not chosen:
        return all_plain
    try:
        return Identity.of(OPERATOR, Path(chosen)).dial
    except TlsError as error:
        raise LaeloError(f"The certificate of {VARIABLE} can't be used: {error}.") from error


async def ask(
    service: str, address: str | None, question: Callable[[grpc.aio.Channel], Awaitable[A]]
) -> A:
    """The answer of the first replica that has one. Raises LaeloError, also for a refusal."""
    last = ""
    dial = dials("" if address else find_running().operator)(service)
    for target in replicas(service, address):
        async with dial(target) as channel:
            try:
                return await question(channel)
            except grpc.aio.AioRpcError as error:
                refused = error_of(error)
                last = f"{refused.code}: {refused.message}"
                if refused.code != Code.TRY_LATER:
                    raise LaeloError(f"The {service} service refuses: {last}.") from error
    raise LaeloError(f"The {service} service does not answer ({last}).")
