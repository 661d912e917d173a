"""Examples of R34, and of what a commit and a message hold."""

import pytest
from laelo.log.v1 import log_pb2
from laelo.matchmaking.v1 import events_pb2
from laelo.tournament.v1 import events_pb2 as cup_events
from laelo_common.errors import Code
from laelo_matchmaking.domain.commands import (
    Call,
    HandOver,
    Join,
    Leave,
    MarkAway,
    MarkBack,
    Release,
)
from laelo_matchmaking.domain.evolve import UnknownEventError, evolve
from laelo_matchmaking.domain.exits import Exit, exit_of, players_of
from laelo_matchmaking.domain.outcome import IN_CHAMPIONSHIP
from laelo_matchmaking.domain.state import EMPTY, Times
from laelo_matchmaking.domain.telling import leavings, queue_message

from .kit import BRONZE, CALLED, ERASED, GOLD, SILVER, START_MS, TIMES, WISH, Line, people


def bronze() -> Line:
    """Eight in a championship, three who wait."""
    line = Line().join(*people(8))
    line.now_ms += TIMES.wait_ms
    line.call()
    return line.join("ana", "bia", "caio")


def test_joining_twice_changes_nothing() -> None:
    line = Line().join("ana", "bia")
    line.now_ms += 5000
    line.join("ana")
    assert line.waiting() == ["ana", "bia"]
    assert (line.state.version, line.state.line[0].joined_ms) == (2, START_MS)


def test_a_command_sent_late_again_is_not_done_again() -> None:
    line = Line()
    first = Join("ana", "same")
    line.must(first)
    line.leave("ana")
    line.must(first)
    assert line.waiting() == []


def test_the_same_id_of_another_person_is_another_command() -> None:
    line = Line()
    line.must(Join("ana", "1"))
    line.must(Join("bia", "1"))
    assert line.waiting() == ["ana", "bia"]


def test_leaving_loses_the_place() -> None:
    line = Line().join("ana", "bia")
    line.leave("ana")
    line.join("ana")
    assert line.waiting() == ["bia", "ana"]


def test_who_is_in_a_championship_cannot_join_until_their_team_is_out() -> None:
    line = bronze()
    assert line.do(Join("p001", "x")) == IN_CHAMPIONSHIP
    assert Code(IN_CHAMPIONSHIP.code) is Code.IN_CHAMPIONSHIP
    line.must(Release("c0001", 5, 5, ("p001", "p002")))
    line.join("p001")
    assert line.waiting() == ["ana", "bia", "caio", "p001"]
    assert line.do(Join("p003", "x")) == IN_CHAMPIONSHIP


def test_leaving_out_of_a_championship_changes_nothing_and_erasing_has_to_wait() -> None:
    line = bronze()
    line.leave("p001", WISH)
    assert "p001" in line.state.busy
    assert line.do(Leave("p001", "y", ERASED)) == IN_CHAMPIONSHIP  # type: ignore[arg-type]


def test_a_release_of_another_championship_frees_nobody() -> None:
    line = bronze()
    line.must(Release("c9999", 5, 5, None))
    line.must(Release("c0001", 5, 5, ("ana",)))
    assert len(line.state.busy) == 8
    assert line.state.sequence == 0


def test_after_a_cancelled_championship_the_old_place_is_kept_for_ten_minutes() -> None:
    line = bronze()
    line.must(Release("c0001", 9, 12, None, cancelled=True))
    assert line.state.sequence == 12
    line.now_ms += TIMES.kept_ms - 1
    line.join("p005", "davi", "p002")
    assert line.waiting() == ["p002", "p005", "ana", "bia", "caio", "davi"]
    line.now_ms += 1
    line.join("p001")
    assert line.waiting()[-1] == "p001"
    assert not line.state.kept


def test_the_wait_counts_from_the_new_joining() -> None:
    line = Line().join(*people(8))
    line.now_ms += TIMES.wait_ms
    line.call()
    line.must(Release("c0001", 9, 12, None, cancelled=True))
    line.now_ms += 1000
    line.join(*people(8))
    assert line.call() == []
    line.now_ms += TIMES.wait_ms - 1
    assert line.call() == []
    line.now_ms += 1
    assert [called.tier for called in line.call()] == [BRONZE]


def test_one_call_makes_all_championships_that_are_due() -> None:
    line = Line().join(*people(24))
    line.now_ms += TIMES.wait_ms
    called = line.call()
    assert [(c.tier, list(c.players)) for c in called] == [
        (SILVER, people(16)),
        (BRONZE, people(8, 17)),
    ]
    assert len({c.championship for c in called}) == 2
    assert line.state.version == 25
    assert not line.state.line


def test_thirty_three_leave_one_over_who_keeps_the_place() -> None:
    line = Line().join(*people(33))
    assert [called.tier for called in line.call()] == [GOLD]
    (left,) = line.state.line
    assert (left.player, left.ordinal, left.joined_ms) == ("p033", 33, START_MS)


def test_what_is_handed_over_is_pending_no_more() -> None:
    line = bronze()
    assert [c.championship for c in line.state.pending] == ["c0001"]
    line.must(HandOver("c0001"))
    version = line.state.version
    line.must(HandOver("c0001"))
    assert (line.state.pending, line.state.version) == ((), version)


def test_away_and_back_keep_the_place() -> None:
    line = Line().join("ana", "bia", "caio")
    line.must(MarkAway(3, (("bia", START_MS), ("ana", START_MS - 5), ("nobody", START_MS))))
    assert [place.away_ms for place in line.state.line] == [START_MS - 5, START_MS, 0]
    line.must(MarkBack(4, ("bia", "caio", "nobody")))
    assert [place.away_ms for place in line.state.line] == [START_MS - 5, 0, 0]
    assert line.waiting() == ["ana", "bia", "caio"]


def test_a_commit_says_who_made_it() -> None:
    line = bronze()
    heads = [commit.head for commit in line.commits]
    assert (heads[0].actor, heads[0].actor_id) == (log_pb2.ACTOR_PERSON, "p001")
    assert (heads[8].actor, heads[8].actor_id) == (log_pb2.ACTOR_CLOCK, "")
    assert heads[8].command == "call-8"
    assert heads[0].command == "p001.n1"


def test_what_is_told_of_a_queue() -> None:
    line = Line().join(*people(16))
    told = queue_message(line.state, TIMES.wait_ms)
    assert (told.next_tier, told.next_ms) == (SILVER, START_MS + TIMES.wait_ms)
    assert [place.player for place in told.places] == people(16)
    assert (told.version, told.wait_ms) == (16, TIMES.wait_ms)
    none = queue_message(EMPTY, TIMES.wait_ms)
    assert (none.next_tier, none.next_ms) == (0, 0)


def test_who_left_and_why() -> None:
    line = Line().join(*people(9))
    line.now_ms += TIMES.wait_ms
    line.must(Call(9))
    line.leave("p009")
    assert list(leavings(line.commits[-2])) == [(player, CALLED) for player in people(8)]
    assert list(leavings(line.commits[-1])) == [("p009", WISH)]


def test_an_event_of_a_newer_version_is_not_passed_over() -> None:
    with pytest.raises(UnknownEventError):
        evolve(EMPTY, events_pb2.Commit(events=[events_pb2.Event()]))


def test_scaled_times_are_never_nothing() -> None:
    assert Times().scaled(1) == Times()
    assert Times(wait_ms=0).scaled(0.001) == Times(1, 60, 3, 5, 600)


def cup(version: int, *events: cup_events.Event) -> cup_events.Commit:
    """A commit of a championship."""
    commit = cup_events.Commit(events=events)
    commit.head.aggregate, commit.head.version = "c0001", version
    return commit


def placed(team: int) -> cup_events.Event:
    return cup_events.Event(team_placed=cup_events.TeamPlaced(team=team))


def drawn(team: int, *players: str) -> cup_events.Event:
    return cup_events.Event(team_drawn=cup_events.TeamDrawn(number=team, players=players))


def test_who_is_out_by_a_commit() -> None:
    decided = cup_events.Event(match_decided=cup_events.MatchDecided())
    assert exit_of(cup(4, decided), 70) is None
    assert exit_of(cup(5, decided, placed(3), placed(1)), 71) == Exit(
        "c0001", 5, 71, (3, 1), everybody=False, cancelled=False
    )
    over = exit_of(cup(9, placed(2), cup_events.Event(ended=cup_events.ChampionshipEnded())), 80)
    assert over is not None
    assert (over.everybody, over.cancelled) == (True, False)
    off = cup_events.Event(cancelled=cup_events.ChampionshipCancelled())
    cancelled = exit_of(cup(9, off), 80)
    assert cancelled is not None
    assert (cancelled.everybody, cancelled.cancelled) == (True, True)


def test_players_of_teams() -> None:
    history = [cup(1, drawn(1, "a", "b"), drawn(2, "c", "d"), drawn(3, "e", "f")), cup(2)]
    assert players_of(history, (3, 1)) == ("a", "b", "e", "f")
    assert players_of([], (1,)) == ()
