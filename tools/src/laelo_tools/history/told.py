"""What a hand's commits have to tell, as the log stores it: moves, the end of a hand, deals."""

from functools import lru_cache
from hashlib import sha256
from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    HandEnd,
    Move,
    Outcome,
    Pass,
    Play,
    State,
)
from laelo_rules.engine.tiles import ID_OF, SEATS
from laelo_table.domain.shuffle import METHOD, SEED_BYTES

from laelo_tools.history import spell
from laelo_tools.history.stored import SIZES, after, called, event, number, tag, turn_began

_HEAD: Final = tag(events_pb2.Commit, "head")[0]

PLAYED: Final = tag(events_pb2.Event, "played")
PASSED: Final = tag(events_pb2.Event, "passed")
OPENER_CHOSEN: Final = tag(events_pb2.Event, "opener_chosen")
DEALT: Final = tag(events_pb2.Event, "dealt")
_HAND_ENDED: Final = tag(events_pb2.Event, "hand_ended")
_COMMITTED: Final = tag(events_pb2.Event, "deal_committed")

_SEATS: Final = tuple(number(events_pb2.Played, "seat", seat) for seat in SEATS)
"""The same in all moves."""
_TILES: Final = tuple(number(events_pb2.Played, "tile", tile) for tile in range(len(TILES)))
_ENDS: Final = tuple(number(events_pb2.Played, "end", end) for end in range(3))
_OPENERS: Final = tuple(number(events_pb2.OpenerChosen, "opener", seat) for seat in SEATS)
_PLAYED_AFTER: Final = tag(events_pb2.Played, "after")
_PASSED_AFTER: Final = tag(events_pb2.Passed, "after")
_CHOSEN_AFTER: Final = tag(events_pb2.OpenerChosen, "after")
_DEALT_AFTER: Final = tag(events_pb2.Dealt, "after")
_ORDER: Final = tag(events_pb2.Dealt, "order") + SIZES[len(TILES)]
_METHOD: Final = number(events_pb2.Dealt, "method", METHOD)
_END: Final = tag(events_pb2.HandEnded, "end")
_SEED: Final = tag(events_pb2.HandEnded, "seed") + SIZES[SEED_BYTES]

_SEAT: Final = tag(events_pb2.Played, "seat", 0)[0]
_SECOND: Final = tag(events_pb2.Played, "tile", 0)[0]
_THIRD: Final = tag(events_pb2.Played, "end", 0)[0]


def events_at(data: bytes) -> int:
    """Where the events of a commit begin, if its head stands at its beginning; else 0."""
    if len(data) < 4 or data[0] != _HEAD:
        return 0
    return 3 + (data[1] & 127 | data[2] << 7) if data[1] > 127 else 2 + data[1]


def head_of(data: bytes, at: int) -> bytes:
    """The head of a commit whose events begin there."""
    return data[3 if data[1] > 127 else 2 : at]


def first_kind(told: bytes) -> bytes:
    """The tag of the first event's kind. Raises IndexError."""
    at = 3 if told[1] > 127 else 2
    return told[at : at + 1]


def move_in(told: bytes, kind: bytes) -> Move:
    """The move that the first event tells of. Raises IndexError.

    Nothing is sure yet of what is read here: all of it has to be compared.
    """
    at = 3 if told[1] > 127 else 2
    at += 3 if told[at + 1] > 127 else 2
    seat = second = third = 0
    if told[at] == _SEAT:
        seat, at = told[at + 1], at + 2
    if kind == PASSED:
        return Pass(seat)
    if told[at] == _SECOND:
        second, at = told[at + 1], at + 2
    if kind == OPENER_CHOSEN:
        return ChooseOpener(seat, second)
    if told[at] == _THIRD:
        third = told[at + 1]
    return Play(seat, TILES[second], third)


def moved(move: Move, outcome: Outcome) -> bytes:
    """The first event of a move."""
    state = outcome.state
    if isinstance(move, Play):
        a, b = move.tile
        body = _SEATS[move.seat] + _TILES[ID_OF[a][b]] + _ENDS[outcome.laid_at]
        for call in outcome.calls:
            body += called(events_pb2.Played, call)
        return event(PLAYED, body + _PLAYED_AFTER + after(state))
    if isinstance(move, Pass):
        body = _SEATS[move.seat] + called(events_pb2.Passed, outcome.calls[0])
        return event(PASSED, body + _PASSED_AFTER + after(state))
    body = _SEATS[move.seat] + _OPENERS[move.opener]
    return event(OPENER_CHOSEN, body + _CHOSEN_AFTER + after(state))


def going_on(move: Move, outcome: Outcome) -> bytes:
    """The events of a move after which the hand goes on."""
    return moved(move, outcome) + turn_began(outcome.state)


def hand_over(
    move: Move, outcome: Outcome, seed: bytes, committed: events_pb2.DealCommitted
) -> bytes:
    """The events of a move with which a hand ends that is not the last, and of what the next deal
    is bound to.
    """
    assert outcome.hand_end is not None  # noqa: S101 - asked only then
    ended = _hand_end(outcome.hand_end) + _multiplied(outcome.state.multiplier) + _SEED + seed
    return (
        moved(move, outcome)
        + event(_HAND_ENDED, ended)
        + event(_COMMITTED, committed.SerializeToString())
    )


def committed_in(told: bytes, hand: int) -> events_pb2.DealCommitted:
    """What the last event binds the server to for the deal of this hand, if it does."""
    seed = told[-SEED_BYTES:]
    return events_pb2.DealCommitted(hand=hand, seed=seed, commitment=sha256(seed).digest())


def dealt(
    hand: int, order: bytes, end: rules_pb2.HandEnd, winner: int | None, game: State
) -> bytes:
    """The events of a deal after a hand."""
    body = number(events_pb2.Dealt, "hand", hand) + _ORDER + order
    body += _opened(end.next_opening, spell.NO_SEAT if winner is None else winner)
    body += _DEALT_AFTER + after(game) + _METHOD
    return event(DEALT, body) + turn_began(game)


@lru_cache(maxsize=4096)
def _hand_end(end: HandEnd) -> bytes:
    packed = spell.hand_end_message(end).SerializeToString()
    return _END + SIZES[len(packed)] + packed


@lru_cache(maxsize=64)
def _multiplied(multiplier: int) -> bytes:
    return number(events_pb2.HandEnded, "multiplier", multiplier)


@lru_cache(maxsize=64)
def _opened(opening: int, winner: int) -> bytes:
    opened = number(events_pb2.Dealt, "opening", opening)
    return opened + number(events_pb2.Dealt, "winner", winner)
