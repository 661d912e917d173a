"""Between the messages of the wire and the values of the domain."""

from laelo.bots.v1 import bots_pb2 as pb
from laelo.rules.v1 import rules_pb2
from laelo_rules.engine import ChooseOpener, Move, Play
from laelo_rules.engine.tiles import ID_OF

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


def response_of(move: Move) -> pb.ChooseMoveResponse:
    """The answer that names a move."""
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
