"""All open connections: who is silent is asked, who is dead is dropped, all hear of the end."""

import asyncio
import random
from collections.abc import Callable, Collection, Iterator
from typing import Final

from laelo_gateway.accounts.sessions import Listener
from laelo_gateway.connection import Connection, House
from laelo_gateway.domain import replies
from laelo_gateway.domain.bot_name import is_bot
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.peer import limited_as
from laelo_gateway.socket import Socket, text_frame

SWEEP_SECONDS: Final = 1.0
PLAYING_SECONDS: Final = 5.0
IDLE_SECONDS: Final = 25.0
"""Silence after which a client is asked whether it lives: at a table, and elsewhere."""
DEAD_SECONDS: Final = 10.0
"""Without an answer to that it is taken for dead."""
HELLO_SECONDS: Final = 10.0
"""Within which hello has to come."""

CLOSED_A_SECOND: Final = 200
"""At the end clients are let go of at this pace, so that the other gateways meet no herd, ..."""
LONGEST_SECONDS: Final = 2.0
"""... but all of them within this time."""
AGAIN_MS: Final = (20, 220)
"""When each of them is to come again, from least to most: those that are closed together do not
come together.
"""


class Sockets(Listener):
    """Makes a `Connection` for each socket and looks after them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._open: set[Tracked] = set()
        self._draining = False

    def __len__(self) -> int:
        return len(self._open)

    def accept(self, socket: Socket) -> "Tracked":
        """A socket was opened."""
        tracked = Tracked(self._house, socket, self._open)
        self._open.add(tracked)
        tracked.enter()
        if self._draining:
            asyncio.get_running_loop().call_soon(_send_away, tracked)
        return tracked

    async def run(self) -> None:
        """Look after them for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep(loop.time())

    def sweep(self, now: float) -> None:
        """Ask who is silent; drop who gives no answer, or does not say hello."""
        for connection in list(self._open):
            if not connection.is_welcome and now - connection.began > HELLO_SECONDS:
                connection.socket.close(4001, "say hello first")
            else:
                self._sweep_one(connection, now)

    def say_new_build(self, build: str) -> None:
        """Tell the clients of an older page that there is a newer one."""
        frame = text_frame(replies.notice("new_build"))
        for connection in list(self._open):
            if connection.build and connection.build != build:
                connection.write(frame)

    def held(self) -> Iterator[bytes]:
        """Keys of the sessions of all who are signed in."""
        return (connection.session for connection in self._open if connection.session)

    def ended(self, keys: Collection[bytes]) -> None:
        """Close the sockets of sessions that are over."""
        for connection in list(self._open):
            if connection.session in keys:
                connection.socket.close(4001, "the session is over: sign in")

    def bots(self) -> Iterator[str]:
        """Ids of the bot accounts that are connected."""
        people = (connection.sender.person for connection in self._open)
        return (person.id for person in people if is_bot(person.name))

    def gone(self, people: Collection[str]) -> None:
        """Close the sockets of people who are no more."""
        for connection in list(self._open):
            if connection.sender.person.id in people:
                connection.socket.close(4001, "this account is no more")

    def people(self) -> Iterator[str]:
        """Ids of all who are welcome."""
        return (one.sender.person.id for one in self._open if one.is_welcome)

    def shut_out(self, person: str, say: Callable[[str], str]) -> None:
        """Tell a person why, in the language of each socket, and close it."""
        for connection in list(self._open):
            if connection.sender.person.id == person:
                connection.shut_out(say(connection.language))

    def tell(self, text: bytes) -> None:
        """Send a text to everybody."""
        frame = text_frame(text)
        for connection in list(self._open):
            if connection.is_welcome:
                connection.write(frame)

    def renamed(self, person: Person) -> None:
        """Let a person's new nickname be shown from now on."""
        for connection in self._open:
            if connection.sender.person.id == person.id:
                connection.sender = connection.sender._replace(person=person)

    async def drain(self) -> None:
        """Let go of all clients, one after another, and wait till they are gone: each is told
        when to come again, and whoever stands before the gateways sends it to one that is ready.
        """
        self._draining = True
        leaving = list(self._open)
        random.shuffle(leaving)
        loop = asyncio.get_running_loop()
        for number, connection in enumerate(leaving):
            loop.call_later(leaves_at(number, len(leaving)), _send_away, connection)
        while self._open:
            await asyncio.gather(*(connection.over.wait() for connection in self._open))

    def _sweep_one(self, connection: Connection, now: float) -> None:
        """The transport's clock; no clock of the game depends on it."""
        socket = connection.socket
        if connection.pinged_at > socket.heard:
            if now - connection.pinged_at > DEAD_SECONDS:
                socket.abort()
            return
        patience = PLAYING_SECONDS if connection.tables else IDLE_SECONDS
        if now - socket.heard > patience:
            connection.pinged_at = now
            socket.ping()


class Tracked(Connection):
    """A connection that leaves the list when it is over."""

    def __init__(self, house: House, socket: Socket, held: "set[Tracked]") -> None:
        super().__init__(house, socket)
        self._held = held
        self._address = limited_as(socket.peer)
        self._is_in = False
        self.over = asyncio.Event()

    def enter(self) -> None:
        """Take a place among those of the address; without one the socket is closed."""
        self._is_in = self._house.limits.addresses.enter(self._address)
        if not self._is_in:
            self.socket.close(4008, "too many connections come from this address")

    def closed(self) -> None:
        """The socket is gone."""
        self._held.discard(self)
        if self._is_in:
            self._house.limits.addresses.leave(self._address)
        self.over.set()
        super().closed()


def leaves_at(number: int, count: int) -> float:
    """When a client is let go of that is so many'th (from 0) of `count`, in seconds from now."""
    return number * min(1 / CLOSED_A_SECOND, LONGEST_SECONDS / count)


def _send_away(connection: Connection) -> None:
    """Say that the server restarts and when to come again, and close."""
    connection.write(text_frame(replies.restarting(random.randint(*AGAIN_MS))))
    connection.socket.close(1012, "the server restarts")
