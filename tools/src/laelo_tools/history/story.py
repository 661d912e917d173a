"""The story of a table, line by line, as a person reads it.

Hands that are not over stay hidden, and so do the seeds of deals that are not over: whoever
sees them could tell a player.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest
from laelo_rules.engine import TILES, Talk, tiles_in
from laelo_table.domain.commands import LEVEL_NAMES

from laelo_tools.history.spell import call_of

_INDENT: Final = " " * 24
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
}
_BY: Final = {log_pb2.ACTOR_CLOCK: " [clock]", log_pb2.ACTOR_OPERATOR: " [operator]"}


@cache
def table_talk() -> Talk:
    """The words of the calls."""
    text = files("laelo_rules").joinpath("data", "table_talk.json").read_text(encoding="utf-8")
    return Talk(json.loads(text))


def tile_text(tile: int) -> str:
    """A tile as people write it, the higher number first."""
    low, high = TILES[tile]
    return f"{high}|{low}"


def hand_text(mask: int) -> str:
    """A hand."""
    return " ".join(tile_text(tile) for tile in tiles_in(mask)) or "nothing"


class Story:
    """Tells commits in their order."""

    def __init__(self, *, language: str = "pt", show_open: bool = False) -> None:
        self._language = language
        self._show_open = show_open
        self._names = [f"nobody ({seat})" for seat in range(4)]
        self._match = 0
        self._over: set[tuple[int, int]] = set()
        self._by = ""

    def tell(self, commits: Iterable[events_pb2.Commit]) -> Iterator[str]:
        """All lines."""
        history = list(commits)
        self._over = hands_over(history)
        day = ""
        for commit in history:
            head = commit.head
            time = datetime.fromtimestamp(head.time_ms / 1000, UTC)
            if (date := f"{time:%Y-%m-%d} (UTC)") != day:
                day = date
                yield day
            self._by = _BY.get(head.actor, "")
            begin = f"{head.version:6}  {time:%H:%M:%S}.{head.time_ms % 1000:03}  "
            for line in self._lines(commit):
                yield f"{begin}{line}"
                begin = _INDENT[: len(begin)].ljust(len(begin))

    def _lines(self, commit: events_pb2.Commit) -> Iterator[str]:
        for event in commit.events:
            kind, told = newest(event)
            if kind is None:
                yield "(an event of a kind that this laelo does not know)"
            else:
                yield from getattr(self, f"_{kind}")(told)

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
        name = f"bot {LEVEL_NAMES.get(event.bot, '')}" if event.bot else _name(person)
        self._names[event.seat] = f"{name} ({event.seat})"
        guest = ", a guest" if person.HasField("guest_name") else ""
        yield f"seat {event.seat}: {name}{guest}"

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
        level = LEVEL_NAMES.get(event.level, "")
        yield f"bot {level} stands in for {self._names[event.seat]}"

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
        counts = event.after.multiplier
        times = f", counts {counts} times" if counts > 1 else ""
        yield f"hand {event.hand} is dealt: {_OPENINGS.get(event.opening, '?')}{times}"
        if not self._is_open(event.hand):
            yield "  (hidden until the hand is over)"
            return
        after = event.after
        for seat, hand in enumerate((after.hand_0, after.hand_1, after.hand_2, after.hand_3)):
            yield f"  {self._names[seat]:<20} {hand_text(hand)}"
        if self._show_open:
            sleeping = " ".join(tile_text(tile) for tile in event.order[24:])
            yield f"  {'asleep':<20} {sleeping}"

    def _opener_chosen(self, event: events_pb2.OpenerChosen) -> Iterator[str]:
        yield f"{self._names[event.seat]} lets {self._names[event.opener]} open{self._by}"

    def _played(self, event: events_pb2.Played) -> Iterator[str]:
        after = event.after
        lays = f"{self._names[event.seat]} lays {tile_text(event.tile)}{_ENDS.get(event.end, '')}"
        ends = f"ends {after.left} and {after.right}"
        yield f"{lays}{self._by}: {self._say(event.calls)}  [{ends}]"

    def _passed(self, event: events_pb2.Passed) -> Iterator[str]:
        yield f"{self._names[event.seat]} passes{self._by}: {self._say(event.calls)}"

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

    def _turn_began(self, event: events_pb2.TurnBegan) -> Iterator[str]:
        """A turn is told by what is done with it."""
        yield from ()

    def _say(self, calls: Any) -> str:
        words = [table_talk().say(call_of(call), self._language) for call in calls]
        return " ".join(f"“{word}”" for word in words)

    def _is_open(self, hand: int) -> bool:
        return self._show_open or (self._match, hand) in self._over


def _name(person: events_pb2.Sitter) -> str:
    """How a person is called: the log has the names of guests only."""
    return person.animal or person.guest_name or f"account {person.player}"


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
