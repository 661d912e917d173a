"""Who answers what: at once in this process, or in a worker within the time that is given."""

import asyncio
import logging
from typing import Final

from laelo.bots.v1 import bots_pb2 as pb

from laelo_bots.app import answer, searches
from laelo_bots.domain.levels import Level
from laelo_bots.frames import CHOOSE
from laelo_bots.mind import Mind
from laelo_bots.workers import CrowdedError, UnansweredError, Workers

_log = logging.getLogger(__name__)

GRACE: Final = 2.0
"""Seconds beyond its time after which a worker is taken for dead: a machine may be busy."""
LATEST: Final = 1.2
"""Times the time of a question: then there is an answer, whatever the workers do."""
_SECONDS_PER_WORLD: Final = 0.02


class Thinking:
    """Answers questions. `budget` (seconds) is for those that say nothing of time."""

    def __init__(self, mind: Mind, workers: Workers, budget: float) -> None:
        self._mind = mind
        self._workers = workers
        self._budget = budget
        self.hurried = 0
        """Questions that were answered by the policy alone, since no worker had time for them."""

    def at_once(self, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse | None:
        """The answer to a question that needs no search, otherwise None."""
        return None if searches(request) else answer(request, self._mind)

    async def searched(self, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
        """The answer to a question that needs a search.

        To whoever names neither time nor worlds, as a table does, it comes when the time is over,
        a forced move no sooner than any other: else the wait would tell what the bot can choose
        from.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self._seconds(request)
        response = await self._by_worker(request, end)
        if not request.budget_ms and not request.worlds:
            await asyncio.sleep(end - loop.time())
        return response

    def _seconds(self, request: pb.ChooseMoveRequest) -> float:
        return request.budget_ms / 1000 if request.budget_ms else self._budget

    async def _by_worker(self, request: pb.ChooseMoveRequest, end: float) -> pb.ChooseMoveResponse:
        loop = asyncio.get_running_loop()

        def payload() -> bytes:
            left_ms = int((end - loop.time()) * 1000)
            asked = pb.ChooseMoveRequest()
            asked.CopyFrom(request)
            asked.budget_ms = max(left_ms, 1)
            return asked.SerializeToString()

        seconds = request.worlds * _SECONDS_PER_WORLD or self._seconds(request)
        # The first question waits for its worker to start, once.
        is_timed = not request.worlds and self._workers.alive
        try:
            async with asyncio.timeout(seconds * LATEST if is_timed else None):
                found = await self._workers.ask(CHOOSE, payload, seconds + GRACE)
        except (CrowdedError, UnansweredError, TimeoutError) as error:
            reason = str(error) or "no worker was free in time"
            _log.warning("a strong bot plays by its policy alone: %s", reason)
            return self._hurried(request)
        return pb.ChooseMoveResponse.FromString(found)

    def _hurried(self, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
        self.hurried += 1
        asked = pb.ChooseMoveRequest()
        asked.CopyFrom(request)
        asked.level = pb.Level.ValueType(Level.MEDIUM)
        return answer(asked, self._mind)
