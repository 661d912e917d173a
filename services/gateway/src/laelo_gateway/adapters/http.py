"""HTTP/1.1 on uvicorn's connections, for clients that mean no good.

A request has to be there within REQUEST_SECONDS, head and body: uvicorn waits for ever, and who
sends a byte now and then could hold as many connections as there are.
"""

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 15.0

_WHOLE: Final = (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
"""States of a client that has said all there is of a request."""
_CAN_ANSWER: Final = (h11.IDLE, h11.SEND_RESPONSE)


class HttpProtocol(H11Protocol):
    """One connection, until it is closed or becomes a WebSocket."""

    seconds: float = REQUEST_SECONDS
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or all of it."""
        super().data_received(data)
        if self.transport.get_protocol() is not self or self.conn.their_state in _WHOLE:
            self._stop_waiting()
        elif self._patience is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say that this is no HTTP, unless an answer is under way: then only hang up."""
        if self.cycle is not None and not self.cycle.response_complete:
            # What is still being made is for nobody any more.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        try:
            if self.conn.our_state in _CAN_ANSWER:
                super().send_400_response(msg)
        except h11.LocalProtocolError:
            pass  # an answer to HEAD has no words
        self.transport.close()

    def _wait(self) -> None:
        self._patience = self.loop.call_later(self.seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        patience, self._patience = self._patience, None
        if patience is not None:
            patience.cancel()
