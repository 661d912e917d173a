"""Who is told what of a table: the one way out to listeners."""

from collections.abc import Collection
from typing import Final

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError

from laelo_table.domain.state import NOBODY, Table, seat_of
from laelo_table.domain.view import EVERYBODY, may_watch, snapshot, watching
from laelo_table.ports import Listener
from laelo_table.warm import Kept, Past, Warm

_CHANGES_OWN_VIEW: Final = frozenset(
    (table_pb2.KIND_OPEN, table_pb2.KIND_SIT, table_pb2.KIND_LEAVE)
)
_ALL_VIEWERS: Final = range(NOBODY + 1)


class Asker:
    """Who sent a command and is to be answered, once."""

    __slots__ = ("answered", "command", "listener")

    def __init__(self, command: table_pb2.Command, listener: Listener) -> None:
        self.command = command
        self.listener = listener
        self.answered = False

    def answer(self, update: table_pb2.Update) -> None:
        """Send the answer, if one is wanted."""
        self.answered = True
        update.id = self.command.id
        if update.id:
            self.listener.send(update)

    def refuse(self, code: str, reason: str) -> None:
        """Answer that nothing was done."""
        command = self.command
        self.answer(table_pb2.Update(table=command.table, code=code, reason=reason, seat=NOBODY))

    def done(self, state: Table, version: int) -> None:
        """Answer that the command was done before, as `version`."""
        update = _answer(state, self.command)
        update.seq = version
        self.answer(update)


def tell(warm: Warm, past: Past, asker: Asker | None) -> None:
    """Answer who made a commit, and push it to everybody else who watches."""
    others: Collection[Listener] = warm.watchers
    if asker is not None:
        update = _answer(past.after, asker.command)
        if asker.command.kind in _CHANGES_OWN_VIEW:
            _add_own(update, past.after, asker.command.player, past.commit.head.time_ms)
        elif asker.listener in others:
            _add_shown(update, past)
            others = [other for other in others if other is not asker.listener]
        if past.seats_changed or past.after.closed:
            _add_seating(update, past.after)
        asker.answer(update)
    if others:
        update = table_pb2.Update(table=past.after.id, seq=past.after.version, seat=NOBODY)
        _add_shown(update, past)
        if past.seats_changed or past.after.closed:
            _add_seating(update, past.after)
        for other in others:
            other.send(update)
    if past.after.closed:
        warm.watchers.clear()


def attach(warm: Warm, asker: Asker, now_ms: int) -> None:
    """Begin to watch: answered with what was missed since `seq`, or all that can be seen.

    A closed table is looked at once: nothing follows.
    """
    state, command = warm.state, asker.command
    seat = seat_of(state, command.player)
    if not may_watch(state, seat):
        raise LaeloError(Code.NOT_SEATED, "only who sits at this table may watch it")
    if not state.closed:
        persons = warm.watchers.setdefault(asker.listener, set())
        if command.player:
            persons.add(command.player)
    update = _answer(state, command)
    update.private = True
    _add_seating(update, state)
    missed = _missed(warm, command.seq)
    if missed is None or any(kept.seats_changed for kept in missed):
        update.views.append(snapshot(state, seat, now_ms))
    else:
        update.views.extend(view for kept in missed for view in kept.views(1 << seat))
    asker.answer(update)


def check(warm: Warm, seq: int, listener: Listener, now_ms: int) -> None:
    """Tell a listener whose newest frame is `seq` what it lacks, for all its viewers."""
    state = warm.state
    if state.version <= seq:
        return
    missed = _missed(warm, seq)
    if missed is None:
        viewers = [viewer for viewer in _ALL_VIEWERS if may_watch(state, viewer)]
        views = [snapshot(state, viewer, now_ms) for viewer in viewers]
    else:
        views = [view for kept in missed for view in kept.views(EVERYBODY)]
    update = table_pb2.Update(table=state.id, seq=state.version, seat=NOBODY, views=views)
    _add_seating(update, state)
    listener.send(update)


def push(warm: Warm, view: table_pb2.View) -> None:
    """Tell all who watch something that is not kept, and has no number."""
    update = table_pb2.Update(table=warm.id, seq=warm.state.version, seat=NOBODY, views=[view])
    for listener in warm.watchers:
        listener.send(update)


def tell_count(warm: Warm, listener: Listener, viewer: int) -> None:
    """Tell one viewer how many watch, as the others were told."""
    state = warm.state
    view = watching(state, warm.count, 1 << viewer)
    listener.send(table_pb2.Update(table=state.id, seq=state.version, seat=NOBODY, views=[view]))


def _missed(warm: Warm, seq: int) -> list[Kept] | None:
    """The commits after `seq`, if all of them are still here and `seq` is no guess."""
    lacking = warm.state.version - seq
    if not seq or not 0 <= lacking <= len(warm.history):
        return None
    return list(warm.history)[len(warm.history) - lacking :]


def _answer(state: Table, command: table_pb2.Command) -> table_pb2.Update:
    seat = seat_of(state, command.player)
    fence = 0 if seat == NOBODY else state.seats[seat].fence
    return table_pb2.Update(table=state.id, seq=state.version, seat=seat, fence=fence)


def _add_shown(update: table_pb2.Update, past: Past) -> None:
    """The frames of a commit, made in place: a message that is handed over is copied."""
    seq, views = past.after.version, update.views
    for viewers, frame in past.shown:
        view = views.add()
        view.viewers, view.seq, view.frame = viewers, seq, frame


def _add_own(update: table_pb2.Update, state: Table, player: str, now_ms: int) -> None:
    """The asker's own fresh snapshot: what it may see has changed."""
    update.private = True
    seat = seat_of(state, player)
    if may_watch(state, seat):
        update.views.append(snapshot(state, seat, now_ms))


def _add_seating(update: table_pb2.Update, state: Table) -> None:
    """Who sits where and in which window, and whether there is anything left to sit at."""
    update.players.extend([seat.player for seat in state.seats])
    update.windows.extend([seat.window for seat in state.seats])
    update.closed = bool(state.closed)
