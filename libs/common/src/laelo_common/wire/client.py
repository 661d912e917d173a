"""Frames from a client to the gateway.

Every frame but ping carries `id`, chosen by the client: for a command to a table it is the
command's id, so a frame that is sent again is done once and answered the same.
"""

from typing import Annotated

import msgspec

from laelo_common.wire.table import Level, Options, Phrase

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=36, pattern=r"^[A-Za-z0-9_-]+\Z")]
TableId = Annotated[str, msgspec.Meta(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}\Z")]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Fence = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]


class Frame(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """One text frame."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """The data of a frame."""


class Held(Part, frozen=True):
    """A table that the client shows, and the newest frame that it has of it."""

    table: TableId
    seq: Version


class Hello(Part, frozen=True):
    """Who comes. `token` is that of an earlier welcome; without one a guest is made.

    `window` names the tab or app that comes, the same as long as it lives: of two windows
    of a person the newer one holds the seat.
    """

    proto: int
    build: str = ""
    lang: Annotated[str, msgspec.Meta(max_length=16)] = "pt"
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    token: Annotated[str, msgspec.Meta(max_length=128)] | None = None
    window: Annotated[str, msgspec.Meta(max_length=36)] = ""
    resume: Annotated[tuple[Held, ...], msgspec.Meta(max_length=8)] = ()


class HelloFrame(Frame, frozen=True, tag="hello"):
    """The first frame of a connection."""

    id: Id
    d: Hello


class PingPart(Part, frozen=True):
    """The client's time, in milliseconds, and the newest frames that it has."""

    client: float
    have: Annotated[tuple[Held, ...], msgspec.Meta(max_length=8)] = ()


class PingFrame(Frame, frozen=True, tag="ping"):
    """Still there."""

    d: PingPart


class CreatePart(Part, frozen=True):
    """How the table shall be set up."""

    options: Options = Options()


class CreateFrame(Frame, frozen=True, tag="table.create"):
    """Open a table under an id made by the client (a ULID) and sit down in seat 0."""

    id: Id
    table: TableId
    d: CreatePart = CreatePart()


class WatchFrame(Frame, frozen=True, tag="watch"):
    """Look at a table: answered with a snapshot, later frames follow."""

    id: Id
    table: TableId


class UnwatchFrame(Frame, frozen=True, tag="unwatch"):
    """Look away."""

    id: Id
    table: TableId


class SyncFrame(Frame, frozen=True, tag="sync"):
    """Ask for what came after `seq`: the missed events or a snapshot."""

    id: Id
    table: TableId
    seq: Version


class SitPart(Part, frozen=True):
    """The wanted seat; none = any free one."""

    seat: SeatNumber | None = None


class SitFrame(Frame, frozen=True, tag="table.sit"):
    """Take a seat."""

    id: Id
    table: TableId
    d: SitPart = SitPart()


class LeaveFrame(Frame, frozen=True, tag="table.leave"):
    """Give one's seat up."""

    id: Id
    table: TableId


class StartPart(Part, frozen=True):
    """How well the bots in the empty seats play; none = as the table's options say."""

    level: Level | None = None


class StartFrame(Frame, frozen=True, tag="table.start"):
    """Begin the first or the next match; bots fill the empty seats."""

    id: Id
    table: TableId
    d: StartPart = StartPart()


class KickPart(Part, frozen=True):
    """Which seat."""

    seat: SeatNumber


class KickFrame(Frame, frozen=True, tag="table.kick"):
    """The host takes a person out of a seat, while no match is played."""

    id: Id
    table: TableId
    d: KickPart


class SwapPart(Part, frozen=True):
    """Which two seats."""

    seats: tuple[SeatNumber, SeatNumber]


class SwapFrame(Frame, frozen=True, tag="table.swap"):
    """The host swaps two seats, while no match is played."""

    id: Id
    table: TableId
    d: SwapPart


class CloseFrame(Frame, frozen=True, tag="table.close"):
    """The host closes the table."""

    id: Id
    table: TableId


class FindPart(Part, frozen=True):
    """A code as people write it: spaces, dashes and small letters are forgiven."""

    code: Annotated[str, msgspec.Meta(max_length=16)]


class FindFrame(Frame, frozen=True, tag="table.find"):
    """Which table has this code: answered by an ack with `found`."""

    id: Id
    d: FindPart


class QuickFrame(Frame, frozen=True, tag="table.quick"):
    """Take me to a public table with people if one waits, else open one under this id that
    starts by itself within 10 s, with bots: answered by an ack with `found`, and a seat taken.
    """

    id: Id
    table: TableId


class AddBytesPart(Part, frozen=True):
    """Which hand, and 16 bytes in hex."""

    hand: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    bytes: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]


class AddBytesFrame(Frame, frozen=True, tag="deal.bytes"):
    """Add to a deal that is not dealt yet, so that nobody alone makes it."""

    id: Id
    table: TableId
    d: AddBytesPart


class SayPart(Part, frozen=True):
    """What."""

    phrase: Phrase


class SayFrame(Frame, frozen=True, tag="say"):
    """Say something to the table."""

    id: Id
    table: TableId
    d: SayPart


class SeatBotPart(Part, frozen=True):
    """Which seat, and how well the bot plays; none = as the table's options say."""

    seat: SeatNumber
    level: Level | None = None


class SeatBotFrame(Frame, frozen=True, tag="seat.bot"):
    """Put a bot into an empty seat, or for the time being into that of who is gone (R32)."""

    id: Id
    table: TableId
    d: SeatBotPart


class UnseatBotPart(Part, frozen=True):
    """Which seat."""

    seat: SeatNumber


class UnseatBotFrame(Frame, frozen=True, tag="seat.unbot"):
    """Take a bot out of its seat."""

    id: Id
    table: TableId
    d: UnseatBotPart


class PlayPart(Part, frozen=True):
    """A tile as two numbers in any order, the named end, and which turn is answered.

    Numbers and end are judged by the rules, not here: R13 orders the errors.
    """

    tile: tuple[int, int]
    turn: Version
    fence: Fence
    end: str | None = None


class PlayFrame(Frame, frozen=True, tag="play"):
    """Lay a tile."""

    id: Id
    table: TableId
    d: PlayPart


class PassPart(Part, frozen=True):
    """Which turn is answered."""

    turn: Version
    fence: Fence


class PassFrame(Frame, frozen=True, tag="pass"):
    """Pass."""

    id: Id
    table: TableId
    d: PassPart


class ChoosePart(Part, frozen=True):
    """The seat that shall open, and which turn is answered."""

    opener: int
    turn: Version
    fence: Fence


class ChooseFrame(Frame, frozen=True, tag="choose_opener"):
    """Say who opens (R5)."""

    id: Id
    table: TableId
    d: ChoosePart


class QueueJoinFrame(Frame, frozen=True, tag="queue.join"):
    """Wait for a championship (R34); only people with an account and a nickname may."""

    id: Id


class QueueLeaveFrame(Frame, frozen=True, tag="queue.leave"):
    """Wait no more, and lose the place."""

    id: Id


class QueueWatchFrame(Frame, frozen=True, tag="queue.watch"):
    """Be told of the queue: `queue` follows at once and whenever it changes. Who waits in it
    is told anyway.
    """

    id: Id


class QueueUnwatchFrame(Frame, frozen=True, tag="queue.unwatch"):
    """Be told of the queue no more."""

    id: Id


class BracketPart(Part, frozen=True):
    """Which championship."""

    championship: TableId


class BracketWatchFrame(Frame, frozen=True, tag="bracket.watch"):
    """Look at a championship: `bracket` follows at once and whenever it changes. Who is in
    one that runs is told anyway.
    """

    id: Id
    d: BracketPart


class BracketUnwatchFrame(Frame, frozen=True, tag="bracket.unwatch"):
    """Look at it no more."""

    id: Id
    d: BracketPart


ClientFrame = (
    HelloFrame
    | PingFrame
    | CreateFrame
    | WatchFrame
    | UnwatchFrame
    | SyncFrame
    | SitFrame
    | LeaveFrame
    | StartFrame
    | KickFrame
    | SwapFrame
    | CloseFrame
    | FindFrame
    | QuickFrame
    | AddBytesFrame
    | SayFrame
    | SeatBotFrame
    | UnseatBotFrame
    | PlayFrame
    | PassFrame
    | ChooseFrame
    | QueueJoinFrame
    | QueueLeaveFrame
    | QueueWatchFrame
    | QueueUnwatchFrame
    | BracketWatchFrame
    | BracketUnwatchFrame
)
