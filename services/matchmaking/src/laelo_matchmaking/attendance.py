"""Who is there, as the gateways tell this replica."""

from collections.abc import Callable, Iterable
from typing import Final

from laelo_matchmaking.domain.duties import Doubt, Sight
from laelo_matchmaking.domain.state import Times, place_of
from laelo_matchmaking.store import Past, Store

_NOBODY: Final[frozenset[str]] = frozenset()


class Attendance:
    """People by the gateways' calls that name them; one person may be named by several.

    Only what changes is news: a replica that cannot see somebody whom another one sees says so
    once, not again and again.
    """

    def __init__(self, store: Store, times: Times, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._times = times
        self._now_ms = now_ms
        self._named: dict[object, set[str]] = {}
        self._calls: dict[str, int] = {}
        self._arrived: dict[str, int] = {}
        self._doubts: dict[str, Doubt] = {}
        self.on_change: Callable[[], None] = lambda: None
        now = now_ms()
        self.sight = Sight(now, self._arrived, self._doubts)
        """As it is now: it changes by itself."""
        for place in store.state.line:
            if not place.away_ms:
                self._doubt(place.player, times.vouch_ms)
        store.listen(self._on_past)

    def __len__(self) -> int:
        return len(self._arrived)

    def came(self, call: object, players: Iterable[str]) -> None:
        """A gateway has these people."""
        named = self._named.setdefault(call, set())
        for player in set(players) - named:
            named.add(player)
            self._calls[player] = self._calls.get(player, 0) + 1
            self._arrived.setdefault(player, self._now_ms())
            self._doubts.pop(player, None)
        self.on_change()

    def went(self, call: object, players: Iterable[str]) -> None:
        """A gateway has these people no more."""
        named = self._named.get(call, _NOBODY)
        for player in named & set(players):
            self._named[call].discard(player)
            self._calls[player] -= 1
            if not self._calls[player]:
                del self._calls[player], self._arrived[player]
                self._lost(player)
        self.on_change()

    def ended(self, call: object) -> None:
        """A gateway's call is over, and with it all that it said."""
        self.went(call, self._named.get(call, _NOBODY))
        self._named.pop(call, None)

    def _lost(self, player: str) -> None:
        place = place_of(self._store.state, player)
        if place is not None and not place.away_ms:
            self._doubt(player, self._times.lost_ms)

    def _doubt(self, player: str, patience_ms: int) -> None:
        times, now = self._times, self._now_ms()
        due_ms = now + patience_ms
        # Between the news and the end of the grace whoever sees them has to have time to say so.
        latest_ms = due_ms + times.lost_ms - times.grace_ms
        self._doubts[player] = Doubt(max(now, latest_ms), due_ms)

    def _on_past(self, past: Past) -> None:
        for event in past.commit.events:
            if event.HasField("joined"):
                self._expect((event.joined.player,), self._times.vouch_ms)
            elif event.HasField("back"):
                # Another replica sees them; were it to die, this would be said again.
                self._expect(event.back.players, self._times.grace_ms)
            elif event.HasField("left"):
                self._doubts.pop(event.left.player, None)
            elif event.HasField("away") or event.HasField("called"):
                settled = event.away if event.HasField("away") else event.called
                for player in settled.players:
                    self._doubts.pop(player, None)

    def _expect(self, players: Iterable[str], patience_ms: int) -> None:
        for player in players:
            if player not in self._arrived:
                self._doubt(player, patience_ms)
