"""What the gateway needs of a WebSocket; which server carries it is known in one adapter."""

from collections.abc import Callable
from typing import Protocol


class Socket(Protocol):
    """One open connection. Nothing here waits: who does not read is dropped."""

    @property
    def peer(self) -> str:
        """Address of the other side, for logs and limits."""

    @property
    def cookie(self) -> str:
        """The cookies with which the connection was opened, unless a foreign page opened it."""

    @property
    def heard(self) -> float:
        """When the other side last sent anything, in the event loop's time."""

    def write(self, frame: bytes) -> None:
        """Send a whole frame, made by `text_frame`, perhaps for many sockets."""

    def ping(self) -> None:
        """Ask the other side, below the protocol of ours, whether it lives."""

    def close(self, code: int, reason: str = "") -> None:
        """Say why and close; nothing is sent or received any more."""

    def abort(self) -> None:
        """Let go of a connection whose other side is gone."""


class Handler(Protocol):
    """Who is told what happens on a socket."""

    def received(self, text: bytes) -> None:
        """A text frame."""

    def received_binary(self) -> None:
        """A binary frame, whatever it holds."""

    def closed(self) -> None:
        """The connection is over. Called exactly once."""


Accept = Callable[[Socket], Handler]
"""Called for a new connection; what it returns is told everything that follows."""


def text_frame(text: bytes) -> bytes:
    """A text frame of a server (RFC 6455 section 5.2): final, not masked, not compressed."""
    size = len(text)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + text
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text
