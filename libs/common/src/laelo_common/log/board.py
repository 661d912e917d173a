"""The notice board: what is wanted just now, for whoever looks; no part of the truth."""

import logging
from asyncio import Future

from laelo_common.log.connection import Connection
from laelo_common.log.direct_get import page_of
from laelo_common.log.inbox import Reply
from laelo_common.log.jetstream import sequence_of_ack
from laelo_common.log.port import LogError, notice_subject
from laelo_common.log.streams import NOTICES

logger = logging.getLogger(__name__)

_GONE_SOON = b"Nats-TTL: 1s\r\n"


class JetStreamBoard:
    """The board of `port.Board` on one connection: one message for each key."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def post(self, key: str, data: bytes) -> None:
        """Put a notice up, in place of the one under that key."""
        self._send(key, data, b"")

    def withdraw(self, key: str) -> None:
        """Take a notice down: an empty one replaces it, and is soon gone."""
        self._send(key, b"", _GONE_SOON)

    async def notices(self, limit: int) -> list[bytes]:
        """The notices that are up, the one that has been there longest first."""
        found: list[bytes] = []
        after = 0
        while len(found) < limit:
            page = await page_of(self._connection.inbox, NOTICES, "wait.*", after)
            found += [data for _, data in page.replies if data]
            if page.is_last:
                break
            after = page.last
        return found[:limit]

    def _send(self, key: str, data: bytes, headers: bytes) -> None:
        def check(answer: "Future[Reply]") -> None:
            try:
                sequence_of_ack(answer.result())
            except LogError as error:
                logger.info("the notice %s may not be as it should: %s", key, error)

        try:
            answer = self._connection.inbox.ask(notice_subject(key).encode(), data, headers)
        except LogError as error:
            logger.info("the notice %s is not as it should be: %s", key, error)
        else:
            answer.add_done_callback(check)
