"""Following a stream from a position by an ordered consumer that is made anew when it dies."""

import asyncio
from collections.abc import Callable
from secrets import token_hex
from typing import Any, NamedTuple

import msgspec

from laelo_common.log.connection import Connection
from laelo_common.log.inbox import header_of, status_of
from laelo_common.log.keeper import HEARTBEAT_NS, Keeper
from laelo_common.log.port import Recorded, Refused, Unavailable

_INACTIVE_NS = 10 * HEARTBEAT_NS


class Delivery(NamedTuple):
    """Where a delivered message stands, from its acknowledgement subject."""

    sequence: int
    place: int
    time_ns: int
    pending: int


def delivery_of(reply: bytes) -> Delivery:
    """Read `$JS.ACK.<stream>.<consumer>.<tries>.<sequence>.<place>.<time>.<pending>`.

    The longer form with domain and account has one more token at its end.
    """
    tokens = reply.split(b".")
    end = 11 if len(tokens) > 9 else 9
    sequence, place, time_ns, pending = map(int, tokens[end - 4 : end])
    return Delivery(sequence, place, time_ns, pending)


class JetStreamFollowing:
    """Hands over each commit once and in order, whatever happens to the server."""

    def __init__(
        self,
        connection: Connection,
        stream: str,
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str,
    ) -> None:
        self._connection = connection
        self._stream = stream
        self._subjects = subjects
        self._on_message = on_message
        self._position = after
        self._sid = 0
        self._inbox = ""
        self._place = 0
        self._caught_up = asyncio.Event()
        self._keeper = Keeper(connection, f"follow {stream} {subjects}", self._set_up)

    @property
    def position(self) -> int:
        """Sequence of the last commit handed over."""
        return self._position

    async def caught_up(self) -> None:
        """Wait until everything stored so far has been handed over once."""
        await self._caught_up.wait()

    async def wait(self) -> None:
        """Wait for the end; raises what the callback raised."""
        await self._keeper.wait()

    async def close(self) -> None:
        """Stop; the consumer goes by itself when nobody listens."""
        self._connection.wire.forget(self._sid)
        await self._keeper.close()

    async def _set_up(self) -> None:
        wire = self._connection.wire
        wire.forget(self._sid)
        name = token_hex(8)
        # A new inbox each time, so that nothing of an older consumer is taken for the new one's.
        self._inbox = f"{self._connection.inbox_prefix}.follow.{name}"
        self._place = 0
        self._sid = wire.listen(self._inbox, self._on_frame)
        subject = f"$JS.API.CONSUMER.CREATE.{self._stream}.{name}.{self._subjects}"
        body = msgspec.json.encode(self._consumer(name))
        headers, data = await self._connection.inbox.ask(subject.encode(), body)
        if status_of(headers):
            raise Unavailable("no answer from the consumer's API")
        answer = msgspec.json.decode(data)
        if "error" in answer:
            raise Refused(answer["error"].get("description", "no consumer"))
        if answer["num_pending"] == 0:
            self._caught_up.set()

    def _consumer(self, name: str) -> dict[str, Any]:
        config = {
            "name": name,
            "deliver_subject": self._inbox,
            "filter_subject": self._subjects,
            "deliver_policy": "by_start_sequence",
            "opt_start_seq": self._position + 1,
            "ack_policy": "none",
            "max_deliver": 1,
            "flow_control": True,
            "idle_heartbeat": HEARTBEAT_NS,
            "inactive_threshold": _INACTIVE_NS,
            "mem_storage": True,
            "num_replicas": 1,
        }
        return {"stream_name": self._stream, "config": config}

    def _on_frame(self, subject: bytes, reply: bytes, headers: bytes, data: bytes) -> None:
        self._keeper.heard()
        if headers and status_of(headers):
            self._on_status(reply, headers)
            return
        delivery = delivery_of(reply)
        if delivery.place != self._place + 1:
            self._restart()
            return
        self._place = delivery.place
        commit = Recorded(delivery.sequence, subject.decode(), data, delivery.time_ns // 1_000_000)
        try:
            self._on_message(commit)
        except Exception as error:  # noqa: BLE001 - it ends the following and is told there
            self._connection.wire.forget(self._sid)
            self._keeper.fail(error)
            return
        self._position = delivery.sequence
        if delivery.pending == 0:
            self._caught_up.set()

    def _on_status(self, reply: bytes, headers: bytes) -> None:
        if reply:  # flow control: all before it has been handed over by now
            self._connection.wire.publish_frame(reply, b"", b"", b"")
            return
        stalled = header_of(headers, b"Nats-Consumer-Stalled")
        if stalled:
            self._connection.wire.publish_frame(stalled, b"", b"", b"")
        last = header_of(headers, b"Nats-Last-Consumer")
        if last and int(last) != self._place:
            self._restart()

    def _restart(self) -> None:
        self._connection.wire.forget(self._sid)
        self._keeper.resume()
