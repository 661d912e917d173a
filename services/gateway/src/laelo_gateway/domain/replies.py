"""Frames of the gateway's own, and `re` put into those of a table."""

import msgspec
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code
from laelo_common.wire import server

from laelo_gateway.domain.frames import Refusal

_encoder = msgspec.json.Encoder()

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


def ack(re: str, update: table_pb2.Update) -> bytes:
    """The command was done, and no frame on this socket says so."""
    done = server.Done()
    if update.fence and update.seat < 4:
        done = server.Done(seat=update.seat, fence=update.fence)
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


def refused(update: table_pb2.Update, re: str | None) -> bytes:
    """A table's refusal, word for word; a code that is not documented is a fault of ours."""
    code = Code.__members__.get(update.code, Code.INTERNAL)
    return nack(Refusal(code, update.reason or code.meaning.text, re, update.table), update.seq)
