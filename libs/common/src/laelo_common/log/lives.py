"""When a stream was made, and what it holds: a copy of a log must know of which one it is."""

from typing import Any, NamedTuple

import msgspec

from laelo_common.log.connection import Connection
from laelo_common.log.inbox import status_of
from laelo_common.log.port import Kind, Refused, Unavailable


class Life(NamedTuple):
    """A stream from its making on. One that is made anew has another `created`, and begins at 1."""

    created: str
    """As the server tells it; only good for comparing."""
    first: int
    """Sequence of the oldest commit it has; one more than `last` if it has none."""
    last: int
    """Sequence of the newest commit it ever had."""


class JetStreamLives:
    """The lives of the log's streams on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def life(self, kind: Kind) -> Life:
        """The present life of a stream. Raises Unavailable; Refused if there is none."""
        subject = f"$JS.API.STREAM.INFO.{kind.stream}"
        headers, data = await self._connection.inbox.ask(subject.encode(), b"")
        if headers and status_of(headers):
            raise Unavailable("no answer from the streams' API")
        answer: dict[str, Any] = msgspec.json.decode(data)
        if "error" in answer:
            error = answer["error"]
            meaning = Unavailable if error.get("code") == 503 else Refused
            raise meaning(f"{kind.stream}: {error.get('description', 'no stream')}")
        state = answer["state"]
        last = state["last_seq"]
        first = state["first_seq"] if state["messages"] else last + 1
        return Life(answer["created"], first, last)
