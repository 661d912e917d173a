"""Frames of the gateway's own, and `re` put into those of a table."""

from typing import Any, Final

import msgspec
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code
from laelo_common.wire import server
from laelo_common.wire.table import Level, Options

from laelo_gateway.domain.frames import Refusal

_encoder = msgspec.json.Encoder()

_LEVELS: Final[dict[int, Level]] = {
    table_pb2.BOT_LEVEL_RANDOM: "random",
    table_pb2.BOT_LEVEL_SIMPLE: "simple",
    table_pb2.BOT_LEVEL_EASY: "easy",
    table_pb2.BOT_LEVEL_MEDIUM: "medium",
    table_pb2.BOT_LEVEL_STRONG: "strong",
}
_STARTS = (b'{"t":"event",', b'{"t":"snapshot",')


def encoded(frame: server.ServerFrame) -> bytes:
    """A frame of the gateway's own as text."""
    return _encoder.encode(frame)


def answering(text: bytes, re: str) -> bytes:
    """A table's frame as the answer to the command `re`, an id of the documented form."""
    for start in _STARTS:
        if text.startswith(start):
            return b'%b"re":"%b",%b' % (start, re.encode(), text[len(start) :])
    raise ValueError(f"a table's frame begins with {text[:20]!r}")


def is_snapshot(text: bytes) -> bool:
    """Whether a table's frame is a snapshot."""
    return text.startswith(_STARTS[1])


def notice(kind: Any, table: str | None = None) -> bytes:
    """Something the person should know."""
    return encoded(server.NoticeFrame(d=server.Notice(kind=kind), table=table))


def restarting(again_ms: int) -> bytes:
    """The connection ends next, because the server restarts: come again after so long."""
    return encoded(server.NoticeFrame(d=server.Notice(kind="restarting", again_ms=again_ms)))


def found(table: table_pb2.FindResponse) -> server.Found:
    """A table as somebody sees it who may still decide to join."""
    return server.Found(
        table.table, options_of(table.options), free=table.free, playing=table.playing
    )


def options_of(options: table_pb2.Options) -> Options:
    """How a table is set up, for a client."""
    return Options(
        move_seconds=options.move_seconds,
        spectators=options.spectators,
        public=options.public,
        level=_LEVELS.get(options.level, "medium"),
        start_seconds=options.start_seconds,
    )


def ack(re: str, update: table_pb2.Update, table: server.Found | None = None) -> bytes:
    """The command was done, and no frame on this socket says so; `table` if one was found."""
    done = server.Done(found=table)
    if update.fence and update.seat < 4:
        done = server.Done(seat=update.seat, fence=update.fence, found=table)
    return encoded(server.AckFrame(re=re, table=update.table, seq=update.seq or None, d=done))


def nack(refusal: Refusal, seq: int | None = None) -> bytes:
    """The command was refused."""
    return encoded(
        server.NackFrame(
            d=server.Refused(code=refusal.code, reason=refusal.reason),
            re=refusal.re,
            table=refusal.table,
            seq=seq or None,
        )
    )


def code_of(update: table_pb2.Update) -> Code:
    """Why a table refused; a code that is not documented is a fault of ours."""
    return Code.__members__.get(update.code, Code.INTERNAL)


def not_yet(table: str) -> table_pb2.Update:
    """What is said, for the table service, of a table that is about to be opened."""
    reason = "the table is about to be opened: try again in a moment"
    return table_pb2.Update(table=table, code=Code.TRY_LATER, reason=reason)


def refused(update: table_pb2.Update, re: str | None) -> bytes:
    """A table's refusal, word for word."""
    code = code_of(update)
    return nack(Refusal(code, update.reason or code.meaning.text, re, update.table), update.seq)
