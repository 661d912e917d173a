"""Codes of the log spelled as clients read them, from tables made once."""

from collections.abc import Iterable
from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_common.wire import table as wire
from laelo_common.wire.marks import ACCOUNT_MARK

from laelo_table.domain.commands import LEVEL_NAMES
from laelo_table.domain.state import Seat

TILES: Final[tuple[wire.Tile, ...]] = tuple(
    (low, high) for high in range(7) for low in range(high + 1)
)
"""Both numbers of each tile, the low one first."""

ENDS: Final[tuple[wire.End | None, ...]] = (None, "left", "right")
OPENINGS: Final[dict[int, wire.Opening]] = {
    rules_pb2.OPENING_FIRST: "first",
    rules_pb2.OPENING_TIE: "tie",
    rules_pb2.OPENING_WON: "won",
}
REASONS: Final[dict[int, wire.Reason]] = {
    rules_pb2.REASON_DOMINO_SIMPLE: "domino_simple",
    rules_pb2.REASON_DOMINO_DOUBLE: "domino_double",
    rules_pb2.REASON_LA_E_LO: "la_e_lo",
    rules_pb2.REASON_CRUZADA: "cruzada",
    rules_pb2.REASON_COUNT: "count",
    rules_pb2.REASON_TIE: "tie",
}
LEVELS: Final[dict[int, wire.Level]] = {
    1: "random",
    2: "simple",
    3: "easy",
    4: "medium",
    5: "strong",
}
assert LEVELS == LEVEL_NAMES  # noqa: S101 - the log and the wire name them alike

CLOSINGS: Final[dict[int, wire.Closing]] = {
    events_pb2.CLOSING_HOST: "host",
    events_pb2.CLOSING_EMPTY: "empty",
    events_pb2.CLOSING_OLD: "old",
    events_pb2.CLOSING_OVER: "over",
    events_pb2.CLOSING_CANCELLED: "cancelled",
    events_pb2.CLOSING_OPERATOR: "operator",
}

_CALLS: Final[dict[int, wire.CallKind]] = {
    rules_pb2.CALL_KIND_END: "end",
    rules_pb2.CALL_KIND_ALL: "all",
    rules_pb2.CALL_KIND_DOUBLE: "double",
    rules_pb2.CALL_KIND_OPENING: "opening",
    rules_pb2.CALL_KIND_PASS: "pass",
    rules_pb2.CALL_KIND_DOMINO_SIMPLE: "domino_simple",
    rules_pb2.CALL_KIND_DOMINO_DOUBLE: "domino_double",
    rules_pb2.CALL_KIND_LA_E_LO: "la_e_lo",
    rules_pb2.CALL_KIND_CRUZADA: "cruzada",
    rules_pb2.CALL_KIND_BLOCKED: "blocked",
    rules_pb2.CALL_KIND_COUNT: "count",
    rules_pb2.CALL_KIND_TIE: "tie",
}
_NUMBERED: Final = {"end", "all", "double", "opening", "tie"}

_TILE_BITS: Final = 31
_ENDS_BIT: Final = 5
_PLAY_ENDS: Final[tuple[tuple[wire.End, ...], ...]] = (
    (),
    ("left",),
    ("right",),
    ("left", "right"),
)
PLAYS: Final = tuple(
    wire.Play(TILES[code & _TILE_BITS], _PLAY_ENDS[code >> _ENDS_BIT])
    if code & _TILE_BITS < len(TILES)
    else None
    for code in range(128)
)
"""What may be laid, by its code in JudgeResponse.plays; None for a code that is none."""


def plays(codes: bytes) -> tuple[wire.Play, ...]:
    """What may be laid, from JudgeResponse.plays."""
    return tuple([play for code in codes if (play := PLAYS[code])])


def tiles(hand: int) -> tuple[wire.Tile, ...]:
    """The tiles of a mask."""
    return tuple([tile for number, tile in enumerate(TILES) if hand >> number & 1])


def call(code: int, number: int, low: int) -> wire.Call:
    """What is called at the table (R30)."""
    kind = _CALLS[code]
    return wire.Call(
        kind,
        number if kind in _NUMBERED else None,
        low if kind == "opening" else None,
    )


def seat(who: Seat) -> wire.Seat:
    """Who sits in a seat. The gateway puts the name of an account where it is marked."""
    if who.player:
        stand_in = LEVELS.get(who.stand_in)
        name = who.name if who.guest or who.animal else ACCOUNT_MARK + who.player
        return wire.Seat(
            "person", name, who.guest, gone=who.gone, stand_in=stand_in, animal=who.animal
        )
    if who.level:
        return wire.Seat("bot", level=LEVELS[who.level])
    return wire.Seat("empty")


def added(event: events_pb2.BytesAdded) -> wire.Added:
    """What a client has added to a deal."""
    return wire.Added(event.seat, event.bytes.hex())


def all_added(events: Iterable[events_pb2.BytesAdded]) -> tuple[wire.Added, ...]:
    """What was added to a deal, by seat."""
    return tuple(added(event) for event in sorted(events, key=lambda event: event.seat))


def hand_end(
    ended: events_pb2.HandEnded,
    game: rules_pb2.State,
    bytes_added: Iterable[events_pb2.BytesAdded],
) -> wire.HandEnd:
    """How a hand ended; `game` is the match right after it, `bytes_added` what its deal had."""
    end = ended.end
    won = end.reason != rules_pb2.REASON_TIE
    a, b, c, d = end.counts
    return wire.HandEnd(
        reason=REASONS[end.reason],
        points=end.points,
        multiplier=ended.multiplier,
        counts=(a, b, c, d),
        hands=tuple(tiles(hand) for hand in (game.hand_0, game.hand_1, game.hand_2, game.hand_3)),
        scores=(game.score_0, game.score_1),
        seed=ended.seed.hex(),
        winner=end.winner if won else None,
        team=end.team if won else None,
        added=all_added(bytes_added),
    )


def match_end(end: rules_pb2.MatchEnd) -> wire.MatchEnd:
    """How a match ended."""
    return wire.MatchEnd(end.team, (end.score_0, end.score_1), end.buchuda, end.buchuda_de_re)
