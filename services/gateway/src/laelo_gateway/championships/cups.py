"""The championships that are known here: all that run, and for a while those that have ended."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from laelo.tournament.v1 import tournament_pb2

from laelo_gateway.championships.domain import calls
from laelo_gateway.championships.domain.bracket import NO_NAMES, is_running, shown_players
from laelo_gateway.championships.ports import Visitor

MAX_ENDED: Final = 64
ENDED_SECONDS: Final = 120.0
"""How long one that runs no more is kept after somebody has last asked for it."""


class Cup:
    """One championship, by its newest version, and who looks at it."""

    def __init__(
        self,
        championship: tournament_pb2.Championship,
        entries: Sequence[tournament_pb2.Entry],
    ) -> None:
        self.championship = championship
        self.entries: Mapping[str, tournament_pb2.Entry] = {one.player: one for one in entries}
        self.watchers: dict[Visitor, None] = {}
        self.names: Mapping[str, str] = NO_NAMES
        self.dirty = False
        """Whether it has changed since it was last told."""
        self.until: float | None = None
        """When it may be forgotten; None while it runs."""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return is_running(self.championship)

    def is_in(self, player: str) -> bool:
        """Whether the player's team is not yet out of it."""
        return calls.is_in(self.championship, self.entries.get(player))

    @property
    def lacks_names(self) -> bool:
        """Whether somebody who may be shown could not be looked up yet."""
        return any(player not in self.names for player in shown_players(self.championship))


class Cups:
    """Bounded: those that run are few, and of the others only the last ones are kept."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._running: dict[str, Cup] = {}
        self._ended: OrderedDict[str, Cup] = OrderedDict()

    def __len__(self) -> int:
        return len(self._running) + len(self._ended)

    def __iter__(self) -> Iterator[Cup]:
        yield from tuple(self._running.values())
        yield from tuple(self._ended.values())

    @property
    def running(self) -> Iterable[Cup]:
        """Those that go on."""
        return tuple(self._running.values())

    def has_called_to(self, table: str) -> bool:
        """Whether somebody is called to this table: its match is still to be played."""
        return any(
            match.table == table and not match.winner
            for cup in self.running
            for match in cup.championship.matches
        )

    def find(self, name: str) -> Cup | None:
        """One that is known here."""
        cup = self._running.get(name)
        if cup is None:
            cup = self._ended.get(name)
            if cup is not None:
                self._keep(cup)
        return cup

    def take(
        self,
        championship: tournament_pb2.Championship,
        entries: Sequence[tournament_pb2.Entry],
    ) -> Cup | None:
        """A replica tells of one; None if that is no news."""
        name = championship.id
        cup = self._running.get(name) or self._ended.get(name)
        if cup is None:
            cup = Cup(championship, entries)
        elif championship.version <= cup.championship.version:
            return None
        cup.championship = championship
        cup.entries = {one.player: one for one in entries}
        if cup.is_running:
            self._running[name] = cup
        else:
            self._running.pop(name, None)
            self._keep(cup)
        return cup

    def drop(self, name: str) -> None:
        """There is no such championship."""
        self._running.pop(name, None)

    def forget_old(self) -> None:
        """Let go of those that ended and that nobody has asked for lately."""
        now = self._clock()
        for name, cup in tuple(self._ended.items()):
            if cup.until is not None and cup.until < now:
                del self._ended[name]

    def _keep(self, cup: Cup) -> None:
        name = cup.championship.id
        cup.until = self._clock() + ENDED_SECONDS
        self._ended[name] = cup
        self._ended.move_to_end(name)
        while len(self._ended) > MAX_ENDED:
            self._ended.popitem(last=False)
