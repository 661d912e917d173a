"""A glance at moves in C, where it was built: `tools/core`, an answer that Python gives, too.

What a tile does where it is laid is asked of the engine beforehand and looked up there. The library
lies beside this file; `make` builds it where there is a compiler, and a missing one, or one of
another version, is done without.
"""

import ctypes
import logging
import struct
from collections.abc import Iterable, Sequence
from ctypes import (
    CDLL,
    POINTER,
    Array,
    Structure,
    byref,
    c_char_p,
    c_int64,
    c_ubyte,
    c_uint32,
    c_uint64,
)
from functools import cache
from hashlib import sha256
from itertools import accumulate, product, starmap
from pathlib import Path
from typing import Final

from laelo.table.v1 import events_pb2
from laelo_rules.engine import TILES, Outcome, Phase, Play, State, judge, timeout_move
from laelo_rules.engine.state import Ends
from laelo_rules.engine.tiles import ENDS_FITTED, FITTING, NUMBERS, WHOLE_SET

from laelo_tools.history.stored import called

VERSION: Final = 2
"""That of `core/glance.h`; raised when the same commits may get another answer."""

LIBRARY: Final = Path(__file__).with_name("libglance.so")

MOST_NAME: Final = 64
_MOST_CALL: Final = 8
_MOST_STANDING: Final = 16
_DIGEST: Final = 32
_ILLEGAL: Final = bytes(5 + _MOST_CALL)

_log = logging.getLogger(__name__)


class Name(Structure):
    """An id."""

    _fields_ = (("size", c_uint32), ("text", c_ubyte * MOST_NAME))


class Table(Structure):
    """A table while a hand is played; nobody's seat is 4, no tile 28, no number 7."""

    _fields_ = (
        ("version", c_uint64),
        ("turn", c_uint64),
        ("deadline_ms", c_int64),
        ("long_ms", c_int64),
        ("short_ms", c_int64),
        ("hands", c_uint32 * 4),
        ("left", c_uint32),
        ("right", c_uint32),
        ("on_turn", c_uint32),
        ("must_open", c_uint32),
        ("last_seat", c_uint32),
        ("is_bot", c_uint32 * 4),
        ("id", Name),
        ("players", Name * 4),
        ("standing_size", c_uint32),
        ("standing", c_ubyte * _MOST_STANDING),
        ("previous", c_ubyte * _DIGEST),
    )


class _Commits(Structure):
    _fields_ = (
        ("data", c_char_p),
        ("ends", POINTER(c_uint32)),
        ("digests", c_char_p),
        ("count", c_uint32),
    )


class Page:
    """Commits of one table, one after the other, as the library reads them."""

    def __init__(self, commits: Sequence[bytes]) -> None:
        count = len(commits)
        self._data = b"".join(commits)
        self._digests = b"".join([sha256(commit).digest() for commit in commits])
        ends = (c_uint32 * count)(*accumulate(map(len, commits)))
        self.asked = _Commits(self._data, ends, self._digests, count)
        self.where: Array[c_uint32] = (c_uint32 * (2 * count))()

    def digest(self, place: int) -> bytes:
        """The hash of a commit."""
        return self._digests[place * _DIGEST : (place + 1) * _DIGEST]

    def commands(self, first: int, last: int) -> list[str]:
        """The commands of commits that were taken."""
        data, where = self._data, self.where[2 * first : 2 * last]
        spans = zip(where[::2], where[1::2], strict=True)
        return [data[begin:end].decode() for begin, end in spans]


class Core:
    """The library, ready to be asked."""

    def __init__(self, library: CDLL) -> None:
        rules = _rules()
        self._rules = (c_ubyte * len(rules)).from_buffer_copy(rules)
        self._glance = library.laelo_glance

    def take(self, table: Table, page: Page, first: int) -> int:
        """How many commits from `first` on are good moves after which the hand goes on; the table
        is then as it is after them.
        """
        taken: int = self._glance(self._rules, byref(table), byref(page.asked), first, page.where)
        return taken


@cache
def load(path: Path = LIBRARY) -> Core | None:
    """The library, if it was built for this version; None if not."""
    try:
        library = CDLL(str(path))
        library.laelo_glance_layout.restype = c_int64
        found = library.laelo_glance_layout()
    except (OSError, AttributeError) as error:
        _log.info("checking in Python: %s", error)
        return None
    if found != VERSION * 10_000_000_000 + len(_rules()) * 10_000 + ctypes.sizeof(Table):
        _log.warning("checking in Python: %s is of another version, `make core` builds it", path)
        return None
    return Core(library)


@cache
def _rules() -> bytes:
    """What the engine says of each tile at all ends, where it is named at none, left or right."""
    fitting = struct.pack("=49I", *(FITTING[left][right] for left in NUMBERS for right in NUMBERS))
    fitted = bytes(
        ENDS_FITTED[left][right][tile]
        for left in NUMBERS
        for right in NUMBERS
        for tile in range(len(TILES))
    )
    tables: list[Ends | None] = [(left, right) for left in NUMBERS for right in NUMBERS]
    tables.append(None)
    laid = starmap(_laid, product(tables, range(len(TILES)), range(3)))
    return b"".join((fitting, fitted, bytes(_order_of_clock()), *laid))


def _laid(ends: Ends | None, tile: int, named: int) -> bytes:
    outcome = judge(_full(ends, WHOLE_SET), Play(0, TILES[tile], named))
    if not isinstance(outcome, Outcome):
        return _ILLEGAL
    after, call = outcome.state.ends, called(events_pb2.Played, outcome.calls[0])
    assert after is not None  # noqa: S101 - a tile lies
    return struct.pack(f"=5B{_MOST_CALL}s", 1, outcome.laid_at, *after, len(call), call)


def _order_of_clock() -> Iterable[int]:
    """The tiles in the order in which the clock would play them (R21)."""
    left = WHOLE_SET
    while left:
        move = timeout_move(_full(None, left))
        assert isinstance(move, Play)  # noqa: S101 - any tile may open
        tile = TILES.index(move.tile)
        yield tile
        left ^= 1 << tile


def _full(ends: Ends | None, hand: int) -> State:
    """Seat 0 on turn with this hand; the others hold so much that nothing ends a hand."""
    hands = (hand, WHOLE_SET, WHOLE_SET, WHOLE_SET)
    last = None if ends is None else 3
    return State(Phase.PLAY, hands, ends, 0, None, last, (0, 0), 1, None)
