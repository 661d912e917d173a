"""Persistent, coalesced streams: what is waiting travels as one frame.

A bidirectional gRPC method of frames with `repeated <Item> items = 1`, each item with
`uint64 id = 1`. One `CoalescedClient` on one side, one `StreamServer` on the other.
"""

from laelo_common.stream.client import CoalescedClient, Pending, Settle
from laelo_common.stream.counts import ClientCounts, ServerCounts, show_server
from laelo_common.stream.dial import Dial, Dials, all_plain, plain
from laelo_common.stream.options import (
    CLIENT_OPTIONS,
    SERVER_OPTIONS,
    ClientLimits,
    Closed,
    Hooks,
    Overloaded,
    Pace,
    ServerLimits,
    StreamError,
    Timeout,
)
from laelo_common.stream.pool import Pool, PoolLimits
from laelo_common.stream.replicas import Replicas, addresses
from laelo_common.stream.server import Session, StreamServer

__all__ = [
    "CLIENT_OPTIONS",
    "SERVER_OPTIONS",
    "ClientCounts",
    "ClientLimits",
    "Closed",
    "CoalescedClient",
    "Dial",
    "Dials",
    "Hooks",
    "Overloaded",
    "Pace",
    "Pending",
    "Pool",
    "PoolLimits",
    "Replicas",
    "ServerCounts",
    "ServerLimits",
    "Session",
    "Settle",
    "StreamError",
    "StreamServer",
    "Timeout",
    "addresses",
    "all_plain",
    "plain",
    "show_server",
]
