"""Who is here: all windows, and those of each person with an account."""

from collections.abc import Sequence

from laelo_gateway.championships.ports import Attendance, Visitor


class Visitors:
    """Tells when a person's first window comes and when the last one goes."""

    def __init__(self, attendance: Attendance) -> None:
        self._attendance = attendance
        self._open: set[Visitor] = set()
        self._windows: dict[str, dict[Visitor, None]] = {}

    def __len__(self) -> int:
        """How many people with accounts are here."""
        return len(self._windows)

    def __contains__(self, visitor: Visitor) -> bool:
        return visitor in self._open

    def come(self, visitor: Visitor) -> None:
        """A window was opened. Guests are here, but nobody waits for them."""
        self._open.add(visitor)
        person = visitor.sender.person
        if person.guest:
            return
        windows = self._windows.setdefault(person.id, {})
        windows[visitor] = None
        if len(windows) == 1:
            self._attendance.here(person.id)

    def go(self, visitor: Visitor) -> None:
        """It was closed, if it was open."""
        if visitor not in self._open:
            return
        self._open.discard(visitor)
        player = visitor.sender.person.id
        windows = self._windows.get(player, {})
        if windows.pop(visitor, self) is self or windows:
            return
        del self._windows[player]
        self._attendance.gone(player)

    def windows(self, player: str) -> Sequence[Visitor]:
        """The windows of a person with an account, the oldest first."""
        return tuple(self._windows.get(player, ()))

    def is_here(self, player: str) -> bool:
        """Whether the person has a window."""
        return player in self._windows

    def people(self) -> list[str]:
        """All people with accounts who are here."""
        return list(self._windows)
