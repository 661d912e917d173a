"""Several servers that replicate what they store: what production has, on one machine."""

from collections.abc import Callable, Sequence
from pathlib import Path

from laelo_tools.embedded.nats import Member, Nats, Sync

SIZES = (1, 3, 5)
"""An even number tolerates no more failures than the odd one before it."""
Front = Callable[[str, str], str]
"""Where others are told that a part is, by its name and its real address."""


def cluster(
    state: Path, ports: Sequence[int], sync: Sync, front: Front = lambda _, address: address
) -> list[Nats]:
    """Servers `nats-1`, `nats-2` and so on, their stores in `state`.

    `ports` has two of each: for clients, and for the other servers.
    """
    names = [f"nats-{number}" for number in range(1, len(ports) // 2 + 1)]
    own, routes = ports[: len(names)], ports[len(names) :]
    told = [
        (front(name, f"127.0.0.1:{port}"), front(name, f"127.0.0.1:{route}"))
        for name, port, route in zip(names, own, routes, strict=True)
    ]
    return [
        Nats(
            state / name,
            own[at],
            sync=sync,
            member=Member(
                name,
                routes[at],
                tuple(where for other, (_, where) in enumerate(told) if other != at),
                *told[at],
            ),
        )
        for at, name in enumerate(names)
    ]
