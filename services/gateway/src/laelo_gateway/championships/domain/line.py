"""The queue as it is shown: how many wait, and to who waits how many are before them."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
from laelo.matchmaking.v1 import matchmaking_pb2
from laelo_common.wire import championship as wire
from laelo_common.wire import server

from laelo_gateway.championships.domain.bracket import TIERS

LEAVINGS: Final[dict[int, wire.Leaving]] = {
    matchmaking_pb2.LEAVING_WISH: "wish",
    matchmaking_pb2.LEAVING_GONE: "gone",
    matchmaking_pb2.LEAVING_CALLED: "called",
    matchmaking_pb2.LEAVING_ERASED: "erased",
}
_encode: Final = msgspec.json.encode


class Line(NamedTuple):
    """The queue at one version. `places`: how many are before each who waits."""

    version: int
    places: Mapping[str, int]
    wait_ms: int
    tier: wire.Tier | None = None
    next_ms: int = 0


EMPTY: Final = Line(-1, {}, 0)
"""Before anything was heard of the queue."""


def line_of(queue: matchmaking_pb2.Queue) -> Line:
    """What is needed of the queue here."""
    return Line(
        queue.version,
        {place.player: ahead for ahead, place in enumerate(queue.places)},
        queue.wait_ms,
        TIERS.get(queue.next_tier),
        queue.next_ms,
    )


def reasons(left: Iterable[matchmaking_pb2.Left]) -> dict[str, wire.Leaving | None]:
    """Why each of those has left; of several times the last one counts."""
    return {one.player: LEAVINGS.get(one.leaving) for one in left}


def queue_of(line: Line, player: str, left: wire.Leaving | None, now: int) -> wire.Queue:
    """The queue for one viewer; "" = nobody who waits."""
    following = None
    if line.tier is not None and line.next_ms:
        following = wire.Next(line.tier, max(0, line.next_ms - now))
    return wire.Queue(
        count=len(line.places),
        wait_ms=line.wait_ms,
        ahead=line.places.get(player),
        next=following,
        left=left,
    )


def frame_of(queue: wire.Queue, now: int) -> bytes:
    """The frame that tells it."""
    return _encode(server.QueueFrame(now=now, d=queue))
