"""One client's look at one table: which frames it still has to get."""

from typing import Final

NO_SEAT: Final = 4


class Watch:
    """What a client was told of a table.

    Frames are numbered without gaps. While an answer with frames for this client alone is
    awaited, pushed frames are left out: the answer covers them, and if not, `is_behind`
    says so afterwards.
    """

    __slots__ = ("_known", "awaited", "marked", "seat", "seq", "stale", "taken")

    def __init__(self, seq: int) -> None:
        self.seq = seq
        """Number of the newest frame that the client was sent."""
        self.seat = NO_SEAT
        """The viewer: seat 0-3, or NO_SEAT."""
        self._known = False
        self.awaited = 0
        """Answers with frames for this client alone that are under way."""
        self.stale = False
        """The seat has changed: what was sent is another viewer's, a snapshot is needed."""
        self.marked = 0
        """What had been sent when the client last told what it has."""
        self.taken = False
        """Another window of the person holds the seat."""

    def takes(self, seq: int) -> bool:
        """Whether a pushed frame is the next one. Then it has to be sent."""
        if self.awaited or self.stale or seq != self.seq + 1:
            return False
        self.seq = seq
        return True

    def misses(self, seq: int) -> bool:
        """Whether a pushed frame shows that one before it was lost."""
        return not self.awaited and seq > self.seq + 1

    def takes_own(self, seq: int, snapshot: bool) -> bool:
        """Whether a frame for this client alone has to be sent."""
        if snapshot:
            self.seq = seq
            self.stale = False
            return True
        if self.stale or seq != self.seq + 1:
            return False
        self.seq = seq
        return True

    def held_by(self, holder: str, window: str) -> bool:
        """The window that holds the person's seat was told ("" = none does); whether the
        client's own `window`, if it has one, lost it just now.
        """
        before, self.taken = self.taken, bool(holder and window) and holder != window
        return self.taken and not before

    def seated(self, seat: int) -> bool:
        """The viewer's seat was told; whether it is another than before."""
        changed = self._known and seat != self.seat
        self._known = True
        self.seat = seat
        self.stale = self.stale or changed
        return changed

    def is_behind(self, newest: int) -> bool:
        """Whether frames have to be asked for, now that nothing is awaited."""
        return not self.awaited and (self.stale or self.seq < newest)

    @property
    def since(self) -> int:
        """From where to ask: 0 = a snapshot."""
        return 0 if self.stale else self.seq
