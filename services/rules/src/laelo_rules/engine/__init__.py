"""The rules of dominoes as they are played in Pernambuco (R1-R30), and nothing else.

Pure: the deal, the seat and the clock's length come in as arguments; a wrong move is a value.
"""

from .calls import Call, CallKind, Calls
from .clock import LONG_SECONDS, SHORT_SECONDS, clock_seconds, is_short, timeout_move
from .deal import DealError, deal
from .hand_end import HandEnd, NextHand, Reason
from .judge import Outcome, judge
from .legal import LegalPlay, can_pass, ends_fitted, legal_plays, legal_tiles
from .match_end import MatchEnd
from .moves import ChooseOpener, End, Move, Pass, Play, Refusal
from .state import Phase, State, next_seat, partner_of, team_of
from .talk import Talk
from .tiles import TILES, count, mask_of, tile_id, tiles_in

__all__ = [
    "LONG_SECONDS",
    "SHORT_SECONDS",
    "TILES",
    "Call",
    "CallKind",
    "Calls",
    "ChooseOpener",
    "DealError",
    "End",
    "HandEnd",
    "LegalPlay",
    "MatchEnd",
    "Move",
    "NextHand",
    "Outcome",
    "Pass",
    "Phase",
    "Play",
    "Reason",
    "Refusal",
    "State",
    "Talk",
    "can_pass",
    "clock_seconds",
    "count",
    "deal",
    "ends_fitted",
    "is_short",
    "judge",
    "legal_plays",
    "legal_tiles",
    "mask_of",
    "next_seat",
    "partner_of",
    "team_of",
    "tile_id",
    "tiles_in",
    "timeout_move",
]
