"""`laelo log` at championships' tables: told by animals, and every lie about them is found."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_tools.history.story import Story
from laelo_tools.history.verify import verify_table

from .played import kit, recorded
from .test_log_verify import copies, index_of, rehashed

Commits = list[events_pb2.Commit]


@cache
def drawn(seed: int = 3, scale: float = 1.0) -> Any:
    """A championship's match to its table's end; not to be changed."""
    return kit().drawn_match(seed, scale=scale)


def fault_of(commits: Commits) -> str:
    """What is wrong with a history whose chain fits; empty = nothing."""
    faults = verify_table(kit().TABLE, recorded(rehashed(commits))).faults
    return faults[0].reason if faults else ""


@given(st.integers(0, 2**32), st.sampled_from((1.0, 0.3, 0.01)))
@settings(max_examples=10, deadline=None)
def test_championships_matches_are_good(seed: int, scale: float) -> None:
    game = kit().drawn_match(seed, scale=scale)
    report = verify_table(kit().TABLE, recorded(game.stored))
    assert (report.faults, report.commits) == ([], len(game.stored))
    assert report.moves > 0


def test_a_cancelled_table_is_good() -> None:
    game = kit().Game().open_match().begin_match()
    cancel = table_pb2.Command(command="cancel", kind=table_pb2.KIND_CANCEL)
    game.must(cancel)
    assert fault_of(copies(game)) == ""
    lie = copies(game)
    lie[-1].head.actor = log_pb2.ACTOR_CLOCK
    assert "who cancels" in fault_of(lie)


def _scale(commits: Commits) -> None:
    commits[0].events[0].opened.clock_scale = 0.5


def _clock(commits: Commits) -> None:
    commits[0].events[0].opened.options.move_seconds = 30


def _host(commits: Commits) -> None:
    commits[0].events[0].opened.host = "ana"


def _name(commits: Commits) -> None:
    commits[0].events[1].seat_taken_2.person.guest_name = "Ana"


def _bot(commits: Commits) -> None:
    commits[0].events[1].seat_taken_2.bot = table_pb2.BOT_LEVEL_SIMPLE


def _twice(commits: Commits) -> None:
    first, second = (commits[0].events[number].seat_taken_2.person for number in (1, 2))
    second.player = first.player


def _three(commits: Commits) -> None:
    del commits[0].events[4]


def _friendly(commits: Commits) -> None:
    commits[0].events[0].opened.options.championship = ""


def _by_hand(commits: Commits) -> None:
    at, _ = index_of(commits, "match_started")
    commits[at].head.command = "by-hand"


def _stands_in(commits: Commits) -> None:
    at, gone = index_of(commits, "person_gone")
    bot = events_pb2.BotStandsIn(seat=gone.seat, level=table_pb2.BOT_LEVEL_SIMPLE, fence=99)
    commits[at].events.add().bot_stands_in.CopyFrom(bot)


def _longer(commits: Commits) -> None:
    at, _ = index_of(commits, "match_ended")
    commits[at].head.deadline_ms += 1_000


def _sooner(commits: Commits) -> None:
    commits[-1].head.time_ms -= 1


def _empty(commits: Commits) -> None:
    commits[-1].events[0].table_closed.closing = events_pb2.CLOSING_EMPTY


def _named(commits: Commits) -> None:
    commits[-1].head.command = "over-1"


LIES: dict[Callable[[Commits], None], str] = {
    _scale: "deadline",
    _clock: "move clock (R20)",
    _host: "a host or a code",
    _name: "only as animals",
    _bot: "only people play",
    _twice: "in two seats",
    _three: "seats that are taken",
    _friendly: "at championships' tables only",
    _by_hand: "command",
    _stands_in: "(R33)",
    _longer: "deadline after the match",
    _sooner: "before its time is up",
    _empty: "closes after its match",
    _named: "command",
}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_about_a_championships_table_is_named(lie: Callable[[Commits], None]) -> None:
    commits = copies(drawn())
    assert fault_of(commits) == ""
    lie(commits)
    assert LIES[lie] in fault_of(commits)


def test_a_championships_match_is_told_by_animals() -> None:
    game = drawn(scale=0.5)
    told = "\n".join(Story().tell(game.commits))
    assert "15 s a move, may be watched, all times x 0.5" in told
    assert f"it is for W1-1 of championship {kit().CHAMPIONSHIP}" in told
    assert "seat 0: aratu" in told
    assert "aratu (0) lays" in told
    assert "the table is closed [clock]: its match is over" in told
    assert not any(player in told for player in kit().PEOPLE)
