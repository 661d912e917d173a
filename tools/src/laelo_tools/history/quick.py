"""The referee in a hurry: commits that are as they should be are known by their bytes.

Of a move, and of the deal after a hand, the engine says what follows; that is written as it has to
be stored, and the bytes are compared. Whatever is not the same, or is anything else, is left to
the referee proper, who says what is wrong with it, if anything is. So nothing passes here that
would not pass there.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from google.protobuf.message import DecodeError
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_rules.engine import DealError, Move, Outcome, State, deal, is_short, judge, timeout_move
from laelo_table.domain.shuffle import deal_order
from laelo_table.domain.turns import clock_ms

from laelo_tools.history import spell, told
from laelo_tools.history.errors import WrongError
from laelo_tools.history.referee import Referee

_MOVES: Final = frozenset({told.PLAYED, told.PASSED, told.OPENER_CHOSEN})


class QuickReferee(Referee):
    """A referee who is told the commits as they are stored, and checks their chain, too."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self._digest = b""

    def follow_all(self, commits: Sequence[bytes]) -> None:
        """Take the next commits over. Raises WrongError and DecodeError."""
        for data in commits:
            self.follow_stored(data)

    def follow_stored(self, data: bytes) -> None:
        """Take the next commit over. Raises WrongError and DecodeError."""
        if not self._follow_at_a_glance(data):
            commit = events_pb2.Commit.FromString(data)
            if commit.head.previous != self._digest:
                raise WrongError("its hash of the commit before is another one")
            self.follow(commit)
        self._digest = sha256(data).digest()

    def _follow_at_a_glance(self, data: bytes) -> bool:
        """Take over what is known by its bytes; whether it was, and good."""
        at = told.events_at(data)
        if self._game is None or not at:
            return False
        events = data[at:]
        try:
            kind = told.first_kind(events)
            if kind != told.DEALT and kind not in _MOVES:
                return False
            head = log_pb2.Head.FromString(told.head_of(data, at))
            if not self._is_next(head):
                return False
            if kind == told.DEALT:
                return self._follow_deal(head, events, self._game)
            return self._follow_move(head, events, told.move_in(events, kind), self._game)
        except (DecodeError, IndexError):
            return False

    def _follow_move(self, head: log_pb2.Head, events: bytes, move: Move, game: State) -> bool:
        if game.turn is None or not self._is_mover_good(head, game.turn):
            return False
        if head.actor == log_pb2.ACTOR_CLOCK and move != timeout_move(game):
            return False
        outcome = judge(game, move)
        if not isinstance(outcome, Outcome) or outcome.match_end is not None:
            return False
        if outcome.hand_end is not None:
            return self._follow_hand_over(head, events, move, outcome)
        state = outcome.state
        if events == told.going_on(move, outcome) and self._is_clock_good(head, state):
            self.moves += 1
            self._take_over(head, state)
            return True
        return False

    def _follow_hand_over(
        self, head: log_pb2.Head, events: bytes, move: Move, outcome: Outcome
    ) -> bool:
        """The end of a hand that is not the last, and what the next deal is bound to."""
        committed = told.committed_in(events, self._hand + 1)
        if head.turn not in (self._turn, head.version):
            return False
        if events != told.hand_over(move, outcome, self._seed, committed):
            return False
        assert outcome.hand_end is not None  # noqa: S101 - asked only then
        self.moves += 1
        self._take_over(head, outcome.state)
        self._end, self._next_deal = spell.hand_end_message(outcome.hand_end), committed
        self._added = {}
        return True

    def _follow_deal(self, head: log_pb2.Head, events: bytes, before: State) -> bool:
        """The deal of a hand that is not the first."""
        committed, end = self._next_deal, self._end
        if committed is None or end is None or head.command != f"deal-{self._turn}":
            return False
        order = deal_order(committed.seed, self._added)
        winner = end.winner if end.next_opening == rules_pb2.OPENING_WON else None
        game = deal(order, winner, before.scores, end.next_multiplier, before.led_5_0)
        if isinstance(game, DealError):
            return False
        expected = told.dealt(self._hand + 1, order, end, winner, game)
        if events != expected or not self._is_clock_good(head, game):
            return False
        self._take_over(head, game)
        self._hand, self._seed, self._next_deal = self._hand + 1, committed.seed, None
        return True

    # Heads.

    def _is_next(self, head: log_pb2.Head) -> bool:
        """Whether this can be the head of the next commit."""
        return (
            not self._closed
            and head.version == self.version + 1
            and head.aggregate == self.table
            and head.previous == self._digest
            and bool(head.command)
            and head.command not in self._commands
            and log_pb2.ACTOR_UNSPECIFIED < head.actor <= log_pb2.ACTOR_OPERATOR
        )

    def _is_mover_good(self, head: log_pb2.Head, seat: int) -> bool:
        """Whether the seat that moves can do it by this head."""
        sitting = self._seats[seat]
        if head.actor == log_pb2.ACTOR_PERSON:
            return bool(sitting.player) and head.actor_id == sitting.player
        if head.actor == log_pb2.ACTOR_BOT:
            return bool(sitting.bot) and head.command == f"bot-{self._turn}"
        is_up = 0 < self._deadline_ms <= head.time_ms
        is_clock = head.actor == log_pb2.ACTOR_CLOCK
        return is_clock and is_up and head.command == f"clock-{self._turn}"

    def _is_clock_good(self, head: log_pb2.Head, after: State) -> bool:
        """Whether a turn begins with this commit, and its clock is right."""
        seat = after.turn
        if seat is None or head.turn != head.version:
            return False
        if self._seats[seat].bot:
            return True
        if not self._move_seconds:
            return not head.deadline_ms
        lasts = clock_ms(self._move_seconds, self._scale, short=is_short(after))
        return head.deadline_ms == head.time_ms + lasts

    def _take_over(self, head: log_pb2.Head, after: State) -> None:
        self.version += 1
        self._commands.add(head.command)
        self._game = after
        self._turn, self._deadline_ms = head.turn, head.deadline_ms
