"""Which persons are behind the listeners of a table."""

from laelo_table.domain.state import Table
from laelo_table.ports import Listener
from laelo_table.warm import Warm


def depart(warm: Warm, listener: Listener, player: str) -> None:
    """A person has gone from a listener, which goes on listening."""
    warm.watchers[listener].discard(player)
    warm.unreviewed = True


def move_away(warm: Warm, listener: Listener) -> None:
    """A listener listens no more; its people may be at another replica now."""
    persons = warm.watchers.pop(listener)
    if persons and not warm.watchers:
        warm.absent.clear()
    warm.unreviewed = True


def vanish(warm: Warm, listener: Listener, now_ms: int) -> None:
    """A listener is gone, and its people with it."""
    for player in warm.watchers.pop(listener):
        warm.absent.setdefault(player, now_ms)
    warm.unreviewed = True


def persons(warm: Warm) -> set[str]:
    """Everybody who is there."""
    return set().union(*warm.watchers.values())


def without_seat(state: Table, present: set[str]) -> int:
    """How many of them have no seat."""
    return len(present - {seat.player for seat in state.seats})
