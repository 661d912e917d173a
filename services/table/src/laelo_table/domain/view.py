"""What a viewer may see. All that leaves a table goes through `view` and `frames`.

A viewer is a seat, 0-3, or 4: anybody who has none.
"""

from typing import Final, NamedTuple, cast

import msgspec
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.wire import table as wire
from laelo_common.wire.server import (
    Said,
    SaidFrame,
    SnapshotFrame,
    Watching,
    WatchingFrame,
)

from laelo_table.domain import spell
from laelo_table.domain.chain import Chain, chain_of
from laelo_table.domain.state import NOBODY, Phase, Table, hand_of, host_seat, phase_of
from laelo_table.domain.telling import tell, turn_of
from laelo_table.domain.text import event_frame

PUBLIC: Final = 1 << NOBODY
EVERYBODY: Final = 31
_LONGEST_SHEET: Final = 16
_PHASES: Final[tuple[wire.Phase, ...]] = ("lobby", "choose", "play", "pause", "match_over")

_encode = msgspec.json.Encoder().encode


def may_watch(state: Table, viewer: int) -> bool:
    """Whether a viewer may see the table at all."""
    return state.spectators or viewer != NOBODY


class Shown(NamedTuple):
    """The frame of a commit for some viewers, as in laelo.table.v1.View."""

    viewers: int
    frame: bytes


def frames(commit: events_pb2.Commit, after: Table) -> tuple[Shown, ...]:
    """The frames of a commit, one for each group of viewers who are shown the same.

    Seats of bots and empty ones belong to the group that is shown least.
    """
    shared, own = tell(commit, after)
    now_ms = commit.head.time_ms
    rest = _all_viewers(after)
    shown = []
    for viewer, events in own:
        rest -= 1 << viewer
        shown.append(Shown(1 << viewer, event_frame(after.id, after.version, now_ms, events)))
    if rest:
        shown.append(Shown(rest, event_frame(after.id, after.version, now_ms, shared)))
    return tuple(shown)


def snapshot(state: Table, viewer: int, now_ms: int) -> table_pb2.View:
    """A frame with all that a viewer sees, at most 4 kB."""
    frame = SnapshotFrame(state.id, state.version, now_ms, view(state, viewer, now_ms))
    return table_pb2.View(viewers=1 << viewer, seq=state.version, frame=_encode(frame))


def said(state: Table, seat: int, phrase: str) -> table_pb2.View:
    """A frame without a number: somebody says something."""
    frame = SaidFrame(state.id, Said(seat, cast("wire.Phrase", phrase)))
    return table_pb2.View(viewers=_all_viewers(state), frame=_encode(frame))


def watching(state: Table, count: int, viewers: int = EVERYBODY) -> table_pb2.View:
    """A frame without a number: so many watch without a seat."""
    frame = WatchingFrame(state.id, Watching(count))
    return table_pb2.View(viewers=viewers & _all_viewers(state), frame=_encode(frame))


def _all_viewers(state: Table) -> int:
    return EVERYBODY if state.spectators else EVERYBODY - PUBLIC


def view(state: Table, viewer: int, now_ms: int) -> wire.TableView:
    """All that a viewer sees of a table."""
    phase = phase_of(state)
    game = state.game
    seated = viewer != NOBODY
    host = host_seat(state)
    chain = chain_of(state.turns)
    return wire.TableView(
        phase=_PHASES[phase],
        options=options_of(state),
        seats=_seats(state),
        scores=(0, 0) if game is None else (game.score_0, game.score_1),
        match=state.match,
        hand=state.hand,
        multiplier=1 if game is None else game.multiplier,
        me=viewer if seated else None,
        fence=state.seats[viewer].fence if seated else None,
        host=None if host == NOBODY else host,
        code=state.code,
        tiles=spell.tiles(hand_of(game, viewer)) if game is not None and seated else (),
        counts=(0, 0, 0, 0) if game is None else _counts(game),
        chain=chain.tiles,
        opened=chain.opened,
        ends=_ends(chain),
        last_seat=None if game is None or not chain.tiles else game.last_seat,
        last_end=chain.last_end,
        turn=None if state.begun is None else turn_of(state, state.begun, viewer, now_ms),
        next_ms=_next_ms(state, phase, now_ms),
        commitment=None if state.deal is None else state.deal.commitment.hex(),
        next_commitment=None if state.next_deal is None else state.next_deal.commitment.hex(),
        added=spell.all_added(state.added),
        next_added=spell.all_added(state.next_added),
        closed=spell.CLOSINGS.get(state.closed),
        hand_end=_hand_end(state, phase),
        match_end=None if state.match_end is None else spell.match_end(state.match_end),
        sheet=_sheet(state),
        championship=state.championship,
        official=state.official,
    )


def options_of(state: Table) -> wire.Options:
    """How a table is set up."""
    return wire.Options(
        move_seconds=state.move_seconds,
        spectators=state.spectators,
        public=state.public,
        level=spell.LEVELS[state.level or table_pb2.BOT_LEVEL_MEDIUM],
        start_seconds=state.start_seconds,
    )


def _next_ms(state: Table, phase: Phase, now_ms: int) -> int | None:
    """The time until the next deal, or until the match starts by itself."""
    if phase is Phase.PAUSE or (phase is Phase.LOBBY and state.deadline_ms):
        return max(0, state.deadline_ms - now_ms)
    return None


def _seats(state: Table) -> tuple[wire.Seat, wire.Seat, wire.Seat, wire.Seat]:
    a, b, c, d = state.seats
    return spell.seat(a), spell.seat(b), spell.seat(c), spell.seat(d)


def _counts(game: rules_pb2.State) -> tuple[int, int, int, int]:
    return (
        game.hand_0.bit_count(),
        game.hand_1.bit_count(),
        game.hand_2.bit_count(),
        game.hand_3.bit_count(),
    )


def _ends(chain: Chain) -> tuple[int, int] | None:
    return (chain.tiles[0][0], chain.tiles[-1][1]) if chain.tiles else None


def _hand_end(state: Table, phase: Phase) -> wire.HandEnd | None:
    if state.game is None or phase not in (Phase.PAUSE, Phase.MATCH_OVER):
        return None
    return spell.hand_end(state.hands[-1], state.game, state.added)


def _sheet(state: Table) -> tuple[wire.HandScore, ...]:
    """The newest lines of the score sheet: ties could make it longer than a frame may be."""
    lines = []
    ours = theirs = 0
    for ended in state.hands:
        end = ended.end
        ours += end.points * (end.team == 0)
        theirs += end.points * (end.team == 1)
        winner = None if end.winner == NOBODY else end.winner
        reason = spell.REASONS[end.reason]
        lines.append(wire.HandScore(reason, end.points, (ours, theirs), winner))
    return tuple(lines[-_LONGEST_SHEET:])
