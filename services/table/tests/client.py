"""A small client of the wire protocol: a snapshot, and every later frame folded into it."""

from typing import Any

import msgspec
from laelo_common.wire import table as wire
from laelo_common.wire.server import EventFrame, SnapshotFrame


class Client:
    """What a page knows from the frames that it was sent."""

    def __init__(self, first: SnapshotFrame) -> None:
        self.seq = first.seq
        self.view = first.d

    def take(self, frame: EventFrame) -> None:
        """Fold the next frame in."""
        assert frame.seq == self.seq + 1
        self.seq = frame.seq
        for event in frame.d.events:
            getattr(self, f"_{type(event).__name__.lower()}")(event)

    def _set(self, **changes: Any) -> None:
        self.view = msgspec.structs.replace(self.view, **changes)

    def _seatchanged(self, event: wire.SeatChanged) -> None:
        seats = list(self.view.seats)
        seats[event.seat] = event.who
        self._set(seats=tuple(seats), host=event.host)
        self._set_fence(event.seat, event.fence)

    def _seatheld(self, event: wire.SeatHeld) -> None:
        self._set_fence(event.seat, event.fence)

    def _seatsswapped(self, event: wire.SeatsSwapped) -> None:
        one, other = event.seats
        seats = list(self.view.seats)
        seats[one], seats[other] = seats[other], seats[one]
        self._set(seats=tuple(seats), host=event.host)

    def _set_fence(self, seat: int, fence: int) -> None:
        if seat == self.view.me:
            self._set(fence=fence)

    def _bytesadded(self, event: wire.BytesAdded) -> None:
        added = sorted((*self.view.next_added, event.added), key=lambda added: added.seat)
        self._set(next_added=tuple(added))

    def _deadlinemoved(self, event: wire.DeadlineMoved) -> None:
        assert self.view.turn is not None
        self._set(turn=msgspec.structs.replace(self.view.turn, ms=event.ms))

    def _tableclosed(self, event: wire.TableClosed) -> None:
        self._set(closed=event.closing, next_ms=None)

    def _matchstarted(self, event: wire.MatchStarted) -> None:
        self._set(
            phase="pause",
            match=event.match,
            hand=0,
            multiplier=1,
            scores=(0, 0),
            counts=(0, 0, 0, 0),
            tiles=(),
            chain=(),
            opened=0,
            ends=None,
            last_seat=None,
            last_end=None,
            commitment=None,
            added=(),
            sheet=(),
            hand_end=None,
            match_end=None,
            next_ms=event.next_ms,
        )

    def _committed(self, event: wire.Committed) -> None:
        self._set(next_commitment=event.commitment)

    def _dealt(self, event: wire.Dealt) -> None:
        self._set(
            hand=event.hand,
            multiplier=event.multiplier,
            scores=event.scores,
            tiles=event.tiles,
            counts=(6, 6, 6, 6),
            chain=(),
            opened=0,
            ends=None,
            last_seat=None,
            last_end=None,
            hand_end=None,
            next_ms=None,
            commitment=self.view.next_commitment,
            next_commitment=None,
            added=self.view.next_added,
            next_added=(),
        )

    def _openerchosen(self, _: wire.OpenerChosen) -> None:
        self._set(turn=None)

    def _passed(self, _: wire.Passed) -> None:
        self._set(turn=None)

    def _played(self, event: wire.Played) -> None:
        view = self.view
        low, high = event.tile
        if event.end == "left":
            chain = ((low + high - view.chain[0][0], view.chain[0][0]), *view.chain)
        elif event.end == "right":
            touching = view.chain[-1][1]
            chain = (*view.chain, (touching, low + high - touching))
        else:
            chain = (event.tile,)
        counts = list(view.counts)
        counts[event.seat] -= 1
        self._set(
            chain=chain,
            opened=view.opened + (event.end == "left"),
            ends=event.ends,
            counts=tuple(counts),
            tiles=tuple(tile for tile in view.tiles if tile != event.tile),
            last_seat=event.seat,
            last_end=event.end,
            turn=None,
        )

    def _handended(self, event: wire.HandEnded) -> None:
        end = event.end
        line = wire.HandScore(end.reason, end.points, end.scores, end.winner)
        self._set(
            phase="pause",
            hand_end=end,
            scores=end.scores,
            next_ms=event.next_ms,
            sheet=(*self.view.sheet, line)[-16:],
        )

    def _matchended(self, event: wire.MatchEnded) -> None:
        self._set(phase="match_over", match_end=event.end)

    def _turn(self, event: wire.Turn) -> None:
        self._set(turn=event, phase="choose" if event.choosing else "play")
