"""Filling a stream of the log from a copy: the same commits at the same places.

Sequences are kept, for commits of one stream name places in another, and cursors stand at them.
What is stored before is expected with each commit, so nothing is stored twice or out of place,
and of somebody else who writes meanwhile one of the two is refused.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from laelo_common.log.connection import Connection
from laelo_common.log.inbox import Reply, status_of
from laelo_common.log.jetstream import sequence_of_ack
from laelo_common.log.lives import JetStreamLives, Life
from laelo_common.log.port import Conflict, Kind, Recorded, Refused, Unavailable
from laelo_common.log.streams import STREAMS

TOGETHER: Final = 256
"""So many commits are under way at once."""


class Refill:
    """One stream, filled by the deploy step's user while no service writes."""

    def __init__(self, connection: Connection, kind: Kind) -> None:
        self._connection = connection
        self._kind = kind
        self._lives = JetStreamLives(connection)

    async def begin(self, first: int) -> Life:
        """Have the stream, if it is empty, begin at a sequence; what it is then.

        Raises Unavailable; Refused if there is no such stream.
        """
        life = await self._lives.life(self._kind)
        if life.last >= life.first or life.first == first:
            return life
        name = self._kind.stream
        config = (await self._api(f"STREAM.INFO.{name}"))["config"]
        await self._api(f"STREAM.DELETE.{name}")
        made = {"name": name, "num_replicas": config["num_replicas"], **STREAMS[name]}
        await self._api(f"STREAM.CREATE.{name}", {**made, "first_seq": first})
        return await self._lives.life(self._kind)

    async def store(self, commits: Sequence[Recorded]) -> None:
        """Store commits at their places, the first of which is the next one of the stream.

        Raises Unavailable: some of them may be stored then; or Refused.
        """
        for start in range(0, len(commits), TOGETHER):
            answers = [
                self._connection.inbox.ask(
                    commit.subject.encode(),
                    commit.data,
                    b"Nats-Expected-Last-Sequence: %d\r\n" % (commit.sequence - 1),
                )
                for commit in commits[start : start + TOGETHER]
            ]
            for commit, answer in zip(
                commits[start:],
                await asyncio.gather(*answers, return_exceptions=True),
                strict=False,
            ):
                self._check(commit, answer)

    async def drop_snapshots(self) -> None:
        """Forget all snapshots of these aggregates; they may be of commits that are no more."""
        await self._api("STREAM.PURGE.SNAP", {"filter": f"snap.{self._kind}.*"})

    def _check(self, commit: Recorded, reply: Reply | BaseException) -> None:
        if isinstance(reply, BaseException):
            raise reply
        stream, place = self._kind.stream, commit.sequence
        try:
            stored = sequence_of_ack(reply)
        except Conflict as error:
            raise Refused(f"{stream} is not at {place - 1}: somebody else writes") from error
        if stored != place:
            raise Refused(f"{stream}: commit {place} was stored as {stored}")

    async def _api(self, call: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = msgspec.json.encode(body) if body else b""
        headers, answer = await self._connection.inbox.ask(f"$JS.API.{call}".encode(), data)
        if headers and status_of(headers):
            raise Unavailable("no answer from the streams' API")
        found: dict[str, Any] = msgspec.json.decode(answer)
        if error := found.get("error"):
            meaning = Unavailable if error.get("code") == 503 else Refused
            raise meaning(f"{call}: {error.get('description', 'refused')}")
        return found
