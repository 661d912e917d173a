"""Frames from the gateway to a client."""

from typing import Literal

import msgspec

from laelo_common.wire.championship import Bracket, MatchCall, Queue
from laelo_common.wire.table import Options, Phrase, Shape, TableEvent, TableView


class Frame(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """One text frame."""


class Me(Shape, frozen=True):
    """Who the client is. `token` lets a guest come back; it is a secret of this client. Who
    has an account is known by a cookie, and is `nameless` until they have chosen a nickname.
    """

    id: str
    name: str
    guest: bool = True
    token: str | None = None
    nameless: bool = False


class Welcome(Shape, frozen=True):
    """The answer to hello. `build` names the web client that this server serves."""

    proto: int
    min_proto: int
    build: str
    me: Me


class WelcomeFrame(Frame, frozen=True, tag="welcome"):
    """The connection is open."""

    re: str
    now: int
    d: Welcome


class SnapshotFrame(Frame, frozen=True, tag="snapshot"):
    """The whole table as the viewer sees it after version `seq`; at most 4 kB."""

    table: str
    seq: int
    now: int
    d: TableView
    re: str | None = None


class Events(Shape, frozen=True):
    """The events of one commit, in order."""

    events: tuple[TableEvent, ...]


class EventFrame(Frame, frozen=True, tag="event"):
    """One commit. `seq` is dense for every viewer; `re` answers the command that made it."""

    table: str
    seq: int
    now: int
    d: Events
    re: str | None = None


class Found(Shape, frozen=True):
    """A table behind a code, as somebody sees it who may still decide to join."""

    table: str
    options: Options
    free: int
    playing: bool = False


class Done(Shape, frozen=True):
    """What a command that was done has to tell."""

    seat: int | None = None
    fence: int | None = None
    found: Found | None = None


class AckFrame(Frame, frozen=True, tag="ack"):
    """The command `re` was done, now or when it was sent before."""

    re: str
    table: str | None = None
    seq: int | None = None
    d: Done = Done()


class Refused(Shape, frozen=True):
    """Why a command was not done: a documented code, and the same in words."""

    code: str
    reason: str


class NackFrame(Frame, frozen=True, tag="nack"):
    """The command `re` was refused and changed nothing; `re` is missing if it had no id."""

    d: Refused
    re: str | None = None
    table: str | None = None
    seq: int | None = None


class Said(Shape, frozen=True):
    """Somebody in a seat says something."""

    seat: int
    phrase: Phrase


class SaidFrame(Frame, frozen=True, tag="said"):
    """Said at a table; not kept, and without a number."""

    table: str
    d: Said


class Watching(Shape, frozen=True):
    """How many people without a seat watch."""

    count: int


class WatchingFrame(Frame, frozen=True, tag="watching"):
    """The number of spectators of a table has changed; without a number of its own."""

    table: str
    d: Watching


class Pong(Shape, frozen=True):
    """The client's time, sent back."""

    client: float


class PongFrame(Frame, frozen=True, tag="pong"):
    """The answer to ping."""

    now: int
    d: Pong


class Notice(Shape, frozen=True):
    """Something the person should know. `taken`: a newer window holds the seat, and this
    connection will be closed with 4003. `restarting`: it is closed with 1012 next, and the client
    comes again after `again_ms`, at the same address: another server may be there.
    """

    kind: Literal["restarting", "new_build", "table_unreachable", "table_back", "taken"]
    again_ms: int = 0


class NoticeFrame(Frame, frozen=True, tag="notice"):
    """A notice, about `table` if named."""

    d: Notice
    table: str | None = None


class Announcement(Shape, frozen=True):
    """What the operators tell everybody, in each language. An empty `id`: nothing any more."""

    id: str
    pt: str = ""
    es: str = ""
    en: str = ""


class AnnouncementFrame(Frame, frozen=True, tag="announcement"):
    """The announcement that holds now, and once more on each connection until it ends."""

    d: Announcement


class QueueFrame(Frame, frozen=True, tag="queue"):
    """The queue as it is now; at most one a second."""

    now: int
    d: Queue


class CalledFrame(Frame, frozen=True, tag="called"):
    """To all windows of a person: a match of theirs is about to start, or runs. Sent again
    when they connect.
    """

    now: int
    d: MatchCall


class BracketFrame(Frame, frozen=True, tag="bracket"):
    """A championship as it is now."""

    now: int
    d: Bracket


ServerFrame = (
    WelcomeFrame
    | SnapshotFrame
    | EventFrame
    | AckFrame
    | NackFrame
    | SaidFrame
    | WatchingFrame
    | PongFrame
    | NoticeFrame
    | AnnouncementFrame
    | QueueFrame
    | CalledFrame
    | BracketFrame
)

CLOSE_CODES = {
    1001: "the server goes away",
    1009: "a frame of over 64 kB; over 4 kB it is only refused",
    1011: "a fault of ours",
    1012: "the server restarts",
    4001: "sign in",
    4002: "the client's protocol is too old",
    4003: "taken by a newer tab",
    4004: "shut out by an operator",
    4008: "too fast, or not reading",
}
"""WebSocket close codes and what they mean."""
