"""What takes bytes from outside, or from long ago, each as a target for fuzzing.

A target takes any bytes and returns, or raises what its callers expect, which is caught here:
anything else is a fault. `seeds` are good inputs, for whoever wants to change them a little.
"""

import contextlib
import itertools
import json
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from google.protobuf.message import DecodeError, Message
from joserfc.jwk import OctKey
from laelo.bots.v1 import bots_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.upcast import newest
from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.id_token import Expected, Header, header_of, subject_of
from laelo_gateway.accounts.pending import Pending, Seal
from laelo_gateway.adapters.plain import PlainTexts
from laelo_gateway.domain import commands
from laelo_gateway.domain.commands import Person, Sender
from laelo_gateway.domain.frames import Refusal, decode
from laelo_table.domain.snapshot import restore

from bench.arena import lines
from bench.arena.players import PlayerError
from tests.security.hostile.frames import KINDS, Frames, Scene
from tests.security.hostile.messages import filled
from tests.security.hostile.values import written
from tests.security.hostile.wire import text_frame

Target = Callable[[bytes], None]

SEEDS: Final = 20
MOST: Final = 1_500
"""Bytes of a seed: what is longer shows nothing more."""
_SEAL: Final = Seal(b"fuzz")
_SENDER: Final = Sender(Person("0" * 26, "Ana"))
_KEY: Final = OctKey.import_key("fuzz" * 8)
_EXPECTED: Final = Expected("https://issuer.example", "client", "nonce", 1e9)
_STREAMS: Final = (table_pb2.ConnectRequest, rules_pb2.ConnectRequest, bots_pb2.ConnectRequest)


def frames(data: bytes) -> None:
    """A text frame of a client: decoded, and made into a command; or refused with its code."""
    made = decode(data)
    if isinstance(made, Refusal):
        assert made.code in (Code.BAD_FRAME, Code.UNKNOWN_FRAME, Code.FRAME_TOO_LARGE)
        json.dumps(made.reason)
    elif commands.is_command(made):
        commands.command_of(made, _SENDER, "").SerializeToString()


def plain(data: bytes) -> None:
    """What follows an upgrade: however it is cut, it comes to the same."""
    whole: list[bytes] = []
    rest = PlainTexts().take(data, whole.append)
    cut: list[bytes] = []
    parser, others = PlainTexts(), b""
    for at in range(len(data)):
        others += parser.take(data[at : at + 1], cut.append)
    assert cut == whole
    assert others.startswith(rest) or rest.startswith(others)


def commits(data: bytes) -> None:
    """A stored commit, its events in their newest version."""
    commit = _read(events_pb2.Commit, data)
    for event in commit.events if commit is not None else ():
        newest(event)
    _read(log_pb2.AnyCommit, data)


def snapshots(data: bytes) -> None:
    """A stored snapshot of a table."""
    kept = _read(events_pb2.Snapshot, data)
    if kept is not None and len(kept.seats) == 4:
        restore(kept)
    elif kept is not None:
        with pytest.raises(ValueError, match="seats"):
            restore(kept)


def streams(data: bytes) -> None:
    """A frame of requests between services."""
    for kind in _STREAMS:
        frame = _read(kind, data)
        for item in frame.items if frame is not None else ():
            item.SerializeToString()


def tokens(data: bytes) -> None:
    """A Cookie header, a sealed sign-in and an ID token: none of them is believed."""
    text = data.decode("latin-1")
    cookies = Cookies(secure=True)
    cookies.session(text)
    sealed = cookies.sign_in(text) or text
    assert _SEAL.open(sealed, 0.0) is None or sealed in _sealed()
    for token in (text, data.decode(errors="replace")):
        with pytest.raises(LaeloError) as refused:
            subject_of(token, _KEY, Header("HS256", header_of(token).kid), _EXPECTED)
        assert refused.value.code is Code.SIGN_IN


def arena(data: bytes) -> None:
    """A line of an outside program."""
    with contextlib.suppress(PlayerError):
        lines.move_of(data.decode(errors="replace"), 1, 0)


TARGETS: Final[dict[str, Target]] = {
    one.__name__: one for one in (frames, plain, commits, snapshots, streams, tokens, arena)
}


def seeds(name: str) -> Iterable[bytes]:
    """Good inputs for a target, always the same."""
    chance = Random(name)
    makers: dict[str, Callable[[], bytes]] = {
        "frames": partial(_frame, chance),
        "plain": lambda: text_frame(_frame(chance), mask=chance.randbytes(4)),
        "commits": lambda: filled(events_pb2.Commit(), chance).SerializeToString(),
        "snapshots": lambda: filled(events_pb2.Snapshot(), chance).SerializeToString(),
        "streams": lambda: filled(chance.choice(_STREAMS)(), chance).SerializeToString(),
        "tokens": partial(chance.choice, [f"__Host-laelo_sign_in={_sealed()[0]}; a=b".encode()]),
        "arena": partial(chance.choice, _LINES),
    }
    made = (makers[name]() for _ in range(40 * SEEDS))
    return list(itertools.islice((one for one in made if len(one) <= MOST), SEEDS))


_LINES: Final = (
    b'{"id": 1, "tile": [0, 6], "end": "left"}',
    b'{"id": 1, "pass": true}',
    b'{"id": 1, "opener": 2}',
)


def _frame(chance: Random) -> bytes:
    made = Frames(chance, Scene(chance, [], []))
    return written(made.valid(chance.choice(KINDS)), chance).encode()


def _sealed() -> list[str]:
    return [_SEAL.close(Pending("s", "n", "v", "/", 0))]


def _read(kind: Any, data: bytes) -> Any:
    try:
        message: Message = kind.FromString(data)
    except DecodeError:
        return None
    return message
