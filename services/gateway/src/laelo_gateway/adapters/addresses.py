"""Where the replicas of a service are: names of settings, resolved again and again."""

import asyncio
import logging
import socket
from collections.abc import Iterable

_log = logging.getLogger(__name__)


class Addresses:
    """`host:port` names; one name may stand for many replicas (a headless service)."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = [split(name) for name in names]
        self._found: dict[tuple[str, int], frozenset[str]] = {}

    async def resolve(self) -> frozenset[str]:
        """All addresses now. A name that cannot be resolved keeps those that it had."""
        for name in self._names:
            try:
                self._found[name] = await _lookup(*name)
            except OSError as error:
                _log.warning("%s cannot be resolved: %s", name[0], error)
        return frozenset().union(*self._found.values())


async def _lookup(host: str, port: int) -> frozenset[str]:
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return frozenset(
        f"[{address[0]}]:{port}" if family == socket.AF_INET6 else f"{address[0]}:{port}"
        for family, _, _, _, address in infos
    )


def split(name: str) -> tuple[str, int]:
    """Host and port of `host:port` or `[v6]:port`. Raises ValueError."""
    host, _, port = name.rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(f"{name!r} is no host:port")
    return host.strip("[]"), int(port)
