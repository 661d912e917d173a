"""Championships in memory, in step with the log.

Every replica holds all that run, and the newest of those that are over. The log is followed
from its beginning, so what was missed while nobody followed is known before anything is done.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple

from laelo.tournament.v1 import events_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Aggregate, Following, Kind, Log, Recorded

from laelo_tournament.domain.evolve import evolve
from laelo_tournament.domain.state import NO_CHAMPIONSHIP, Championship, is_running

_log = logging.getLogger(__name__)

RECENT: Final = 1024
"""So many championships that are over are kept in memory."""


class BeganEarlierError(LaeloError):
    """The log has forgotten how a championship began."""


class Folded(NamedTuple):
    """A championship as the log has it, and where in the log."""

    state: Championship = NO_CHAMPIONSHIP
    sequence: int = 0
    digest: bytes = b""
    """SHA-256 of its newest commit's stored bytes."""


NOTHING: Final = Folded()


def fold(before: Folded, recorded: Recorded) -> Folded:
    """Evolve by a stored commit; the same again if it is known. Raises LaeloError."""
    try:
        commit = events_pb2.Commit.FromString(recorded.data)
        version = before.state.version
        if commit.head.version <= version:
            return before
        if commit.head.version != version + 1:
            missing = LaeloError if version else BeganEarlierError
            raise missing(Code.INTERNAL, f"after version {version} a commit is missing")
        if commit.head.aggregate != id_in(recorded.subject):
            raise LaeloError(Code.INTERNAL, f"a commit of {commit.head.aggregate!r}")
        state = evolve(before.state, commit)
    except LaeloError:
        raise
    except Exception as error:
        # Whatever it is: one championship that makes no sense must not stop the others.
        what = f"a commit cannot be read: {type(error).__name__}"
        raise LaeloError(Code.INTERNAL, what) from error
    return Folded(state, recorded.sequence, sha256(recorded.data).digest())


def id_in(subject: str) -> str:
    """The championship that a subject of the log is about."""
    return subject.split(".")[1]


async def load(log: Log, championship: str) -> Folded:
    """A championship from the log; `NOTHING` if it has none, or has forgotten its beginning.

    Raises LogError and LaeloError.
    """
    folded = NOTHING
    try:
        for recorded in await log.tail(Aggregate(Kind.CHAMPIONSHIP, championship), 0):
            folded = fold(folded, recorded)
    except BeganEarlierError:
        return NOTHING
    return folded


class Mirror:
    """What the log says about championships."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._following: Following | None = None
        self._listeners: list[Callable[[Championship], None]] = []
        self.running: dict[str, Folded] = {}
        self.recent: OrderedDict[str, Folded] = OrderedDict()
        """Those that are over or cancelled, the newest last."""
        self.unreadable = 0
        """Championships that were given up, since their log makes no sense."""
        self.position = 0
        """How far the log was read."""

    async def start(self) -> None:
        """Follow the log; returns once everything is known that is stored now."""
        self._following = await self._log.follow(Kind.CHAMPIONSHIP, 0, self._on_message)
        await self._following.caught_up()

    async def wait(self) -> None:
        """Wait for the end of the following, which is a fault."""
        if self._following is not None:
            await self._following.wait()

    async def close(self) -> None:
        """Follow no more."""
        self._listeners.clear()
        if self._following is not None:
            await self._following.close()

    def listen(self, listener: Callable[[Championship], None]) -> None:
        """Call after each change, with the championship as it is then."""
        self._listeners.append(listener)

    def get(self, championship: str) -> Folded | None:
        """A championship, if it is in memory."""
        return self.running.get(championship) or self.recent.get(championship)

    def take_in(self, recorded: Recorded) -> None:
        """Take in a commit that is known to be stored; one that is known already is nothing new."""
        championship = id_in(recorded.subject)
        before = self.get(championship) or NOTHING
        try:
            after = fold(before, recorded)
        except BeganEarlierError:
            _log.debug("championship %s began before the log does", championship)
            return
        except LaeloError as error:
            # The others go on.
            self.running.pop(championship, None)
            self.unreadable += 1
            _log.error("championship %s is given up: %s", championship, error)
            return
        if after is before:
            return
        if is_running(after.state):
            self.running[championship] = after
        else:
            self.running.pop(championship, None)
            self.recent[championship] = after
            if len(self.recent) > RECENT:
                self.recent.popitem(last=False)
        for listener in self._listeners:
            listener(after.state)

    def _on_message(self, recorded: Recorded) -> None:
        self.take_in(recorded)
        self.position = recorded.sequence
