"""What the files of cases hold; a tile is `[low, high]` in either order."""

from typing import Any, Literal

import msgspec

Tile = tuple[int, int]
Hands = tuple[list[Tile], list[Tile], list[Tile], list[Tile]]


class Shape(msgspec.Struct, frozen=True):
    """A part of a case."""


class State(Shape, frozen=True):
    """A hand in play; `chain` lies left to right, each tile with its left number first."""

    phase: Literal["choose_opener", "play", "hand_over", "match_over"]
    hands: Hands
    chain: list[Tile]
    ends: tuple[int, int] | None
    turn: int | None
    must_open: Tile | None
    last_seat: int | None
    scores: tuple[int, int]
    multiplier: int
    led_5_0: int | None


class Previous(Shape, frozen=True):
    """How the hand before ended; `winner` goes with won."""

    kind: Literal["first", "tie", "won"]
    winner: int | None = None


class Move(Shape, frozen=True):
    """What a seat asks for; `end` null = not named."""

    type: Literal["play", "pass", "choose_opener"]
    seat: int
    tile: Tile | None = None
    end: str | None = None
    opener: int | None = None


class Deal(Shape, frozen=True):
    """Given of `deal`."""

    order: list[Tile]
    previous: Previous
    scores: tuple[int, int]
    multiplier: int
    led_5_0: int | None


class Look(Shape, frozen=True):
    """Given of `legal`, `timer` and `timeout`."""

    state: State


class Moved(Shape, frozen=True):
    """Given of `move`."""

    state: State
    move: Move


class PlayedHand(Shape, frozen=True):
    """A hand of a replay; a move is `["play", seat, tile, end]`, `["pass", seat]` or
    `["choose_opener", seat, opener]`.
    """

    order: list[Tile]
    moves: list[list[Any]]


class Replay(Shape, frozen=True):
    """Given of `replay`."""

    hands: list[PlayedHand]


class Case(Shape, frozen=True):
    """One example: what is given and what has to come."""

    id: str
    op: str
    title: str
    given: msgspec.Raw
    expect: dict[str, Any]
    rules: list[str] = []


class File(Shape, frozen=True):
    """A file of cases."""

    version: int
    cases: list[Case]


_SHORT = {"play": ("tile", "end"), "pass": (), "choose_opener": ("opener",)}


def long_move(short: list[Any]) -> Move:
    """A move of a replay with its parts named. Raises ValidationError."""
    kind = short[0] if short else None
    if kind not in _SHORT or len(short) != 2 + len(_SHORT[kind]):
        raise msgspec.ValidationError(f"{short!r} is no move of a replay")
    names = ("type", "seat", *_SHORT[kind])
    return msgspec.convert(dict(zip(names, short, strict=True)), Move)
