"""Who stores a commit of a table tells those who have the table in memory elsewhere.

JetStream could do it (republish), but would tell the writer too, which knows it already: hearing
of one's own commits took 6 % of a move. So the writer tells, on a connection that hears nothing
of its own, and only the newest of a table that moves quickly.
"""

import asyncio
from typing import Final

from laelo_common.log.port import Aggregate, Unavailable
from laelo_common.log.wire import Wire

LATE_SECONDS: Final = 0.05
"""How long what is told may wait for more. Whoever has to know at once is answered at once."""


class Notices:
    """Tells at most once; what could not be sent follows with the next connection."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._untold: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    def tell(self, aggregate: Aggregate, sequence: int) -> None:
        """Tell soon that a commit is stored under this sequence (0: it is not known which)."""
        if sequence and aggregate.live_subject:
            self._untold[aggregate.live_subject] = sequence
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(LATE_SECONDS, self.send)

    def send(self) -> None:
        """Tell now what is not told yet."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        untold, self._untold = self._untold, {}
        try:
            if untold:
                self._wire.send(b"".join(map(_frame, untold.items())))
        except Unavailable:
            self._untold = untold

    def close(self) -> None:
        """Tell what is left, and nothing more."""
        self.send()
        self._untold = {}


def _frame(notice: tuple[str, int]) -> bytes:
    subject, sequence = notice
    data = b"%d" % sequence
    return b"PUB %b %d\r\n%b\r\n" % (subject.encode(), len(data), data)
