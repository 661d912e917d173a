"""Who watches which table, and what each of them still has to be sent."""

import asyncio
import time
from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from typing import Any, Final, NamedTuple

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError, Retry
from laelo_common.telemetry import Span
from laelo_common.wire import client as wire

from laelo_gateway.counts import OURS, Counts
from laelo_gateway.domain import commands, replies
from laelo_gateway.domain.frames import Refusal
from laelo_gateway.domain.watch import NO_SEAT, Watch
from laelo_gateway.link import TableLink
from laelo_gateway.moving import Moving
from laelo_gateway.socket import text_frame
from laelo_gateway.table import Client, Moved, Table

MAX_WATCHES: Final = 8
RETRY_SECONDS: Final = 1.0
_UNMEASURED: Final = 7
"""A mask: the time of one command in eight is taken."""
TAKEN_SECONDS: Final = 1.0
"""In which a window that lost its seat reads why, or takes the seat back."""


class Want(Enum):
    """What is asked of a table. All but ACT are answered with frames for the asker alone."""

    ACT = auto()
    SEE = auto()
    CLAIM = auto()
    """See it, and have one's seat in this window."""
    SIT = auto()
    LEAVE = auto()


_ACT: Final = Want.ACT
_WANTS: Final[dict[type, Want]] = {
    wire.CreateFrame: Want.SIT,
    wire.SitFrame: Want.SIT,
    wire.LeaveFrame: Want.LEAVE,
}


class Asked(NamedTuple):
    """What was asked, until it is answered. `fresh`: it watches only if this is done."""

    client: Client
    table: str
    re: str | None
    watch: Watch | None
    want: Want = Want.SEE
    fresh: bool = False
    then: Callable[[], None] | None = None
    """Told of the first answer, whatever it is."""


class Hub:
    """All tables that are watched through this gateway."""

    def __init__(self, link: TableLink, counts: Counts) -> None:
        self._link = link
        self._counts = counts
        self._tables: dict[str, Table] = {}
        self._moving = Moving(self._move_home)
        self._is_expected: Callable[[str], bool] = lambda _: False
        link.listen(self)

    def __len__(self) -> int:
        return len(self._tables)

    def expect(self, is_expected: Callable[[str], bool]) -> None:
        """Ask this which tables are about to be opened: nobody is told that those are unknown."""
        self._is_expected = is_expected

    @staticmethod
    def watching(client: Client, table: str) -> Watch | None:
        """What the client was told of the table, if it watches it."""
        return client.tables.get(table)

    # What clients want.

    def watch(
        self, client: Client, table: str, seq: int, re: str | None, *, claims: bool = False
    ) -> None:
        """Show the table to the client, from frame `seq` on."""
        watch = self.watching(client, table)
        fresh = watch is None
        if watch is None:
            if not self._has_room(client, table, re):
                return
            watch = self._begin(client, table, seq)
        watch.seq = seq
        want = Want.CLAIM if claims else Want.SEE
        self._ask_watch(Asked(client, table, re, watch, want, fresh))

    def unwatch(self, client: Client, table: str, re: str) -> None:
        """Show it no more."""
        client.closed_tables.discard(table)
        self._end(client, table)
        client.send(replies.ack(re, table_pb2.Update(table=table, seat=NO_SEAT)))

    def command(self, client: Client, frame: Any, span: Span | None = None) -> None:
        """Pass a command on; its answer, or a frame with `re`, follows."""
        table = frame.table
        watch = self.watching(client, table)
        want = _WANTS.get(type(frame), _ACT)
        fresh = False
        if want is not _ACT:
            if watch is None and want is Want.SIT:
                if not self._has_room(client, table, frame.id):
                    if span is not None:
                        span.end(Code.BAD_REQUEST)
                    return
                fresh, watch = True, self._begin(client, table, 0)
            if watch is not None:
                watch.awaited += 1
        self._counts.commands += 1
        asked = Asked(client, table, frame.id, watch, want, fresh)
        if span is None and self._counts.commands & _UNMEASURED:
            command = commands.command_of(frame, client.sender, "")
            self._link.ask(command, lambda update, error: self._answered(asked, update, error))
            return
        command = commands.command_of(frame, client.sender, span.traceparent if span else "")
        measured = partial(self._answered_measured, (time.perf_counter(), span), asked)
        self._link.ask(command, measured)

    def seat_of(self, player: str, table: str) -> int | None:
        """Where a person sits; None if it is not known here."""
        watched = self._tables.get(table)
        return watched.seat_of(player) if watched is not None and watched.has(player) else None

    def depart(self, player: str, name: str) -> None:
        """Say that a person, and perhaps this gateway, is at a table no more, if so: also to
        replicas that were asked only because its home was silent.
        """
        table = self._tables.get(name)
        if table is None or not table.has(player):
            self._link.tell_all(commands.unwatch_command(name, player))
        if table is None:
            self._link.tell_all(commands.unwatch_command(name))

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
        """Watch every table anew that is at home elsewhere now. Until it is watched there, what
        happens is told by the replica where it was at home, while that one lives.
        """
        for name, table in self._tables.items():
            home = self._link.home(name)
            if home != table.home:
                table.home = home
                self._moving.add(name)
        self._moving.go()

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

    def _has_room(self, client: Client, table: str, re: str | None) -> bool:
        """Whether the client may watch one more; it is told if not. As many as it could name when
        it comes back: who sat at more would be away from some of them then.
        """
        if len(client.tables) < MAX_WATCHES:
            return True
        words = f"one connection watches at most {MAX_WATCHES} tables: unwatch one of them"
        self._refuse(client, Refusal(Code.BAD_REQUEST, words, re, table))
        return False

    def _begin(self, client: Client, name: str, seq: int) -> Watch:
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = Table(self._link.home(name))
        watch = client.tables[name] = table.add(client, seq)
        return watch

    def _end(self, client: Client, name: str) -> None:
        if client.tables.pop(name, None) is None:
            return
        table = self._tables[name]
        table.remove(client)
        if not table.watches:
            del self._tables[name]
        self.depart(client.sender.person.id, name)

    def _move_home(self, name: str, over: Callable[[], None]) -> bool:
        """Watch a table at its new home, and then no longer at others; whether somebody does."""
        table = self._tables.get(name)
        if table is None or table.home is None:
            return False
        left = len(table.watches)

        def answered() -> None:
            nonlocal left
            left -= 1
            if not left:
                moved = self._tables.get(name)
                home = None if moved is None else moved.home
                self._link.tell_all(commands.unwatch_command(name), but=home)
                over()

        for client, watch in list(table.watches.items()):
            self._ask_watch(Asked(client, name, None, watch, then=answered))
        return True

    def _ask_watch(self, asked: Asked) -> None:
        """See the table from what the watch has; the answer is for it alone."""
        watch = asked.watch
        if watch is None or self.watching(asked.client, asked.table) is not watch:
            return
        watch.awaited += 1
        if asked.re is None:
            self._counts.rewatches += 1
        sender = asked.client.sender
        window = sender.window if asked.want is Want.CLAIM else ""
        command = commands.watch_command(asked.table, sender.person.id, watch.since, window)
        self._link.ask(command, lambda update, error: self._answered(asked, update, error))

    def _answered(
        self, asked: Asked, update: table_pb2.Update | None, error: LaeloError | None
    ) -> None:
        if asked.then is not None:
            then, asked = asked.then, asked._replace(then=None)
            then()
        watch = asked.watch
        own = asked.want is not _ACT
        if watch is not None and own:
            watch.awaited -= 1
        if watch is not None and self.watching(asked.client, asked.table) is not watch:
            asked = asked._replace(watch=None)
            if own:
                # Who has left meanwhile may have been brought back by this.
                self.depart(asked.client.sender.person.id, asked.table)
        if update is None:
            self._failed(asked, error)
        elif update.code:
            self._refused(asked, update)
        else:
            self._done(asked, update)

    def _answered_measured(
        self,
        measured: tuple[float, Span | None],
        asked: Asked,
        update: table_pb2.Update | None,
        error: LaeloError | None,
    ) -> None:
        began, span = measured
        self._answered(asked, update, error)
        self._counts.answer_seconds.add(time.perf_counter() - began)
        if span is not None:
            span.end("" if error is None else error.code)

    def _failed(self, asked: Asked, error: LaeloError | None) -> None:
        """No replica has answered."""
        if asked.re is not None:
            code, words = (error.code, error.message) if error else (Code.INTERNAL, "")
            self._note_failure(asked, code)
            self._refuse(asked.client, Refusal(code, words, asked.re, asked.table))
            self._settle(asked)
            return
        self._notice(asked.table, "table_unreachable", lost=True)
        self._ask_again(asked)

    def _note_failure(self, asked: Asked, code: str) -> None:
        """Whether a command that was not done is somebody's own fault."""
        if code in OURS and asked.want not in (Want.SEE, Want.CLAIM):
            self._counts.failed += 1

    def _ask_again(self, asked: Asked) -> None:
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self._ask_watch, asked)

    def _refused(self, asked: Asked, update: table_pb2.Update) -> None:
        if asked.re is None and asked.watch is None:
            return  # nobody waits for it any more
        if update.code == Code.UNKNOWN_TABLE and self._is_expected(asked.table):
            update = replies.not_yet(asked.table)
        if asked.re is None and replies.code_of(update).meaning.retry is Retry.LATER:
            self._ask_again(asked)
            return
        code = replies.code_of(update)
        self._counts.refuse(code)
        self._note_failure(asked, code)
        asked.client.send(replies.refused(update, asked.re))
        if asked.re is None:
            self._end(asked.client, asked.table)
        else:
            self._settle(asked)

    def _done(self, asked: Asked, update: table_pb2.Update) -> None:
        if asked.want is Want.LEAVE and update.private and not update.views:
            # No spectators here: nothing is to be seen any more.
            self._end(asked.client, asked.table)
            asked = asked._replace(watch=None)
        table = self._tables.get(asked.table)
        answered = False
        if table is not None:
            answered = self._take(asked.table, table, update, asked)
            if asked.re is None:
                self._notice(asked.table, "table_back", lost=False)
        if asked.re is not None and not answered:
            asked.client.send(replies.ack(asked.re, update))
        if asked.watch is None or update.closed:
            return
        if asked.want is Want.SIT and asked.fresh:
            # The seat is taken, but the replica does not know yet that it is watched.
            self._ask_watch(Asked(asked.client, asked.table, None, asked.watch))
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
            self._ask_watch(Asked(client, name, None, watch))

    def _take(self, name: str, table: Table, update: table_pb2.Update, asked: Asked | None) -> bool:
        """Send an update's frames to whom they concern; whether the asker got its answer."""
        table.moved = True
        views = update.views
        if views:
            # Only the frames without a number have to be looked past.
            newest = views[-1].seq or max(view.seq for view in views)
            table.newest = max(table.newest, newest)
        moved = table.seat(update) if update.players else None
        if not update.private:
            answered = self._fan_out(name, table, views, asked)
        else:
            answered = asked is not None and self._send_own(views, asked)
        if moved is not None:
            self._move(name, moved)
        if update.closed:
            self._close(name, table, update.seq)
        return answered

    def _move(self, name: str, moved: Moved) -> None:
        for client, watch in moved.seats:
            self._catch_up(client, name, watch)
        for client, watch in moved.taken:
            client.send(replies.notice("taken", name))
            self._take_away(client, name, watch)

    def _take_away(self, client: Client, name: str, watch: Watch) -> None:
        """End the connection of a window that lost its seat, when it has read why."""

        def now() -> None:
            if not watch.taken or self.watching(client, name) is not watch:
                return
            if watch.awaited:
                self._take_away(client, name, watch)
            else:
                client.taken()

        asyncio.get_running_loop().call_later(TAKEN_SECONDS, now)

    def _close(self, name: str, table: Table, seq: int) -> None:
        """Nothing follows after `seq`: who has that frame watches no more."""
        for client, watch in list(table.watches.items()):
            if watch.seq >= seq and not watch.awaited and not watch.stale:
                client.closed_tables.add(name)
                self._end(client, name)
            else:
                self._catch_up(client, name, watch)

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
            if not seq:
                self._pass_on(table, viewers, frame)
                continue
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

    def _pass_on(self, table: Table, viewers: int, frame: bytes) -> None:
        """A frame without a number: nobody misses it who does not get it."""
        for client, watch in table.watches.items():
            if viewers >> watch.seat & 1:
                self._counts.frames_out += 1
                client.write(frame)

    def _send_own(self, views: Sequence[table_pb2.View], asked: Asked) -> bool:
        """Frames for the asker alone; the last of them answers."""
        watch = asked.watch
        if watch is None:
            return False
        texts = [
            view.frame
            for view in views
            if view.seq and watch.takes_own(view.seq, replies.is_snapshot(view.frame))
        ]
        for text in texts[:-1]:
            asked.client.send(text)
        if texts:
            re = asked.re
            asked.client.send(texts[-1] if re is None else replies.answering(texts[-1], re))
        for view in views:
            if not view.seq:
                asked.client.send(view.frame)
        return bool(texts)

    def _notice(self, name: str, kind: Any, *, lost: bool) -> None:
        """Tell the watchers that their table is out of reach, or back; once each."""
        table = self._tables.get(name)
        if table is None or table.lost is lost:
            return
        table.lost = lost
        frame = text_frame(replies.notice(kind, name))
        for client in table.watches:
            client.write(frame)

    def _refuse(self, client: Client, refusal: Refusal) -> None:
        self._counts.refuse(refusal.code)
        client.send(replies.nack(refusal))
