"""What happened at a table, in words: for people who run the house, and for `laelo log show`.

Hands that are not over stay hidden, and so do the seeds of deals that are not over: whoever
sees them could tell a player. At a championship's table people are their animals (R40).
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.upcast import newest

ACCOUNT_MARK: Final = "\0"
"""Stands before the id of an account, whose name only the gateway knows."""
TILES: Final = tuple(combinations_with_replacement(range(7), 2))
"""The tiles by the numbers that the log has for them."""
HAND_SIZE: Final = 6

_ENDS: Final = {rules_pb2.END_LEFT: " at the left", rules_pb2.END_RIGHT: " at the right"}
_OPENINGS: Final = {
    rules_pb2.OPENING_FIRST: "the highest double opens",
    rules_pb2.OPENING_TIE: "after a tie, the highest double opens",
    rules_pb2.OPENING_WON: "the winner of the hand before chooses who opens",
}
_CLOSINGS: Final = {
    events_pb2.CLOSING_HOST: "its host closed it",
    events_pb2.CLOSING_EMPTY: "nobody was there any more",
    events_pb2.CLOSING_OLD: "it has stood for as long as a table may",
    events_pb2.CLOSING_OVER: "its match is over",
    events_pb2.CLOSING_CANCELLED: "its championship was cancelled",
    events_pb2.CLOSING_OPERATOR: "an operator closed it",
}
_BY: Final = {log_pb2.ACTOR_CLOCK: " [clock]", log_pb2.ACTOR_OPERATOR: " [operator]"}


class Show(Enum):
    """How much is told of a hand that is not over."""

    NOTHING = auto()
    LAID = auto()
    """The tiles that lie on the table, which all who are there see as well."""
    ALL = auto()
    """The hands, what sleeps, and seeds."""


def marked(person: events_pb2.Sitter) -> str:
    """How a person is called where names of accounts are put in later."""
    return person.animal or person.guest_name or f"{ACCOUNT_MARK}{person.player}"


def nothing(_calls: Iterable[rules_pb2.Call]) -> str:
    """Calls are left out."""
    return ""


class Words(NamedTuple):
    """What is said differently to different people."""

    call: Callable[[Iterable[rules_pb2.Call]], str] = nothing
    name: Callable[[events_pb2.Sitter], str] = marked
    guest_id: bool = False
    """Whether the random id of a guest is told beside the name."""


_PLAIN: Final = Words()


class Story:
    """Tells the commits of one table."""

    def __init__(self, show: Show = Show.NOTHING, words: Words = _PLAIN) -> None:
        self._show = show
        self._words = words
        self._names = [f"nobody ({seat})" for seat in range(4)]
        self._match = self._hand = 0
        self._over: set[tuple[int, int]] = set()
        self._by = ""

    def tell(
        self, commits: Iterable[events_pb2.Commit]
    ) -> Iterator[tuple[log_pb2.Head, list[str]]]:
        """Every commit, in order: who and when, and a line for each thing that happened."""
        history = list(commits)
        self._over = hands_over(history)
        for commit in history:
            self._by = _BY.get(commit.head.actor, "")
            yield commit.head, [line for event in commit.events for line in self._lines(event)]

    def _lines(self, event: events_pb2.Event) -> Iterator[str]:
        kind, told = newest(event)
        if kind is None:
            yield "(an event of a kind that this laelo does not know)"
            return
        try:
            lines = list(getattr(self, f"_{kind}")(told))
        except (LookupError, ValueError):
            lines = [f"({kind}, which makes no sense: `laelo log verify` says what is wrong)"]
        yield from lines

    def _opened(self, event: events_pb2.TableOpened) -> Iterator[str]:
        seconds = event.options.move_seconds
        clock = f"{seconds} s a move" if seconds else "no clock"
        watched = "may be watched" if event.options.spectators else "may not be watched"
        public = ", strangers may come" if event.options.public else ""
        scale = f", all times x {event.clock_scale:g}" if event.clock_scale else ""
        yield f"the table is opened: {clock}, {watched}{public}{scale}"
        if event.options.championship:
            yield f"it is for {event.options.match} of championship {event.options.championship}"
        if event.code:
            yield f"its code is {event.code}"

    def _seat_taken(self, event: events_pb2.SeatTaken2) -> Iterator[str]:
        person = event.person
        name = f"bot {_level(event.bot)}" if event.bot else self._words.name(person)
        self._names[event.seat] = f"{name} ({event.seat})"
        guest = ", a guest" if person.HasField("guest_name") else ""
        known = f" {person.player}" if guest and self._words.guest_id else ""
        yield f"seat {event.seat}: {name}{guest}{known}"

    def _seat_left(self, event: events_pb2.SeatLeft) -> Iterator[str]:
        yield f"{self._names[event.seat]} leaves"
        self._names[event.seat] = f"nobody ({event.seat})"

    def _seat_held(self, event: events_pb2.SeatHeld) -> Iterator[str]:
        yield f"{self._names[event.seat]} goes on in another window"

    def _person_gone(self, event: events_pb2.PersonGone) -> Iterator[str]:
        yield f"{self._names[event.seat]} is gone"

    def _person_back(self, event: events_pb2.PersonBack) -> Iterator[str]:
        yield f"{self._names[event.seat]} is back"

    def _bot_stands_in(self, event: events_pb2.BotStandsIn) -> Iterator[str]:
        yield f"bot {_level(event.level)} stands in for {self._names[event.seat]}"

    def _seats_swapped(self, event: events_pb2.SeatsSwapped) -> Iterator[str]:
        names, one, other = self._names, event.seat, event.other
        yield f"{names[one]} and {names[other]} change places"
        first, second = names[one].rpartition(" ")[0], names[other].rpartition(" ")[0]
        names[one], names[other] = f"{second} ({one})", f"{first} ({other})"

    def _bytes_added(self, event: events_pb2.BytesAdded) -> Iterator[str]:
        who = self._names[event.seat]
        yield f"hand {event.hand}: {who} adds {event.bytes.hex()} to the deal"

    def _deadline_moved(self, event: events_pb2.DeadlineMoved) -> Iterator[str]:
        yield f"{event.by_ms / 1000:g} s are given back: nobody could move"

    def _table_closed(self, event: events_pb2.TableClosed) -> Iterator[str]:
        yield f"the table is closed{self._by}: {_CLOSINGS.get(event.closing, '?')}"

    def _match_started(self, event: events_pb2.MatchStarted) -> Iterator[str]:
        self._match = event.match
        yield f"match {event.match} begins"

    def _deal_committed(self, event: events_pb2.DealCommitted) -> Iterator[str]:
        yield f"hand {event.hand}: the deal is bound to {event.commitment.hex()}"
        if self._is_open(event.hand):
            yield f"hand {event.hand}: its seed is {event.seed.hex()}"

    def _dealt(self, event: events_pb2.Dealt) -> Iterator[str]:
        self._hand = event.hand
        counts = event.after.multiplier
        times = f", counts {counts} times" if counts > 1 else ""
        yield f"hand {event.hand} is dealt: {_OPENINGS.get(event.opening, '?')}{times}"
        if not self._is_open(event.hand):
            yield "  (hidden until the hand is over)"
            return
        after = event.after
        for seat, hand in enumerate((after.hand_0, after.hand_1, after.hand_2, after.hand_3)):
            yield f"  {self._names[seat]:<20} {hand_text(hand)}"
        if self._show is Show.ALL:
            sleeping = " ".join(tile_text(tile) for tile in event.order[4 * HAND_SIZE :])
            yield f"  {'asleep':<20} {sleeping}"

    def _opener_chosen(self, event: events_pb2.OpenerChosen) -> Iterator[str]:
        yield f"{self._names[event.seat]} lets {self._names[event.opener]} open{self._by}"

    def _played(self, event: events_pb2.Played) -> Iterator[str]:
        who, after = self._names[event.seat], event.after
        if not self._tells_tiles():
            yield f"{who} lays a tile{self._by}"
            return
        lays = f"{who} lays {tile_text(event.tile)}{_ENDS.get(event.end, '')}"
        ends = f"ends {after.left} and {after.right}"
        yield f"{lays}{self._by}{self._called(event.calls)}  [{ends}]"

    def _passed(self, event: events_pb2.Passed) -> Iterator[str]:
        calls = self._called(event.calls) if self._tells_tiles() else ""
        yield f"{self._names[event.seat]} passes{self._by}{calls}"

    def _hand_ended(self, event: events_pb2.HandEnded) -> Iterator[str]:
        end = event.end
        reason = rules_pb2.Reason.Name(end.reason).removeprefix("REASON_").lower()
        counts = "-".join(str(count) for count in end.counts)
        if end.winner < len(self._names):
            won = f"{self._names[end.winner]} wins {end.points} for team {end.team}"
        else:
            won = "nobody wins"
        yield f"the hand is over: {reason}, {won}; left in the hands {counts}"
        yield f"its seed was {event.seed.hex()}"

    def _match_ended(self, event: events_pb2.MatchEnded) -> Iterator[str]:
        end = event.end
        how = ", buchuda" if end.buchuda else ", buchuda de ré" if end.buchuda_de_re else ""
        yield f"match {self._match} is over: team {end.team} wins {end.score_0}-{end.score_1}{how}"

    def _turn_began(self, _event: events_pb2.TurnBegan) -> Iterator[str]:
        """A turn is told by what is done with it."""
        yield from ()

    def _called(self, calls: Iterable[rules_pb2.Call]) -> str:
        words = self._words.call(calls)
        return f": {words}" if words else ""

    def _tells_tiles(self) -> bool:
        """Whether the tiles of the hand that is being played are told."""
        return self._show is not Show.NOTHING or self._is_open(self._hand)

    def _is_open(self, hand: int) -> bool:
        return self._show is Show.ALL or (self._match, hand) in self._over


def tile_text(tile: int) -> str:
    """A tile as people write it, the higher number first."""
    low, high = TILES[tile]
    return f"{high}|{low}"


def hand_text(mask: int) -> str:
    """A hand."""
    held = (tile for tile in range(len(TILES)) if mask >> tile & 1)
    return " ".join(map(tile_text, held)) or "nothing"


def hands_over(commits: Iterable[events_pb2.Commit]) -> set[tuple[int, int]]:
    """Match and number of each hand that is over."""
    match, hand, over = 0, 0, set()
    for commit in commits:
        for event in commit.events:
            if event.HasField("match_started"):
                match = event.match_started.match
            elif event.HasField("dealt"):
                hand = event.dealt.hand
            elif event.HasField("hand_ended"):
                over.add((match, hand))
    return over


def _level(level: Any) -> str:
    return table_pb2.BotLevel.Name(level).removeprefix("BOT_LEVEL_").lower()
