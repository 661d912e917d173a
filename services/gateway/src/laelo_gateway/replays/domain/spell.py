"""Codes of the archive spelled as clients read them, from tables made once."""

from collections.abc import Iterable
from typing import Final, get_args

from laelo.archive.v1 import archive_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.wire import replay as shapes
from laelo_common.wire import table as wire

TILES: Final[tuple[wire.Tile, ...]] = tuple(
    (low, high) for high in range(7) for low in range(high + 1)
)
"""Both numbers of each tile, the low one first."""
LARGEST: Final = 6
NO_TEAM: Final = 2
NO_SEAT: Final = 4

KINDS: Final[dict[str, archive_pb2.Kind.ValueType]] = {
    word: archive_pb2.Kind.Value(f"KIND_{word.upper()}") for word in get_args(shapes.Kind)
}
LEVELS: Final[dict[int, wire.Level]] = {
    table_pb2.BotLevel.Value(f"BOT_LEVEL_{word.upper()}"): word for word in get_args(wire.Level)
}
OPENINGS: Final[dict[int, wire.Opening]] = {
    rules_pb2.Opening.Value(f"OPENING_{word.upper()}"): word for word in get_args(wire.Opening)
}
ENDS: Final[dict[int, wire.End]] = {
    rules_pb2.End.Value(f"END_{word.upper()}"): word for word in get_args(wire.End)
}
_REASONS: Final[dict[int, wire.Reason]] = {
    rules_pb2.Reason.Value(f"REASON_{word.upper()}"): word for word in get_args(wire.Reason)
}
_CALLS: Final[dict[int, wire.CallKind]] = {
    rules_pb2.CallKind.Value(f"CALL_KIND_{word.upper()}"): word for word in get_args(wire.CallKind)
}
_ACTORS: Final[dict[int, shapes.Actor]] = {
    log_pb2.Actor.Value(f"ACTOR_{word.upper()}"): word for word in get_args(shapes.Actor)
}
_NUMBERED: Final = {"end", "all", "double", "opening", "tie"}


def tiles(hand: int) -> tuple[wire.Tile, ...]:
    """The tiles of a mask."""
    return tuple([tile for number, tile in enumerate(TILES) if hand >> number & 1])


def move(turn: archive_pb2.Turn) -> shapes.Move:
    """A tile laid, or a pass."""
    is_empty = turn.left > LARGEST
    return shapes.Move(
        seat=turn.seat,
        after_ms=turn.after_ms,
        calls=tuple([_call(call) for call in turn.calls]),
        tile=TILES[turn.tile] if turn.tile < len(TILES) else None,
        end=ENDS.get(turn.end),
        ends=None if is_empty else (turn.left, turn.right),
        by=_ACTORS[turn.actor],
    )


def choice(hand: archive_pb2.Hand) -> shapes.Choice | None:
    """Who chose the opener, if somebody did."""
    if hand.chooser == NO_SEAT:
        return None
    return shapes.Choice(hand.chooser, hand.chosen_after_ms, _ACTORS[hand.chosen_by])


def hand_end(hand: archive_pb2.Hand) -> wire.HandEnd:
    """How a hand ended."""
    end = hand.end
    won = end.team != NO_TEAM
    a, b, c, d = end.counts
    return wire.HandEnd(
        reason=_REASONS[end.reason],
        points=end.points,
        multiplier=hand.multiplier,
        counts=(a, b, c, d),
        hands=tuple([tiles(left) for left in hand.left]),
        scores=(hand.score_0, hand.score_1),
        seed=hand.seed.hex(),
        winner=end.winner if won else None,
        team=end.team if won else None,
        added=tuple(
            [
                wire.Added(added.seat, added.bytes.hex())
                for added in sorted(hand.added, key=lambda added: added.seat)
            ]
        ),
    )


def match_end(end: rules_pb2.MatchEnd) -> wire.MatchEnd:
    """How a match ended."""
    return wire.MatchEnd(end.team, (end.score_0, end.score_1), end.buchuda, end.buchuda_de_re)


def ids(seats: Iterable[archive_pb2.Seat]) -> set[str]:
    """The people in seats who have accounts: guests bring their names."""
    return {seat.player for seat in seats if seat.player and not seat.guest}


def _call(call: rules_pb2.Call) -> wire.Call:
    kind = _CALLS[call.kind]
    return wire.Call(
        kind,
        call.number if kind in _NUMBERED else None,
        call.low if kind == "opening" else None,
    )
