"""From the words of the files to questions to the rules."""

from typing import Final

from laelo.rules.v1 import rules_pb2 as pb

from laelo_tools.conformance.shapes import Deal, Move, Previous, State, Tile

NO_SEAT: Final = 4
NO_TILE: Final = 28
NO_TEAM: Final = 2
NO_NUMBER: Final = 7

ACTS: Final = {
    "play": pb.ACT_PLAY,
    "pass": pb.ACT_PASS,
    "choose_opener": pb.ACT_CHOOSE_OPENER,
}
_ENDS: Final = {None: 0, "left": 1, "right": 2}
_NO_END: Final = 3
"""What stands for a name that is no end: the service has to refuse it (R13)."""


def tile_number(tile: Tile) -> int:
    """The number of a tile; 28 if it is none, which the service has to refuse."""
    low, high = sorted(tile)
    return high * (high + 1) // 2 + low if low >= 0 and high <= 6 else NO_TILE


def mask(tiles: list[Tile]) -> int:
    """A hand as a mask."""
    bits = 0
    for tile in tiles:
        bits |= 1 << tile_number(tile)
    return bits


def state_message(state: State) -> pb.State:
    """The part of a state that the rules need."""
    hands = [mask(hand) for hand in state.hands]
    left, right = state.ends or (NO_NUMBER, NO_NUMBER)
    return pb.State(
        phase=pb.Phase.Value(f"PHASE_{state.phase.upper()}"),
        hand_0=hands[0],
        hand_1=hands[1],
        hand_2=hands[2],
        hand_3=hands[3],
        left=left,
        right=right,
        turn=NO_SEAT if state.turn is None else state.turn,
        must_open=NO_TILE if state.must_open is None else tile_number(state.must_open),
        last_seat=NO_SEAT if state.last_seat is None else state.last_seat,
        score_0=state.scores[0],
        score_1=state.scores[1],
        multiplier=state.multiplier,
        led_5_0=NO_TEAM if state.led_5_0 is None else state.led_5_0,
    )


def deal_request(deal: Deal) -> pb.JudgeRequest:
    """A deal of the given tiles."""
    standing = pb.State(
        score_0=deal.scores[0],
        score_1=deal.scores[1],
        multiplier=deal.multiplier,
        led_5_0=NO_TEAM if deal.led_5_0 is None else deal.led_5_0,
    )
    return next_deal_request(standing, deal.order, deal.previous)


def next_deal_request(standing: pb.State, order: list[Tile], previous: Previous) -> pb.JudgeRequest:
    """A deal in a match that stands as in `standing`."""
    return pb.JudgeRequest(
        state=standing,
        act=pb.ACT_DEAL,
        order=bytes(tile_number(tile) for tile in order),
        opening=pb.Opening.Value(f"OPENING_{previous.kind.upper()}"),
        winner=NO_SEAT if previous.winner is None else previous.winner,
    )


def move_request(state: pb.State, move: Move) -> pb.JudgeRequest:
    """A move in a state."""
    tile_a, tile_b = move.tile or (0, 0)
    return pb.JudgeRequest(
        state=state,
        act=ACTS[move.type],
        seat=move.seat,
        tile_a=tile_a,
        tile_b=tile_b,
        end=pb.End.ValueType(_ENDS.get(move.end, _NO_END)),
        opener=0 if move.opener is None else move.opener,
    )
