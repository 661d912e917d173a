"""How a channel to a replica of another service is opened."""

from collections.abc import Callable

import grpc.aio

from laelo_common.stream.options import CLIENT_OPTIONS

Dial = Callable[[str], grpc.aio.Channel]
"""From `host:port` to a channel. `Service.dial` makes those that show who we are."""

Dials = Callable[[str], Dial]
"""From a service's name to the way of opening channels to it."""


def plain(address: str) -> grpc.aio.Channel:
    """In the clear. A server that wants to know who asks does not let it in."""
    return grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS)


def all_plain(_service: str) -> Dial:
    """In the clear to every service."""
    return plain
