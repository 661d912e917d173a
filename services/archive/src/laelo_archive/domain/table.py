"""What has to be kept of a table to tell rows from its next commit.

Every part can be stored (`encode`) and is the same bytes whenever it is the same table.
"""

from typing import Final

import msgspec

NOBODY: Final = 4
NO_TEAM: Final = 2


class Seat(msgspec.Struct, frozen=True, array_like=True):
    """Who sits there: a person, a bot (`level`) or nobody."""

    player: str = ""
    name: str = ""
    """Of a guest. Names of accounts are kept nowhere but at the gateway."""
    guest: bool = False
    level: int = 0
    stand_in: int = 0
    """Level of the bot that plays for a person who is gone."""
    animal: str = ""

    @property
    def bot(self) -> int:
        """Level of the bot that plays here; 0 = none does."""
        return self.level or self.stand_in


NO_SEATS: Final = (Seat(), Seat(), Seat(), Seat())


class Deal(msgspec.Struct, frozen=True, array_like=True):
    """The server's part of a deal, and by seat what clients have added."""

    commitment: bytes
    seed: bytes
    added: tuple[tuple[int, bytes], ...] = ()


class Hand(msgspec.Struct, frozen=True, array_like=True):
    """The hand that is being played."""

    number: int
    deal: Deal
    dealt_ms: int
    opening: int
    chooser: int
    order: bytes
    method: int
    multiplier: int
    players: tuple[str, ...]
    bots: tuple[int, ...]
    opener: int
    chosen_after_ms: int = 0
    chosen_by: int = 0
    turns: bytes = b""
    scores: tuple[int, int] = (0, 0)
    """After the newest turn."""
    choices: int = 0
    """How many tiles may be played in the open turn."""
    short: bool = False
    """Whether the short clock runs in it."""


class Person(msgspec.Struct, frozen=True, array_like=True):
    """Somebody who has sat in the match."""

    player: str
    seat: int
    partner: str
    name: str
    guest: bool


class End(msgspec.Struct, frozen=True, array_like=True):
    """How a match ended: with a winner, or with its table (`closing`)."""

    ended_ms: int
    closing: int = 0
    winner: int = NO_TEAM
    buchuda: bool = False
    buchuda_de_re: bool = False


class Match(msgspec.Struct, frozen=True, array_like=True):
    """The match that is being played, or was the last one."""

    number: int
    started_ms: int
    hands: int = 0
    """How many are over."""
    scores: tuple[int, int] = (0, 0)
    people: tuple[Person, ...] = ()
    end: End | None = None


class Table(msgspec.Struct, frozen=True, array_like=True):
    """A table after some commit. A closed one has nothing left of what it was."""

    spectators: bool = False
    public: bool = False
    move_seconds: int = 0
    championship: str = ""
    official: str = ""
    seats: tuple[Seat, Seat, Seat, Seat] = NO_SEATS
    match: Match | None = None
    next_deal: Deal | None = None
    hand: Hand | None = None


NO_TABLE: Final = Table()
