"""What each question to the rules is answered with."""

from collections.abc import Callable
from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo_common.errors import LaeloError

from .codec import (
    decode_move,
    decode_winner,
    encode_outcome,
    encode_position,
    encode_refusal,
)
from .engine import Move, Phase, Refusal, State, deal, judge, timeout_move
from .engine.match_end import POINTS_TO_WIN
from .state_codec import bad, decode_standing, decode_state

Request = rules_pb2.JudgeRequest
Response = rules_pb2.JudgeResponse


def answer(request: Request) -> Response:
    """The rules' answer. Raises BAD_REQUEST for a request that makes no sense."""
    handle = _HANDLERS.get(request.act)
    if handle is None:
        raise bad(f"act is {request.act}, which is nothing that can be asked")
    response = handle(request)
    response.id = request.id
    return response


def bad_request(error: LaeloError) -> Response:
    """The answer on a stream to a request that makes no sense."""
    return Response(refusal=rules_pb2.REFUSAL_BAD_REQUEST, reason=error.message)


def _move(request: Request) -> Response:
    return _judged(decode_state(request.state), decode_move(request))


def _timeout(request: Request) -> Response:
    state = decode_state(request.state)
    move = timeout_move(state)
    if move is None:
        over = state.phase is Phase.MATCH_OVER
        return encode_refusal(Refusal.MATCH_OVER if over else Refusal.HAND_OVER)
    return _judged(state, move)


def _judged(state: State, move: Move) -> Response:
    verdict = judge(state, move)
    if isinstance(verdict, Refusal):
        return encode_refusal(verdict)
    return encode_outcome(move, verdict)


def _look(request: Request) -> Response:
    return encode_position(decode_state(request.state), rules_pb2.ACT_LOOK)


def _deal(request: Request) -> Response:
    scores, multiplier, led_5_0 = decode_standing(request.state)
    if max(scores) >= POINTS_TO_WIN:
        raise bad(f"the score is {scores[0]}-{scores[1]}: the match is over, nothing is dealt")
    dealt = deal(request.order, decode_winner(request), scores, multiplier, led_5_0)
    if isinstance(dealt, State):
        return encode_position(dealt, rules_pb2.ACT_DEAL)
    return encode_refusal(dealt)


_HANDLERS: Final[dict[int, Callable[[Request], Response]]] = {
    rules_pb2.ACT_DEAL: _deal,
    rules_pb2.ACT_PLAY: _move,
    rules_pb2.ACT_PASS: _move,
    rules_pb2.ACT_CHOOSE_OPENER: _move,
    rules_pb2.ACT_TIMEOUT: _timeout,
    rules_pb2.ACT_LOOK: _look,
}
