"""The seats of a table, as its events tell of them: what each may follow from."""

from dataclasses import dataclass, replace
from typing import Final

from laelo.table.v1 import events_pb2

from laelo_tools.history.errors import WrongError

SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a person, a bot of a level, or nobody."""

    player: str = ""
    level: int = 0
    fence: int = 0
    window: str = ""
    gone: bool = False
    stand_in: int = 0

    @property
    def bot(self) -> int:
        """Level of the bot that plays here; 0 = none does."""
        return self.level or self.stand_in


class Seating:
    """Four seats. Every method takes an event over, or raises WrongError."""

    def __init__(self) -> None:
        self._seats = [Seat() for _ in range(SEATS)]

    def __getitem__(self, number: int) -> Seat:
        if number >= SEATS:
            raise WrongError(f"there is no seat {number}")
        return self._seats[number]

    def taken(self, event: events_pb2.SeatTaken2) -> None:
        """Somebody sits down."""
        player = event.person.player
        if bool(player) == bool(event.bot):
            raise WrongError("a seat is taken by a person or by a bot")
        self._set(event.seat, Seat(player, event.bot, event.fence, event.person.window))

    def left(self, event: events_pb2.SeatLeft) -> None:
        """Somebody gets up."""
        self._set(event.seat, Seat(fence=event.fence))

    def held(self, event: events_pb2.SeatHeld) -> None:
        """A person goes on in another window."""
        seat = self._person(event.seat)
        if event.window == seat.window:
            raise WrongError(f"seat {event.seat} is held by this window already")
        self._set(event.seat, replace(seat, fence=event.fence, window=event.window))

    def gone(self, event: events_pb2.PersonGone) -> None:
        """A person is gone."""
        seat = self._person(event.seat)
        if seat.gone:
            raise WrongError(f"the person in seat {event.seat} is gone already")
        self._seats[event.seat] = replace(seat, gone=True)

    def back(self, event: events_pb2.PersonBack) -> None:
        """A person is back, and no bot stands in for them."""
        seat = self._gone(event.seat)
        self._set(event.seat, replace(seat, fence=event.fence, gone=False, stand_in=0))

    def stands_in(self, event: events_pb2.BotStandsIn) -> None:
        """A bot stands in for a person."""
        seat = self._gone(event.seat)
        if seat.stand_in or not event.level:
            raise WrongError(f"no bot can stand in at seat {event.seat} (R32)")
        self._set(event.seat, replace(seat, fence=event.fence, stand_in=event.level))

    def swapped(self, event: events_pb2.SeatsSwapped) -> None:
        """Two seats change places."""
        one, other = self[event.seat], self[event.other]
        if event.seat == event.other:
            raise WrongError("a seat changes places with itself")
        self._check_fence(event.seat, event.fence)
        self._check_fence(event.other, event.other_fence)
        self._seats[event.seat] = replace(other, fence=event.fence)
        self._seats[event.other] = replace(one, fence=event.other_fence)

    def _person(self, number: int) -> Seat:
        seat = self[number]
        if not seat.player:
            raise WrongError(f"no person sits in seat {number}")
        return seat

    def _gone(self, number: int) -> Seat:
        seat = self._person(number)
        if not seat.gone:
            raise WrongError(f"the person in seat {number} is not gone")
        return seat

    def _set(self, number: int, seat: Seat) -> None:
        self._check_fence(number, seat.fence)
        self._seats[number] = seat

    def _check_fence(self, number: int, fence: int) -> None:
        if fence <= self[number].fence:
            raise WrongError(f"the fencing number of seat {number} does not rise")
