"""The search in C, where it was built: the same answers as `domain.playouts`, sooner.

The library lies beside this file. It is built by `make` where there is a compiler, and in the
build stage of an image; a missing one, or one of another version, is done without.
"""

from __future__ import annotations

import ctypes
import logging
from ctypes import CDLL, POINTER, Structure, byref, c_int32, c_int64, c_uint32, c_uint64
from functools import cache
from pathlib import Path
from typing import Final

from laelo_bots.domain.features import FEATURES, PHASES
from laelo_bots.domain.playouts import RESULTS, Results
from laelo_bots.domain.policy import Policy, shares
from laelo_bots.domain.question import Question
from laelo_bots.domain.table import Choice, Table

VERSION: Final = 3
"""That of `core/core.h` and of the Python; raised when the same question may get another answer."""

LIBRARY: Final = Path(__file__).with_name("libcore.so")

_SHARES: Final = 4096
_CHOICES: Final = 24
_MOVES: Final = 14

_log = logging.getLogger(__name__)


class _Policy(Structure):
    _fields_ = (
        ("weights", c_int32 * FEATURES * PHASES),
        ("shares", c_uint32 * _SHARES),
    )


class _Table(Structure):
    _fields_ = (
        ("ends", c_int32 * 2),
        ("laid_by", c_int32 * 2),
        ("turn", c_int32),
        ("lacks", c_int32 * 4),
        ("opened", c_int32 * 4),
        ("held", c_int32 * 4),
        ("laid", c_uint32),
    )


class _Choice(Structure):
    _fields_ = (("table", _Table), ("later", c_uint32), ("tile", c_int32), ("end", c_int32))


class _Question(Structure):
    _fields_ = (
        ("table", _Table),
        ("hand", c_uint32),
        ("unseen", c_uint32),
        ("may_hold", c_uint32 * 3),
        ("held", c_int32 * 3),
        ("choice_count", c_int32),
        ("choices", _Choice * _CHOICES),
        ("move_count", c_int32),
        ("tiles", c_int32 * _MOVES),
        ("ends", c_int32 * _MOVES),
    )


_LAYOUT: Final = VERSION * 100_000_000 + ctypes.sizeof(_Policy) * 1000 + ctypes.sizeof(_Question)


class Core:
    """The library, ready to be asked. A call lets other threads run meanwhile."""

    def __init__(self, library: CDLL) -> None:
        library.laelo_prepare()
        self._batch = library.laelo_batch
        self._batch.argtypes = (
            POINTER(_Policy),
            POINTER(_Question),
            c_uint64,
            c_int32,
            c_uint32,
            POINTER(c_int32),
        )
        self._features = library.laelo_features
        self._features.argtypes = (POINTER(_Table), c_uint32, c_int32, c_int32, POINTER(c_int32))
        self._features.restype = None
        self._newest: tuple[Question, _Question] | None = None

    def batch(
        self, policy: Policy, question: Question, seed: int, worlds: int, alive: int
    ) -> Results:
        """As `domain.playouts.batch`. Raises MemoryError."""
        moves = len(question.moves)
        results = (c_int32 * (moves * RESULTS))()
        asked = self._asked(question)
        if self._batch(byref(_policy(policy)), byref(asked), seed, worlds, alive, results):
            raise MemoryError(f"no memory for {worlds} worlds")
        return [list(results[move * RESULTS : (move + 1) * RESULTS]) for move in range(moves)]

    def _asked(self, question: Question) -> _Question:
        """The question as the library reads it; a search asks the same one batch after batch."""
        if self._newest is None or self._newest[0] is not question:
            self._newest = question, _question(question)
        return self._newest[1]

    def features(self, table: Table, hand: int, tile: int, end: int) -> list[int]:
        """What there is to say of a move, one number for each weight of a policy."""
        found = (c_int32 * FEATURES)()
        self._features(byref(_table(table)), hand, tile, end, found)
        return list(found)


@cache
def load(path: Path = LIBRARY) -> Core | None:
    """The core, if it was built for this version; None if not."""
    try:
        library = CDLL(str(path))
        library.laelo_layout.restype = c_int64
        found = library.laelo_layout()
    except (OSError, AttributeError) as error:
        _log.info("searching in Python: %s", error)
        return None
    if found != _LAYOUT:
        _log.warning("searching in Python: %s is of another version, `make core` builds it", path)
        return None
    return Core(library)


@cache
def _policy(policy: Policy) -> _Policy:
    rows = ((c_int32 * FEATURES)(*weights) for weights in policy.phases)
    return _Policy((c_int32 * FEATURES * PHASES)(*rows), (c_uint32 * _SHARES)(*shares()))


def _table(table: Table) -> _Table:
    return _Table(
        (c_int32 * 2)(*table.ends),
        (c_int32 * 2)(*table.laid_by),
        table.turn,
        (c_int32 * 4)(*table.lacks),
        (c_int32 * 4)(*table.opened),
        (c_int32 * 4)(*table.held),
        table.laid,
    )


def _choice(choice: Choice) -> _Choice:
    return _Choice(_table(choice.table), choice.later, choice.tile, choice.end)


def _question(question: Question) -> _Question:
    moves = question.moves
    return _Question(
        _table(question.table),
        question.hand,
        question.unseen,
        (c_uint32 * 3)(*question.may_hold),
        (c_int32 * 3)(*question.held),
        len(question.choices),
        (_Choice * _CHOICES)(*map(_choice, question.choices)),
        len(moves),
        (c_int32 * _MOVES)(*(tile for tile, _ in moves)),
        (c_int32 * _MOVES)(*(end for _, end in moves)),
    )
