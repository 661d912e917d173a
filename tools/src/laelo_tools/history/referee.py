"""Every commit of a table checked again: who could do it, and what the rules say of it.

The referee is told one commit after another and keeps its own picture of the table, made by
the engine alone: nothing that a commit says follows is believed.
"""

from hashlib import sha256
from typing import Any, Final

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    DealError,
    Move,
    Outcome,
    Pass,
    Play,
    Refusal,
    State,
    deal,
    judge,
    timeout_move,
)
from laelo_table.domain.clocks import LEAST_MS
from laelo_table.domain.shuffle import ADDED_BYTES, SEED_BYTES, deal_order
from laelo_table.domain.turns import clock_ms, scaled

from laelo_tools.history import official, spell
from laelo_tools.history.errors import WrongError
from laelo_tools.history.errors import same as _same
from laelo_tools.history.seating import SEATS, Seating

_FIRST: Final = "opened"
_ACTORS: Final = frozenset(log_pb2.Actor.values()) - {log_pb2.ACTOR_UNSPECIFIED}
_MAY_BEGIN: Final = {
    "seat_taken",
    "seat_left",
    "match_started",
    "dealt",
    "opener_chosen",
    "played",
    "passed",
    "seat_held",
    "person_gone",
    "person_back",
    "bot_stands_in",
    "seats_swapped",
    "bytes_added",
    "deadline_moved",
    "table_closed",
}
"""The events that a commit can begin with, or that can stand after a change of seats."""


class Referee:
    """One table, from its first commit on."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.version = 0
        self.moves = 0
        self._turn = 0
        self._deadline_ms = 0
        self._commands: set[str] = set()
        self._move_seconds = 0
        self._scale = 1.0
        """What the times at the table are multiplied by."""
        self._official = False
        self._seats = Seating()
        self._closed = False
        self._match = 0
        self._hand = 0
        self._game: State | None = None
        self._end: rules_pb2.HandEnd | None = None
        self._next_deal: events_pb2.DealCommitted | None = None
        self._seed = b""
        self._added: dict[int, bytes] = {}
        self._begins = False
        """Whether a match begins in the commit that is looked at."""
        self._due: list[tuple[str, Any]] = []
        self._head = log_pb2.Head()

    @property
    def is_closed(self) -> bool:
        """Whether nothing may happen at the table any more."""
        return self._closed

    def follow(self, commit: events_pb2.Commit) -> None:
        """Take the next commit over. Raises WrongError; nothing after it can be judged then."""
        self._head = commit.head
        self._check_head(commit.head)
        if not commit.events:
            raise WrongError("nothing happens in it")
        self._due = [(_FIRST, None)] if self.version == 1 else []
        self._begins = False
        for event in commit.events:
            self._take(event)
        if self._due:
            raise WrongError(f"{self._due[0][0]} is missing at its end")
        self._check_kind_of_table(commit)
        self._turn, self._deadline_ms = commit.head.turn, commit.head.deadline_ms

    def _check_kind_of_table(self, commit: events_pb2.Commit) -> None:
        if not self._official:
            official.check_friendly(commit)
        elif self.version == 1:
            official.check_opening(commit)
        else:
            before = official.Standing(self._turn, self._deadline_ms, self._scale)
            official.check_later(commit, before)

    # The head.

    def _check_head(self, head: log_pb2.Head) -> None:
        self.version += 1
        if self._closed:
            raise WrongError("something happens after the table was closed")
        _same("table", head.aggregate, self.table)
        _same("version", head.version, self.version)
        if head.turn not in (self._turn, self.version):
            raise WrongError(f"its turn is {head.turn}, neither {self._turn} nor its own version")
        if not head.command or head.command in self._commands:
            raise WrongError(f"its command {head.command!r} is missing, or was done before")
        self._commands.add(head.command)
        if head.actor not in _ACTORS:
            raise WrongError(f"nobody knows the actor {head.actor}")

    def _check_mover(self, seat: int) -> None:
        """Whoever moved sits there; the clock's and the bots' commands name the turn they end."""
        head, sitting = self._head, self._seats[seat]
        if head.actor == log_pb2.ACTOR_PERSON:
            self._check_person(seat, f"person in seat {seat}")
            return
        if head.actor == log_pb2.ACTOR_BOT:
            _same("command", head.command, f"bot-{self._turn}")
            if not sitting.bot:
                raise WrongError(f"a bot moves in seat {seat}, where no bot sits")
            return
        _same("command", head.command, f"clock-{self._turn}")
        self._check_time_is_up("the clock moves")

    def _check_person(self, seat: int, what: str) -> None:
        player = self._seats[seat].player
        if not player:
            raise WrongError(f"{what}: no person sits in seat {seat}")
        _same(what, self._head.actor_id, player)

    def _check_time_is_up(self, what: str) -> None:
        if not self._deadline_ms or self._head.time_ms < self._deadline_ms:
            raise WrongError(f"{what} before the time is up (R20)")

    # Events.

    def _take(self, event: events_pb2.Event) -> None:
        kind, told = newest(event)
        if kind is None:
            raise WrongError("it holds an event of a kind that is not known")
        expected = None
        if self._due:
            due, expected = self._due.pop(0)
            if kind != due:
                raise WrongError(f"{kind} where {due} has to follow")
        elif kind not in _MAY_BEGIN:
            raise WrongError(f"{kind} does not follow from anything")
        getattr(self, f"_{kind}")(told, expected)

    def _opened(self, event: events_pb2.TableOpened, _: None) -> None:
        self._move_seconds = event.options.move_seconds
        self._scale = event.clock_scale or 1.0
        if not 0 < self._scale <= 1:
            raise WrongError(f"nobody scales times by {self._scale:g}")
        self._official = bool(event.options.championship)

    def _seat_taken(self, event: events_pb2.SeatTaken2, _: None) -> None:
        self._seats.taken(event)

    def _seat_left(self, event: events_pb2.SeatLeft, _: None) -> None:
        self._seats.left(event)

    def _seat_held(self, event: events_pb2.SeatHeld, _: None) -> None:
        self._seats.held(event)

    def _person_gone(self, event: events_pb2.PersonGone, _: None) -> None:
        self._seats.gone(event)
        _same("deadline (R32 touches no clock)", self._head.deadline_ms, self._deadline_ms)

    def _person_back(self, event: events_pb2.PersonBack, _: None) -> None:
        self._seats.back(event)

    def _bot_stands_in(self, event: events_pb2.BotStandsIn, _: None) -> None:
        self._seats.stands_in(event)

    def _seats_swapped(self, event: events_pb2.SeatsSwapped, _: None) -> None:
        if self._next_deal is not None or (self._game is not None and not self._is_over()):
            raise WrongError("seats change places in the middle of a match")
        self._seats.swapped(event)

    def _is_over(self) -> bool:
        return self._end is not None and not self._end.next_multiplier

    def _bytes_added(self, event: events_pb2.BytesAdded, _: None) -> None:
        if self._next_deal is None:
            raise WrongError("bytes are added to a deal that nobody had committed to")
        _same("hand", event.hand, self._next_deal.hand)
        _same("length of what is added", len(event.bytes), ADDED_BYTES)
        self._check_person(event.seat, "person who adds")
        if event.seat in self._added:
            raise WrongError(f"seat {event.seat} adds to a deal twice")
        self._added[event.seat] = event.bytes

    def _deadline_moved(self, event: events_pb2.DeadlineMoved, _: None) -> None:
        _same("command", self._head.command, f"back-{self._turn}-{event.since_ms}")
        self._check_time_is_up("time is given back")
        _same("deadline", self._head.deadline_ms, self._deadline_ms + event.by_ms)
        if self._head.deadline_ms - self._head.time_ms < scaled(LEAST_MS, self._scale):
            raise WrongError("less time is given back than everybody has at least")

    def _table_closed(self, event: events_pb2.TableClosed, _: None) -> None:
        if not event.closing:
            raise WrongError("a table is closed without a reason")
        _same("deadline", self._head.deadline_ms, 0)
        self._closed = True

    def _match_started(self, event: events_pb2.MatchStarted, _: None) -> None:
        if self._end is not None and self._end.next_multiplier:
            raise WrongError("a match begins in the middle of one")
        if self._game is not None and self._game.turn is not None:
            raise WrongError("a match begins in the middle of a hand")
        self._match += 1
        _same("match", event.match, self._match)
        if self._head.command.startswith("start-"):
            _same("command", self._head.command, f"start-{self._turn}")
            self._check_time_is_up("a match starts by itself")
        self._hand, self._game, self._end, self._next_deal = 0, None, None, None
        self._begins = True
        self._due = [("deal_committed", None)]

    def _deal_committed(self, event: events_pb2.DealCommitted, _: None) -> None:
        _same("hand", event.hand, self._hand + 1)
        _same("length of the seed", len(event.seed), SEED_BYTES)
        _same("commitment", event.commitment.hex(), sha256(event.seed).hexdigest())
        self._next_deal, self._added = event, {}

    def _dealt(self, event: events_pb2.Dealt, _: None) -> None:
        committed, end = self._next_deal, self._end
        if committed is None:
            raise WrongError("a deal that nobody had committed to")
        if not self._begins:
            _same("command", self._head.command, f"deal-{self._turn}")
        self._hand += 1
        _same("hand", event.hand, self._hand)
        _same("order of the tiles", list(event.order), list(self._order(event, committed.seed)))
        opening = rules_pb2.OPENING_FIRST if end is None else end.next_opening
        _same("opening", event.opening, opening)
        won = opening == rules_pb2.OPENING_WON and end is not None
        winner = end.winner if won and end is not None else None
        _same("winner before", event.winner, spell.NO_SEAT if winner is None else winner)
        game, before = None, self._game
        if before is None or end is None:
            game = deal(event.order)
        else:
            game = deal(event.order, winner, before.scores, end.next_multiplier, before.led_5_0)
        if isinstance(game, DealError):
            raise WrongError("these are not the 28 tiles, each once")
        self._check_after(event.after, game)
        self._game, self._seed, self._next_deal = game, committed.seed, None
        self._due = [("turn_began", game)]

    def _order(self, event: events_pb2.Dealt, seed: bytes) -> bytes:
        try:
            return deal_order(seed, self._added, event.method)
        except ValueError as error:
            raise WrongError(str(error)) from error

    def _opener_chosen(self, event: events_pb2.OpenerChosen, _: None) -> None:
        self._move(event.seat, ChooseOpener(event.seat, event.opener), event.after)

    def _played(self, event: events_pb2.Played, _: None) -> None:
        if event.tile >= len(TILES):
            raise WrongError(f"there is no tile {event.tile}")
        move = Play(event.seat, TILES[event.tile], event.end)
        outcome = self._move(event.seat, move, event.after)
        _same("end", event.end, int(outcome.laid_at))
        self._check_calls(event.calls, outcome)

    def _passed(self, event: events_pb2.Passed, _: None) -> None:
        self._check_calls(event.calls, self._move(event.seat, Pass(event.seat), event.after))

    def _turn_began(self, event: events_pb2.TurnBegan, game: State) -> None:
        turn = spell.Turn(game)
        for part in ("seat", "choosing", "plays", "must_pass", "short_clock"):
            _same(f"turn: {part}", getattr(event, part), getattr(turn, part))
        _same("turn", self._head.turn, self.version)
        if self._seats[event.seat].bot:
            return
        deadline = 0
        if self._move_seconds:
            lasts = clock_ms(self._move_seconds, self._scale, short=event.short_clock)
            deadline = self._head.time_ms + lasts
        _same("deadline", self._head.deadline_ms, deadline)

    def _hand_ended(self, event: events_pb2.HandEnded, outcome: Outcome) -> None:
        assert outcome.hand_end is not None  # noqa: S101 - due only then
        _same_message("end of the hand", event.end, spell.hand_end_message(outcome.hand_end))
        _same("multiplier", event.multiplier, outcome.state.multiplier)
        _same("seed", event.seed.hex(), self._seed.hex())
        self._end = event.end

    def _match_ended(self, event: events_pb2.MatchEnded, outcome: Outcome) -> None:
        assert outcome.match_end is not None  # noqa: S101 - due only then
        _same_message("end of the match", event.end, spell.match_end_message(outcome.match_end))

    # The rules.

    def _move(self, seat: int, move: Move, after: rules_pb2.State) -> Outcome:
        if self._game is None or seat >= SEATS:
            raise WrongError(f"seat {seat} moves where nothing is played")
        self._check_mover(seat)
        if self._head.actor == log_pb2.ACTOR_CLOCK and move != timeout_move(self._game):
            raise WrongError("the clock would make another move (R21, R22)")
        verdict = judge(self._game, move)
        if isinstance(verdict, Refusal):
            raise WrongError(f"against the rules: {verdict.name} (R13)")
        self._check_after(after, verdict.state)
        self._game = verdict.state
        self.moves += 1
        self._due = _what_follows(verdict)
        return verdict

    def _check_after(self, after: rules_pb2.State, game: State) -> None:
        _same_message("what follows", after, spell.state_message(game))

    def _check_calls(self, said: Any, outcome: Outcome) -> None:
        _same("calls", _calls(said), _calls(spell.call_messages(outcome.calls)))


def _what_follows(verdict: Outcome) -> list[tuple[str, Any]]:
    if verdict.hand_end is None:
        return [("turn_began", verdict.state)]
    if verdict.match_end is None:
        return [("hand_ended", verdict), ("deal_committed", None)]
    return [("hand_ended", verdict), ("match_ended", verdict)]


def _calls(said: Any) -> list[str]:
    return [f"{call.kind} {call.number} {call.low}" for call in said]


def _same_message(what: str, found: Any, right: Any) -> None:
    if found != right:
        parts = [
            f"{field.name} is {getattr(found, field.name)}, not {getattr(right, field.name)}"
            for field in right.DESCRIPTOR.fields
            if getattr(found, field.name) != getattr(right, field.name)
        ]
        raise WrongError(f"{what} is wrong: {', '.join(parts) or 'fields that are not known'}")
