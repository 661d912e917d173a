"""One question to a bot, answered."""

from time import perf_counter_ns

from laelo.bots.v1 import bots_pb2 as pb

from laelo_bots.codec import response_of, view_from
from laelo_bots.domain.levels import Level, choose
from laelo_bots.domain.position import read
from laelo_bots.domain.view import Nonsense

ENGINE = "python-1"
"""Changes when the same question may get another answer."""

_LEVELS = {level.value: level for level in Level}


def answer(request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
    """Choose a move; a question that makes no sense is answered with `error`."""
    begin = perf_counter_ns()
    response = _answer(request)
    response.id = request.id
    response.engine = ENGINE
    response.elapsed_us = (perf_counter_ns() - begin) // 1000
    return response


def _answer(request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
    level = _LEVELS.get(request.level)
    if level is None:
        known = ", ".join(f"{number} = {level.name.lower()}" for number, level in _LEVELS.items())
        return pb.ChooseMoveResponse(error=f"level {request.level} is not one of {known}")
    position = read(view_from(request.view))
    if isinstance(position, Nonsense):
        return pb.ChooseMoveResponse(error=position.reason)
    return response_of(choose(position, level, request.seed))
