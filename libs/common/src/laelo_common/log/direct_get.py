"""Reading single subjects of a stream by direct get (ADR-31 of JetStream)."""

from datetime import datetime
from typing import NamedTuple

import msgspec

from laelo_common.log.inbox import Inbox, Reply, header_of, status_of
from laelo_common.log.port import Aggregate, LogError, Recorded, Refused, Unavailable

# One answer must not outlive the time that a request has.
BATCH = 256
BATCH_BYTES = 256 * 1024

_END = 204
_NOT_FOUND = 404


async def last_of(inbox: Inbox, stream: str, subject: str) -> Reply | None:
    """Header block and body of the last message of a subject."""
    reply = await inbox.ask(f"$JS.API.DIRECT.GET.{stream}.{subject}".encode(), b"")
    status = status_of(reply[0])
    if status == _NOT_FOUND:
        return None
    if status:
        raise _failure(status, reply[0])
    return reply


class Page(NamedTuple):
    """Some messages of a stream in their order."""

    replies: list[Reply]
    is_last: bool

    @property
    def last(self) -> int:
        """Sequence of the newest one."""
        return int(header_of(self.replies[-1][0], b"Nats-Sequence"))


async def page_of(inbox: Inbox, stream: str, subjects: str, after: int) -> Page:
    """The next messages of some subjects after a sequence."""
    asked = {
        "batch": BATCH,
        "max_bytes": BATCH_BYTES,
        "seq": after + 1,
        "next_by_subj": subjects,
    }
    api = f"$JS.API.DIRECT.GET.{stream}".encode()
    *replies, (end, _) = await inbox.ask_many(api, msgspec.json.encode(asked))
    status = status_of(end)
    if status == _NOT_FOUND:
        return Page([], is_last=True)
    if status != _END:
        raise _failure(status, end)
    pending = int(header_of(end, b"Nats-Num-Pending") or 0)
    return Page(replies, is_last=not (replies and pending))


async def newest_of(inbox: Inbox, aggregate: Aggregate) -> Recorded | None:
    """The last commit of an aggregate."""
    reply = await last_of(inbox, aggregate.kind.stream, aggregate.subject)
    return None if reply is None else _recorded(reply, aggregate.subject)


async def tail_of(inbox: Inbox, aggregate: Aggregate, after: int) -> list[Recorded]:
    """All commits of an aggregate after a sequence, page by page."""
    commits: list[Recorded] = []
    while True:
        page = await page_of(inbox, aggregate.kind.stream, aggregate.subject, after)
        commits += [_recorded(reply, aggregate.subject) for reply in page.replies]
        if page.is_last:
            return commits
        after = page.last


def _recorded(reply: Reply, subject: str) -> Recorded:
    headers, data = reply
    stored_at = datetime.fromisoformat(header_of(headers, b"Nats-Time-Stamp").decode())
    sequence = int(header_of(headers, b"Nats-Sequence"))
    return Recorded(sequence, subject, data, int(stored_at.timestamp() * 1000))


def _failure(status: int, headers: bytes) -> LogError:
    reason = headers[13 : headers.index(b"\r\n")].decode(errors="replace")
    if status in (408, 503):
        return Unavailable(f"direct get: {status} {reason}")
    return Refused(f"direct get: {status} {reason}")
