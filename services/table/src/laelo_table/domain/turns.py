"""How a turn begins and how long it lasts (R20, R25)."""

from collections.abc import Sequence
from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2

from laelo_table.domain.outcome import Decision, Facts
from laelo_table.domain.state import Seat, Table

SHORT_MS: Final = 3_000


def scaled(milliseconds: int, scale: float) -> int:
    """How long something lasts at a table whose times are scaled: never nothing at all, unless
    it is nothing anyway.
    """
    return milliseconds if scale == 1 else min(milliseconds, max(1, round(milliseconds * scale)))


def new_turn(
    commit: events_pb2.Commit,
    verdict: rules_pb2.JudgeResponse,
    state: Table,
    seats: Sequence[Seat],
    facts: Facts,
) -> Decision:
    """The events and the turn that follows them; `seats` is who sits afterwards."""
    after, begun = verdict.after, commit.events.add().turn_began
    begun.seat = after.turn
    begun.choosing = after.phase == rules_pb2.PHASE_CHOOSE_OPENER
    begun.plays = verdict.plays
    begun.must_pass = verdict.must_pass
    begun.short_clock = verdict.short_clock
    bots = bool(seats[begun.seat].bot)
    if bots:
        wait_ms = bot_wait_ms(state, facts)
    elif state.move_seconds:
        wait_ms = clock_ms(state.move_seconds, state.scale, short=begun.short_clock)
    else:
        return Decision(commit, 0, opens_turn=True)
    return Decision(commit, facts.now_ms + wait_ms, opens_turn=True, nobodys=bots)


def clock_ms(move_seconds: int, scale: float, *, short: bool) -> int:
    """How long a person's turn lasts. The short clock is never the longer one."""
    long_ms = move_seconds * 1000
    return scaled(min(SHORT_MS, long_ms) if short else long_ms, scale)


def given_to_person_ms(state: Table, seat: int, facts: Facts) -> int:
    """The deadline of the open turn once a person has taken a seat from a bot: if it is that
    seat's turn, what is left of the person's own clock, and the short one at least.
    """
    if state.begun is None or state.begun.seat != seat or not state.seats[seat].bot:
        return state.deadline_ms
    if not state.move_seconds:
        return 0
    own_ms = clock_ms(state.move_seconds, state.scale, short=state.begun.short_clock)
    least_ms = facts.now_ms + clock_ms(state.move_seconds, state.scale, short=True)
    return max(state.turn_ms + own_ms + state.given_back_ms, least_ms)


def bot_wait_ms(state: Table, facts: Facts) -> int:
    """How long a bot waits: the same whatever it may play, or the wait would tell its tiles."""
    if not state.move_seconds:
        return facts.delay_ms
    return min(facts.delay_ms, clock_ms(state.move_seconds, state.scale, short=True))


def handed_over_ms(state: Table, seat: int, facts: Facts) -> int:
    """The deadline of the open turn once a bot has taken a seat: sooner, if it is its turn."""
    if state.begun is None or state.begun.seat != seat:
        return state.deadline_ms
    soon = facts.now_ms + bot_wait_ms(state, facts)
    return min(soon, state.deadline_ms) if state.deadline_ms else soon
