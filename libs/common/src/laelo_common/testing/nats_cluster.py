"""Three nats-servers that replicate what they store, for tests of what one cannot show."""

import socket
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from laelo_common.testing.nats import NatsServer


class NatsCluster:
    """A cluster to use as a context. Right after its start there is no leader yet."""

    def __init__(self, size: int = 3, sync_interval: str = "2m") -> None:
        ports = _free_ports(size)
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
        self.servers = [
            NatsServer(
                sync_interval,
                name=f"n{number}",
                more=f'cluster {{ name: laelo, listen: "127.0.0.1:{port}", routes: [{routes}] }}',
            )
            for number, port in enumerate(ports)
        ]
        self._started = ExitStack()

    @property
    def urls(self) -> tuple[str, ...]:
        """Where clients connect."""
        return tuple(server.url for server in self.servers)

    def named(self, name: str) -> NatsServer:
        """The server of a name, such as a stream's leader."""
        return next(server for server in self.servers if server.name == name)

    def __enter__(self) -> Self:
        with ExitStack() as started:
            for server in self.servers:
                started.enter_context(server)
            self._started = started.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._started.close()


def _free_ports(count: int) -> list[int]:
    """Ports that are free now; each member must know all of them before the first starts."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]
