"""Between the messages of the wire and the values of the domain."""

from laelo.bots.v1 import bots_pb2 as pb
from laelo.rules.v1 import rules_pb2
from laelo_rules.engine import ChooseOpener, Move, Play
from laelo_rules.engine.tiles import ID_OF

from laelo_bots.domain.levels import Thought
from laelo_bots.domain.search import Evaluation
from laelo_bots.domain.view import NO_TILE, NOBODY, View


def view_from(message: pb.View) -> View:
    """The view of a request, unchecked."""
    return View(
        seat=message.seat,
        hand=message.hand,
        opener=message.opener,
        opening=message.opening,
        turns=message.turns,
        must_open=message.must_open,
        score_us=message.score_us,
        score_them=message.score_them,
        multiplier=message.multiplier,
        target=message.target,
    )


def response_of(thought: Thought) -> pb.ChooseMoveResponse:
    """The answer that names a move and its reasons."""
    response = _named(thought.move)
    response.evaluations.extend(map(evaluation_of, thought.evaluations))
    response.worlds = thought.worlds
    return response


def evaluation_of(evaluation: Evaluation) -> pb.Evaluation:
    """What a move is worth, as a message."""
    tile, end = evaluation.move
    return pb.Evaluation(
        tile=tile,
        end=rules_pb2.End.ValueType(end),
        equity=evaluation.equity,
        points=evaluation.points,
        standard_error=evaluation.standard_error,
        playouts=evaluation.playouts,
    )


def _named(move: Move) -> pb.ChooseMoveResponse:
    if isinstance(move, Play):
        low, high = move.tile
        return pb.ChooseMoveResponse(
            act=rules_pb2.ACT_PLAY,
            tile=ID_OF[low][high],
            end=rules_pb2.End.ValueType(move.end),
            opener=NOBODY,
        )
    if isinstance(move, ChooseOpener):
        return pb.ChooseMoveResponse(
            act=rules_pb2.ACT_CHOOSE_OPENER, tile=NO_TILE, opener=move.opener
        )
    return pb.ChooseMoveResponse(act=rules_pb2.ACT_PASS, tile=NO_TILE, opener=NOBODY)
