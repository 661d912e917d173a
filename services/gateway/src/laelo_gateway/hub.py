"""Who watches which table, and what each of them still has to be sent."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import client as wire
from laelo_common.wire import server

from laelo_gateway.counts import Counts
from laelo_gateway.domain import commands, replies
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.frames import Refusal
from laelo_gateway.domain.watch import NO_SEAT, Watch
from laelo_gateway.link import Home, TableLink
from laelo_gateway.socket import text_frame

MAX_WATCHES: Final = 8
RETRY_SECONDS: Final = 1.0

_SEATING: Final = (wire.CreateFrame, wire.SitFrame, wire.LeaveFrame)
"""Commands that change what their sender sees: answered with a snapshot of its own."""
_JOINING: Final = (wire.CreateFrame, wire.SitFrame)


class Client(Protocol):
    """A client that has said hello."""

    person: Person
    tables: dict[str, Watch]
    """What it watches; kept by the hub."""

    def write(self, frame: bytes) -> None:
        """Send a whole frame, made by `text_frame`."""

    def send(self, text: bytes) -> None:
        """Send a text."""


class Table:
    """A table that somebody here watches."""

    def __init__(self, home: Home | None) -> None:
        self.home = home
        self.watches: dict[Client, Watch] = {}
        self.newest = 0
        self.moved = True
        """Whether a frame came since the last check."""
        self.lost = False
        """Whether the watchers were told that no replica answers."""


class Asked(NamedTuple):
    """What was asked, until it is answered.

    `own`: the answer has frames for this client alone. `fresh`: it watches only if this is
    done. `joins`: done by a command, so the stream has to be told to watch.
    """

    client: Client
    table: str
    re: str | None
    watch: Watch | None
    own: bool = False
    fresh: bool = False
    joins: bool = False


class Hub:
    """All tables that are watched through this gateway."""

    def __init__(self, link: TableLink, counts: Counts) -> None:
        self._link = link
        self._counts = counts
        self._tables: dict[str, Table] = {}
        link.listen(self)

    def __len__(self) -> int:
        return len(self._tables)

    @staticmethod
    def watching(client: Client, table: str) -> Watch | None:
        """What the client was told of the table, if it watches it."""
        return client.tables.get(table)

    # What clients want.

    def watch(self, client: Client, table: str, seq: int, re: str | None) -> None:
        """Show the table to the client, from frame `seq` on."""
        watch = self.watching(client, table)
        fresh = watch is None
        if watch is None:
            if len(client.tables) >= MAX_WATCHES:
                words = f"one connection watches at most {MAX_WATCHES} tables"
                self._refuse(client, Refusal(Code.BAD_REQUEST, words, re, table))
                return
            watch = self._begin(client, table, seq)
        watch.seq = seq
        self._ask_watch(Asked(client, table, re, watch, own=True, fresh=fresh))

    def unwatch(self, client: Client, table: str, re: str) -> None:
        """Show it no more."""
        self._end(client, table)
        client.send(replies.ack(re, table_pb2.Update(table=table, seat=NO_SEAT)))

    def command(self, client: Client, frame: Any, trace: str = "") -> None:
        """Pass a command on; its answer, or a frame with `re`, follows."""
        table = frame.table
        watch = self.watching(client, table)
        own = isinstance(frame, _SEATING)
        fresh = watch is None and isinstance(frame, _JOINING)
        if fresh:
            watch = self._begin(client, table, 0)
        if watch is not None and own:
            watch.awaited += 1
        self._counts.commands += 1
        asked = Asked(client, table, frame.id, watch, own, fresh, joins=fresh)
        command = commands.command_of(frame, client.person, trace)
        self._link.ask(command, lambda update, error: self._answered(asked, update, error))

    def gone(self, client: Client) -> None:
        """The client's connection is over."""
        for table in list(client.tables):
            self._end(client, table)

    # What the table service says.

    def on_push(self, update: table_pb2.Update) -> None:
        """Frames of a table, or a change of its seats."""
        table = self._tables.get(update.table)
        if table is not None:
            self._take(update.table, table, update, None)

    def on_homes(self) -> None:
        """Watch every table anew that is at home elsewhere now."""
        for name, table in list(self._tables.items()):
            home = self._link.home(name)
            if home == table.home:
                continue
            self._link.tell(commands.unwatch_command(name), table.home)
            table.home = home
            if home is not None:
                for client, watch in list(table.watches.items()):
                    self._ask_watch(Asked(client, name, None, watch, own=True))

    def check(self) -> None:
        """Ask for what was lost: of tables that were silent since the last time."""
        for name, table in self._tables.items():
            if table.moved:
                table.moved = False
                continue
            seen = [watch.seq for watch in table.watches.values() if not watch.awaited]
            if seen:
                self._link.tell(commands.check_command(name, min(seen)), table.home)

    # Inside.

    def _begin(self, client: Client, name: str, seq: int) -> Watch:
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = Table(self._link.home(name))
        watch = table.watches[client] = client.tables[name] = Watch(seq)
        return watch

    def _end(self, client: Client, name: str) -> None:
        if client.tables.pop(name, None) is None:
            return
        table = self._tables[name]
        del table.watches[client]
        if table.watches:
            return
        del self._tables[name]
        self._link.tell(commands.unwatch_command(name), table.home)

    def _ask_watch(self, asked: Asked) -> None:
        """See the table from what the watch has; the answer is for it alone."""
        watch = asked.watch
        if watch is None or self.watching(asked.client, asked.table) is not watch:
            return
        watch.awaited += 1
        if asked.re is None:
            self._counts.rewatches += 1
        command = commands.watch_command(asked.table, asked.client.person.id, watch.since)
        self._link.ask(command, lambda update, error: self._answered(asked, update, error))

    def _answered(
        self, asked: Asked, update: table_pb2.Update | None, error: LaeloError | None
    ) -> None:
        watch = asked.watch
        if watch is not None and asked.own:
            watch.awaited -= 1
        if watch is not None and self.watching(asked.client, asked.table) is not watch:
            watch = None
        asked = asked._replace(watch=watch)
        if update is None:
            self._failed(asked, error)
        elif update.code:
            self._refused(asked, update)
        else:
            self._done(asked, update)

    def _failed(self, asked: Asked, error: LaeloError | None) -> None:
        """No replica has answered."""
        if asked.re is not None:
            code, words = (error.code, error.message) if error else (Code.INTERNAL, "")
            self._refuse(asked.client, Refusal(code, words, asked.re, asked.table))
            self._settle(asked)
            return
        self._notice(asked.table, "table_unreachable", lost=True)
        again = asyncio.get_running_loop().call_later
        again(RETRY_SECONDS, self._ask_watch, asked)

    def _refused(self, asked: Asked, update: table_pb2.Update) -> None:
        self._counts.refused += 1
        asked.client.send(replies.refused(update, asked.re))
        if asked.re is None:
            self._end(asked.client, asked.table)
        else:
            self._settle(asked)

    def _done(self, asked: Asked, update: table_pb2.Update) -> None:
        table = self._tables.get(asked.table)
        answered = False
        if table is not None:
            answered = self._take(asked.table, table, update, asked)
            if asked.re is None:
                self._notice(asked.table, "table_back", lost=False)
        if asked.re is not None and not answered:
            asked.client.send(replies.ack(asked.re, update))
        if asked.watch is None:
            return
        if asked.joins:
            self._ask_watch(Asked(asked.client, asked.table, None, asked.watch, own=True))
        else:
            self._catch_up(asked.client, asked.table, asked.watch)

    def _settle(self, asked: Asked) -> None:
        """A command came to nothing: what was begun for it is not watched."""
        if asked.watch is None:
            return
        if asked.fresh and not asked.watch.awaited:
            self._end(asked.client, asked.table)
        else:
            self._catch_up(asked.client, asked.table, asked.watch)

    def _catch_up(self, client: Client, name: str, watch: Watch) -> None:
        table = self._tables.get(name)
        if table is not None and watch.is_behind(table.newest):
            self._ask_watch(Asked(client, name, None, watch, own=True))

    def _take(self, name: str, table: Table, update: table_pb2.Update, asked: Asked | None) -> bool:
        """Send an update's frames to whom they concern; whether the asker got its answer."""
        table.moved = True
        views = update.views
        if views:
            table.newest = max(table.newest, views[-1].seq)
        moved = _seat(table, update.players) if update.players else []
        if not update.private:
            answered = self._fan_out(name, table, views, asked)
        else:
            answered = asked is not None and self._send_own(views, asked)
        for client, watch in moved:
            self._catch_up(client, name, watch)
        return answered

    def _fan_out(
        self, name: str, table: Table, views: Sequence[table_pb2.View], asked: Asked | None
    ) -> bool:
        """The hot path: each frame is made once and written to all who see it."""
        asker = None if asked is None else asked.watch
        answered = False
        written = 0
        behind: list[tuple[Client, Watch]] = []
        for view in views:
            seq, viewers, text = view.seq, view.viewers, view.frame
            frame = text_frame(text)
            for client, watch in table.watches.items():
                if not viewers >> watch.seat & 1:
                    continue
                if watch.takes(seq):
                    written += 1
                    if watch is asker and asked is not None and asked.re is not None:
                        client.write(text_frame(replies.answering(text, asked.re)))
                        answered = True
                    else:
                        client.write(frame)
                elif watch.misses(seq):
                    behind.append((client, watch))
        self._counts.frames_out += written
        for client, watch in behind:
            self._catch_up(client, name, watch)
        return answered

    def _send_own(self, views: Sequence[table_pb2.View], asked: Asked) -> bool:
        """Frames for the asker alone; the last of them answers."""
        watch = asked.watch
        if watch is None:
            return False
        texts = [
            view.frame
            for view in views
            if watch.takes_own(view.seq, replies.is_snapshot(view.frame))
        ]
        self._counts.frames_out += len(texts)
        for text in texts[:-1]:
            asked.client.send(text)
        if texts:
            re = asked.re
            asked.client.send(texts[-1] if re is None else replies.answering(texts[-1], re))
        return bool(texts)

    def _notice(self, name: str, kind: Any, *, lost: bool) -> None:
        """Tell the watchers that their table is out of reach, or back; once each."""
        table = self._tables.get(name)
        if table is None or table.lost is lost:
            return
        table.lost = lost
        frame = text_frame(
            replies.encoded(server.NoticeFrame(d=server.Notice(kind=kind), table=name))
        )
        for client in table.watches:
            client.write(frame)

    def _refuse(self, client: Client, refusal: Refusal) -> None:
        self._counts.refused += 1
        client.send(replies.nack(refusal))


def _seat(table: Table, players: Sequence[str]) -> list[tuple[Client, Watch]]:
    """Note who sits where now; those who sit elsewhere than before."""
    seats = {player: seat for seat, player in enumerate(players) if player}
    return [
        (client, watch)
        for client, watch in table.watches.items()
        if watch.seated(seats.get(client.person.id, NO_SEAT))
    ]
