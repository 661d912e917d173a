"""Appending so that a command is stored once, whatever becomes of the answer."""

import asyncio
from dataclasses import dataclass

from laelo_common.log.commit import head_of
from laelo_common.log.port import (
    Aggregate,
    Conflict,
    Duplicate,
    Log,
    LogError,
    Recorded,
    Unavailable,
)

# A replica of the stream that answers reads may be a moment behind its leader.
BEHIND_TRIES = 20
BEHIND_SECONDS = 0.01
# What a cluster has in flight will stand or fall soon; asked sooner it answers the same again.
IN_FLIGHT_SECONDS = 0.02


class Stale(LogError):  # noqa: N818 - an answer, read as one
    """The commit is not in the log as far as one can read; here is what is after `expected`.

    Evolve by the tail, decide anew and append again under the same command id, at
    most 3 times: the first try may still arrive, and then only one of the two is stored.
    """

    def __init__(self, tail: list[Recorded]) -> None:
        super().__init__(f"{len(tail)} other commits")
        self.tail = tail


@dataclass(frozen=True, slots=True)
class Stored:
    """The command is in the log, under `sequence`.

    `tail` is all that is after `expected`, this commit included, if it had to be read;
    empty if the append was answered at once.
    """

    sequence: int
    tail: list[Recorded]


async def append_once(log: Log, aggregate: Aggregate, data: bytes, expected: int) -> Stored:
    """Append a commit, or find that its command is there already.

    A refusal, a missing answer and "duplicate" tell nothing about one's own command:
    only the log does. Raises Stale, Unavailable (it may still come to be stored: ask again
    later, under the same command id) or Refused.
    """
    command = head_of(data).command
    unanswered: Unavailable | None = None
    needed, in_flight = 0, False
    try:
        message_id = f"{aggregate.id}:{command}"
        return Stored(await log.append(aggregate, data, expected, message_id), [])
    except Conflict as conflict:
        needed, in_flight = conflict.last, conflict.last == 0
    except Duplicate as duplicate:  # known, perhaps, for something else: no success as yet
        in_flight = duplicate.sequence == 0
    except Unavailable as error:
        unanswered = error
    if in_flight:
        await asyncio.sleep(IN_FLIGHT_SECONDS)
    tail = await _tail(log, aggregate, expected, needed)
    for commit in tail:
        if head_of(commit.data).command == command:
            return Stored(commit.sequence, tail)
    if unanswered is not None and not tail:
        raise unanswered  # there is nothing new to decide by; asked at once it would be the same
    raise Stale(tail)


async def _tail(log: Log, aggregate: Aggregate, after: int, needed: int) -> list[Recorded]:
    """What is after a sequence, up to one that is known to be stored at least."""
    for _ in range(BEHIND_TRIES):
        tail = await log.tail(aggregate, after)
        if needed <= after or (tail and tail[-1].sequence >= needed):
            return tail
        await asyncio.sleep(BEHIND_SECONDS)
    raise Unavailable("what is read is behind what is stored")
