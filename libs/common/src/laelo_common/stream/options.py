"""Limits of a stream, and the gRPC options with which a half-dead peer is noticed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from laelo_common.errors import Code, LaeloError
from laelo_common.stream.counts import ClientCounts

_MAX_MESSAGE = 32 * 1024 * 1024

CLIENT_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.keepalive_time_ms", 4_000),
    ("grpc.keepalive_timeout_ms", 3_000),
    # What really decides when an unanswered ping ends a connection; a minute by default.
    ("grpc.http2.ping_timeout_ms", 3_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 2_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.max_receive_message_length", _MAX_MESSAGE),
    ("grpc.enable_http_proxy", 0),
)
"""For every channel between services: pings a silent peer, tries a dead one again quickly."""

SERVER_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.max_receive_message_length", _MAX_MESSAGE),
    ("grpc.so_reuseport", 0),
)
"""For every server: bears the clients' pings, and a taken port is an error, not shared."""


class StreamError(LaeloError):
    """A request on a stream got no answer."""


class Overloaded(StreamError):  # noqa: N818 - reads as what it says
    """Too many requests are pending: this one was not sent."""

    def __init__(self, pending: int) -> None:
        super().__init__(Code.OVERLOADED, f"{pending} requests are pending already")


class Timeout(StreamError):  # noqa: N818
    """No answer in time. What was asked may have been done all the same."""

    def __init__(self, seconds: float) -> None:
        super().__init__(Code.TRY_LATER, f"no answer within {seconds:g} s")


class Closed(StreamError):  # noqa: N818
    """The client was closed before an answer came."""

    def __init__(self) -> None:
        super().__init__(Code.TRY_LATER, "the stream was closed")


@dataclass(frozen=True, slots=True)
class Pace:
    """How long what is waiting waits for more to travel with it, in seconds.

    A frame costs its wake-ups at both ends, whatever it holds. The first one leaves at once;
    then there are at least `least` seconds between two of them. From `calm` items a second on
    this grows with the traffic, up to `most` at `busy` items a second: a wait is worth its
    while only where something comes along in it. Where so much comes that a frame has `full`
    items sooner, that is enough. Who passes on what came as a frame need not wait for more;
    who gathers single items from many sides gives a longer `most`.
    """

    least: float = 0.002
    most: float = 0.002
    calm: float = 100.0
    busy: float = 300.0
    full: float = 40.0

    def after(self, rate: float) -> float:
        """Seconds between two frames at a rate of so many items a second."""
        share = max(0.0, (rate - self.calm) / (self.busy - self.calm))
        wanted = min(self.most, self.least + (self.most - self.least) * share)
        return max(self.least, min(wanted, self.full / max(rate, 1.0)))


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """How patient a stream's client is; times in seconds."""

    timeout: float = 1.0
    """For an answer, if the request names no other."""
    max_pending: int = 4096
    pace: Pace = Pace()
    stale: float = 3.0
    """A stream on which requests go unanswered this long is cut and opened anew."""
    backoff_min: float = 0.05
    backoff_max: float = 2.0


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one stream may cost its server."""

    pace: Pace = Pace()
    max_out: int = 16_384
    """Items waiting for a reader that does not read, before it is dropped."""
    max_running: int = 4096
    """Tasks at work for one stream, before no more is read from it."""


def _nothing(*_: Any) -> None:
    """Default of every hook."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the owner of a client is told. Called in the event loop; must not block."""

    on_push: Callable[[Any], None] = _nothing
    """An item with id 0."""
    on_up: Callable[[], None] = _nothing
    """The stream is open; what was pending is asked again right after this."""
    on_down: Callable[[], None] = _nothing
    """The stream broke; it is being opened anew."""
    counts: ClientCounts = field(default_factory=ClientCounts)
    """Where it is counted what happens."""
