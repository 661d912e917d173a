"""Verdicts for who asks, one after the other, as soon as each is known."""

from collections.abc import AsyncIterator
from typing import Final

from laelo.bots.v1 import bots_pb2 as pb
from laelo_common.errors import Code, LaeloError

from laelo_bots.app import MOST_WORLDS
from laelo_bots.domain.view import Nonsense
from laelo_bots.frames import JUDGE
from laelo_bots.judging.job import position_of
from laelo_bots.workers import CrowdedError, UnansweredError, Workers

MOST_TURNS: Final = 2000
PATIENCE_SECONDS: Final = 20.0
"""For one verdict, from when a worker has begun with it."""


class Judging:
    """Asks the workers; whoever waits for a move at a table goes first."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.judged = 0
        """Verdicts found."""

    async def verdicts(self, request: pb.JudgeRequest) -> AsyncIterator[pb.JudgeResponse]:
        """One for each turn, in order. Raises LaeloError."""
        wrong = _wrong(request)
        if wrong:
            raise LaeloError(Code.BAD_REQUEST, wrong)
        for index, turn in enumerate(request.turns):
            verdict = await self._verdict(pb.JudgeRequest(worlds=request.worlds, turns=[turn]))
            verdict.index = index
            self.judged += 1
            yield verdict

    async def _verdict(self, request: pb.JudgeRequest) -> pb.JudgeResponse:
        try:
            found = await self._workers.ask(
                JUDGE, request.SerializeToString, PATIENCE_SECONDS, later=True
            )
        except CrowdedError as error:
            raise LaeloError(Code.TRY_LATER, str(error)) from error
        except UnansweredError as error:
            raise LaeloError(Code.INTERNAL, str(error)) from error
        return pb.JudgeResponse.FromString(found)


def _wrong(request: pb.JudgeRequest) -> str:
    """What is wrong with a request; empty if nothing is."""
    if request.worlds > MOST_WORLDS:
        return f"{request.worlds} worlds are more than {MOST_WORLDS}"
    if len(request.turns) > MOST_TURNS:
        return f"{len(request.turns)} turns are more than {MOST_TURNS}"
    for number, turn in enumerate(request.turns, 1):
        position = position_of(turn)
        if isinstance(position, Nonsense):
            return f"turn {number} of the request: {position.reason}"
    return ""
