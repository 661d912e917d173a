"""Judging as the work of a worker process."""

from typing import Final

from laelo.bots.v1 import bots_pb2 as pb

from laelo_bots.codec import evaluation_of, view_from
from laelo_bots.domain.position import Position, placements, read
from laelo_bots.domain.view import Nonsense
from laelo_bots.judging.judge import judge
from laelo_bots.mind import Mind

WORLDS: Final = {"c": 4000, "python": 256}
"""How many worlds to look at for a verdict: with the core, and without."""


def judged(payload: bytes, mind: Mind) -> bytes:
    """The verdict on the only turn of a JudgeRequest, which makes sense, as a JudgeResponse."""
    request = pb.JudgeRequest.FromString(payload)
    (turn,) = request.turns
    position = position_of(turn)
    if isinstance(position, Nonsense):
        raise ValueError(position.reason)  # noqa: TRY004 - of the request
    worlds = request.worlds or WORLDS[mind.language]
    verdict = judge(position, (turn.tile, turn.end), turn.seed, worlds, mind.batch)
    return pb.JudgeResponse(
        word=pb.Word.ValueType(verdict.word),
        evaluations=map(evaluation_of, verdict.evaluations),
        played=verdict.played,
        standard_error=verdict.standard_error,
        worlds=verdict.worlds,
        engine=mind.engine,
    ).SerializeToString()


def position_of(turn: pb.PlayedTurn) -> Position | Nonsense:
    """What a turn was played in, or what is wrong with it."""
    position = read(view_from(turn.view))
    if isinstance(position, Position) and (turn.tile, turn.end) not in placements(position):
        return Nonsense(f"tile {turn.tile} cannot be laid there (end {turn.end})")
    return position
