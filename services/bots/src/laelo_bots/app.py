"""One question to a bot, answered."""

from time import perf_counter_ns
from typing import Final

from laelo.bots.v1 import bots_pb2 as pb

from laelo_bots.codec import response_of, view_from
from laelo_bots.domain.levels import Level
from laelo_bots.domain.position import read
from laelo_bots.domain.view import Nonsense
from laelo_bots.mind import Mind

MOST_WORLDS: Final = 20_000
MOST_MS: Final = 10_000

_LEVELS: Final = {level.value: level for level in Level}


def answer(request: pb.ChooseMoveRequest, mind: Mind) -> pb.ChooseMoveResponse:
    """Choose a move; a question that makes no sense is answered with `error`."""
    begin = perf_counter_ns()
    response = _answer(request, mind)
    response.id = request.id
    response.engine = mind.engine
    response.elapsed_us = (perf_counter_ns() - begin) // 1000
    return response


def searches(request: pb.ChooseMoveRequest) -> bool:
    """Whether the answer takes a search, which is no work for an event loop."""
    return request.level == pb.LEVEL_STRONG


def _answer(request: pb.ChooseMoveRequest, mind: Mind) -> pb.ChooseMoveResponse:
    wrong = _wrong(request)
    if wrong:
        return pb.ChooseMoveResponse(error=wrong)
    position = read(view_from(request.view))
    if isinstance(position, Nonsense):
        return pb.ChooseMoveResponse(error=position.reason)
    level = _LEVELS[request.level]
    seconds = request.budget_ms / 1000
    return response_of(mind.think(position, level, request.seed, request.worlds, seconds))


def _wrong(request: pb.ChooseMoveRequest) -> str:
    if request.level not in _LEVELS:
        known = ", ".join(f"{number} = {level.name.lower()}" for number, level in _LEVELS.items())
        return f"level {request.level} is not one of {known}"
    if request.worlds > MOST_WORLDS:
        return f"{request.worlds} worlds are more than {MOST_WORLDS}"
    if request.budget_ms > MOST_MS:
        return f"{request.budget_ms} ms to think are more than {MOST_MS}"
    return ""
