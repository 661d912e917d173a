"""Frames from the gateway to a client."""

from typing import Literal

import msgspec

from laelo_common.wire.table import Shape, TableEvent, TableView


class Frame(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """One text frame."""


class Me(Shape, frozen=True):
    """Who the client is. `token` lets a guest come back; it is a secret of this client."""

    id: str
    name: str
    guest: bool = True
    token: str | None = None


class OpenSeat(Shape, frozen=True):
    """A table where the person still has a seat."""

    table: str
    seat: int


class Welcome(Shape, frozen=True):
    """The answer to hello. `build` names the web client that this server serves."""

    proto: int
    min_proto: int
    build: str
    me: Me
    seats: tuple[OpenSeat, ...] = ()


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


class Done(Shape, frozen=True):
    """What a command that was done has to tell."""

    seat: int | None = None
    fence: int | None = None


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


class Pong(Shape, frozen=True):
    """The client's time, sent back."""

    client: float


class PongFrame(Frame, frozen=True, tag="pong"):
    """The answer to ping."""

    now: int
    d: Pong


class Notice(Shape, frozen=True):
    """Something the person should know."""

    kind: Literal["restarting", "new_build", "table_unreachable", "table_back"]


class NoticeFrame(Frame, frozen=True, tag="notice"):
    """A notice, about `table` if named."""

    d: Notice
    table: str | None = None


ServerFrame = (
    WelcomeFrame | SnapshotFrame | EventFrame | AckFrame | NackFrame | PongFrame | NoticeFrame
)

CLOSE_CODES = {
    1001: "the server goes away",
    1009: "a frame of over 64 kB; over 4 kB it is only refused",
    1011: "a fault of ours",
    1012: "the server restarts",
    4001: "sign in",
    4002: "the client's protocol is too old",
    4003: "taken by a newer tab",
    4008: "too fast, or not reading",
}
"""WebSocket close codes and what they mean."""
