"""A table that somebody here watches: who they are, where they sit, what they were told."""

from typing import NamedTuple, Protocol

from laelo.table.v1 import table_pb2

from laelo_gateway.domain.commands import Sender
from laelo_gateway.domain.watch import NO_SEAT, Watch
from laelo_gateway.link import Home


class Client(Protocol):
    """A client that has said hello."""

    sender: Sender
    """The person, and the window that this is."""
    tables: dict[str, Watch]
    """What it watches; kept by the hub."""
    closed_tables: set[str]
    """Tables that it watched until they were closed; kept by the hub."""

    def write(self, frame: bytes) -> None:
        """Send a whole frame, made by `text_frame`."""

    def send(self, text: bytes) -> None:
        """Send a text."""

    def taken(self) -> None:
        """A newer window of the person has the seat: end this connection."""


class Table:
    """What the gateway knows of a table, and nothing that is about the game."""

    def __init__(self, home: Home | None) -> None:
        self.home = home
        self.watches: dict[Client, Watch] = {}
        self.newest = 0
        self.moved = True
        """Whether a frame came since the last check."""
        self.lost = False
        """Whether the watchers were told that no replica answers."""
        self._sockets: dict[str, int] = {}
        """How many of its watchers are the same person."""

    def add(self, client: Client, seq: int) -> Watch:
        """One more watches, from frame `seq` on."""
        player = client.sender.person.id
        self._sockets[player] = self._sockets.get(player, 0) + 1
        watch = self.watches[client] = Watch(seq)
        return watch

    def remove(self, client: Client) -> None:
        """One less."""
        player = client.sender.person.id
        del self.watches[client]
        self._sockets[player] -= 1
        if not self._sockets[player]:
            del self._sockets[player]

    def has(self, player: str) -> bool:
        """Whether any of the watchers is this person."""
        return player in self._sockets

    def seat_of(self, player: str) -> int:
        """Where a person who watches sits, as far as it was told."""
        seats = (w.seat for c, w in self.watches.items() if c.sender.person.id == player)
        return next(seats, NO_SEAT)

    def seat(self, update: table_pb2.Update) -> "Moved":
        """Note who sits where now, and through which window."""
        seats = {player: seat for seat, player in enumerate(update.players) if player}
        holders = dict(zip(update.players, update.windows, strict=False))
        moved = Moved([], [])
        for client, watch in self.watches.items():
            player = client.sender.person.id
            if watch.seated(seats.get(player, NO_SEAT)):
                moved.seats.append((client, watch))
            if watch.held_by(holders.get(player, ""), client.sender.window):
                moved.taken.append((client, watch))
        return moved


class Moved(NamedTuple):
    """Whose place at a table is another than before."""

    seats: list[tuple[Client, Watch]]
    """Who sits elsewhere, and so sees something else."""
    taken: list[tuple[Client, Watch]]
    """Who has lost the seat to another window of the same person."""
