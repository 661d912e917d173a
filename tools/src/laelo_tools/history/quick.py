"""The referee in a hurry: commits that are as they should be are known by their bytes.

Of a move, and of the deal after a hand, the engine says what follows; that is written as it has to
be stored, and the bytes are compared. Whatever is not the same, or is anything else, is left to
the referee proper, who says what is wrong with it, if anything is. So nothing passes here that
would not pass there.
"""

from hashlib import sha256
from typing import Final

from google.protobuf.message import DecodeError
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_rules.engine import (
    TILES,
    DealError,
    Outcome,
    Play,
    State,
    deal,
    is_short,
    judge,
    timeout_move,
)
from laelo_table.domain.shuffle import SEED_BYTES, deal_order
from laelo_table.domain.turns import clock_ms

from laelo_tools.history import spell
from laelo_tools.history.errors import WrongError
from laelo_tools.history.referee import Referee
from laelo_tools.history.stored import HEAD, follows

_HAND_OVER: Final = ["played", "hand_ended", "deal_committed"]
_DEAL: Final = ["dealt", "turn_began"]


class QuickReferee(Referee):
    """A referee who is told the commits as they are stored, and checks their chain, too."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self._digest = b""

    def follow_stored(self, data: bytes) -> None:
        """Take the next commit over. Raises WrongError and DecodeError."""
        at = _events_at(data)
        if not self._follow_move(data, at):
            commit = events_pb2.Commit.FromString(data)
            if not self._follow_hand(commit, data[at:]):
                if commit.head.previous != self._digest:
                    raise WrongError("its hash of the commit before is another one")
                self.follow(commit)
        self._digest = sha256(data).digest()

    def _follow_move(self, data: bytes, at: int) -> bool:
        """Take over a move after which the hand goes on; whether it was one, and good."""
        game = self._game
        if game is None or game.turn is None or not at:
            return False
        told = data[at:]
        try:
            head = log_pb2.Head.FromString(data[3 if data[1] > 127 else 2 : at])
            if not self._is_mover_good(head, game.turn) or head.turn != head.version:
                return False
            expected = follows(game, told, by_clock=head.actor == log_pb2.ACTOR_CLOCK)
        except (DecodeError, IndexError):
            return False
        if expected is None or told != expected[1] or not self._is_clock_good(head, expected[0]):
            return False
        self.moves += 1
        self._take_over(head, expected[0])
        return True

    def _follow_hand(self, commit: events_pb2.Commit, told: bytes) -> bool:
        """Take over the end of a hand, or the deal after one; whether it was one, and good."""
        kinds = [event.WhichOneof("event") for event in commit.events]
        if kinds == _HAND_OVER:
            return self._follow_hand_over(commit, told)
        return kinds == _DEAL and self._follow_deal(commit, told)

    def _follow_hand_over(self, commit: events_pb2.Commit, told: bytes) -> bool:
        """The last tile of a hand that is not the last, and what the next deal is bound to."""
        game, head = self._game, commit.head
        if game is None or game.turn is None or not self._is_mover_good(head, game.turn):
            return False
        played, committed = commit.events[0].played, commit.events[2].deal_committed
        if head.turn not in (self._turn, head.version) or played.tile >= len(TILES):
            return False
        move = Play(played.seat, TILES[played.tile], played.end)
        if head.actor == log_pb2.ACTOR_CLOCK and move != timeout_move(game):
            return False
        outcome = judge(game, move)
        if not isinstance(outcome, Outcome) or not outcome.hand_end or outcome.match_end:
            return False
        right = _hand_over(outcome, played, self._seed, committed)
        if told != right or not _is_bound(committed, self._hand + 1):
            return False
        self.moves += 1
        self._take_over(head, outcome.state)
        self._end, self._next_deal = commit.events[1].hand_ended.end, committed
        self._added = {}
        return True

    def _follow_deal(self, commit: events_pb2.Commit, told: bytes) -> bool:
        """The deal of a hand that is not the first."""
        committed, end, before, head = self._next_deal, self._end, self._game, commit.head
        if committed is None or end is None or before is None:
            return False
        if head.command != f"deal-{self._turn}" or not self._is_next(head):
            return False
        method = commit.events[0].dealt.method
        try:
            order = deal_order(committed.seed, self._added, method)
        except ValueError:
            return False
        winner = end.winner if end.next_opening == rules_pb2.OPENING_WON else None
        game = deal(order, winner, before.scores, end.next_multiplier, before.led_5_0)
        if isinstance(game, DealError) or head.turn != head.version:
            return False
        dealt = events_pb2.Dealt(
            hand=self._hand + 1,
            order=order,
            opening=end.next_opening,
            winner=spell.NO_SEAT if winner is None else winner,
            after=spell.state_message(game),
            method=method,
        )
        if told != _deal(dealt, game) or not self._is_clock_good(head, game):
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
        """Whether this can be the head of the next commit, in which a seat moves."""
        if not self._is_next(head):
            return False
        sitting = self._seats[seat]
        if head.actor == log_pb2.ACTOR_PERSON:
            return head.actor_id == sitting.player
        if head.actor == log_pb2.ACTOR_BOT:
            return bool(sitting.bot) and head.command == f"bot-{self._turn}"
        is_up = 0 < self._deadline_ms <= head.time_ms
        is_clock = head.actor == log_pb2.ACTOR_CLOCK
        return is_clock and is_up and head.command == f"clock-{self._turn}"

    def _is_clock_good(self, head: log_pb2.Head, after: State) -> bool:
        """Whether the clock of the turn that begins is right."""
        seat = after.turn
        if seat is None or self._seats[seat].bot:
            return seat is not None
        if not self._move_seconds:
            return not head.deadline_ms
        lasts = clock_ms(self._move_seconds, self._scale, short=is_short(after))
        return head.deadline_ms == head.time_ms + lasts

    def _take_over(self, head: log_pb2.Head, after: State) -> None:
        self.version += 1
        self._commands.add(head.command)
        self._game = after
        self._turn, self._deadline_ms = head.turn, head.deadline_ms


def _events_at(data: bytes) -> int:
    """Where the events of a commit begin, if its head stands at its beginning; else 0."""
    if len(data) < 4 or data[0] != HEAD:
        return 0
    return 3 + (data[1] & 127 | data[2] << 7) if data[1] > 127 else 2 + data[1]


def _is_bound(committed: events_pb2.DealCommitted, hand: int) -> bool:
    """Whether the server is bound to a deal of this hand."""
    seed = committed.seed
    is_one = committed.hand == hand and len(seed) == SEED_BYTES
    return is_one and committed.commitment == sha256(seed).digest()


def _hand_over(
    outcome: Outcome,
    played: events_pb2.Played,
    seed: bytes,
    committed: events_pb2.DealCommitted,
) -> bytes:
    """The events with which a hand ends, as they are stored."""
    assert outcome.hand_end is not None  # noqa: S101 - asked only then
    last = events_pb2.Played(
        seat=played.seat,
        tile=played.tile,
        end=rules_pb2.End.ValueType(outcome.laid_at),
        calls=spell.call_messages(outcome.calls),
        after=spell.state_message(outcome.state),
    )
    ended = events_pb2.HandEnded(
        end=spell.hand_end_message(outcome.hand_end),
        multiplier=outcome.state.multiplier,
        seed=seed,
    )
    events = [
        events_pb2.Event(played=last),
        events_pb2.Event(hand_ended=ended),
        events_pb2.Event(deal_committed=committed),
    ]
    return events_pb2.Commit(events=events).SerializeToString()


def _deal(dealt: events_pb2.Dealt, game: State) -> bytes:
    """The events of a deal, as they are stored."""
    turn = spell.Turn(game)
    began = events_pb2.TurnBegan(
        seat=turn.seat,
        choosing=turn.choosing,
        plays=turn.plays,
        must_pass=turn.must_pass,
        short_clock=turn.short_clock,
    )
    events = [events_pb2.Event(dealt=dealt), events_pb2.Event(turn_began=began)]
    return events_pb2.Commit(events=events).SerializeToString()
