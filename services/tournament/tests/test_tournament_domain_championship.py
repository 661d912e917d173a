"""A championship from its draw to its points, whatever is won by whom and when."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo.log.v1 import log_pb2
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_tournament.domain.commands import AnyCommand, Cancel, Result, Start
from laelo_tournament.domain.draw import commitment, draw
from laelo_tournament.domain.evolve import UnknownEventError, evolve
from laelo_tournament.domain.outcome import Refusal
from laelo_tournament.domain.ranking import Award, awards
from laelo_tournament.domain.snapshot import restore, save
from laelo_tournament.domain.state import NO_CHAMPIONSHIP, is_running
from laelo_tournament.domain.tables import calls, open_tables, table_of

from services.tournament.tests import brackets
from services.tournament.tests.championships import (
    ID,
    NOON_MS,
    PAUSE_MS,
    SEED,
    TIERS,
    WHOLE,
    Story,
    kinds,
    names,
    result,
)

COUNTS = st.sampled_from(sorted(TIERS))
CHANCE = st.randoms(use_true_random=False)
CANCEL = Cancel("the power is out", "maria")


# Whatever happens.


@WHOLE
@given(COUNTS, CHANCE)
def test_it_is_played_to_the_end_and_everybody_gets_what_their_place_is_worth(
    count: int, chance: Random
) -> None:
    story = Story().start(names(count)).to_the_end(chance)
    state = story.state
    assert state.stage == tournament_pb2.STAGE_OVER
    assert state.ended_ms == story.commits[-1].head.time_ms
    assert len(story.commits) - 1 in brackets.MATCHES[count // 2]
    booked = awards(state)
    assert sorted(award.player for award in booked) == sorted(names(count))
    assert sum(award.points for award in booked) == 2 * brackets.POINTS[count // 2]
    assert {award.at_ms for award in booked} == {state.ended_ms}
    for team in state.teams:
        assert team.place == state.bracket.placed[team.number]
        for player in team.players:
            assert Award(player, team.place.points, state.ended_ms) in booked


@WHOLE
@given(COUNTS, CHANCE)
def test_each_match_is_called_once_and_after_the_pause_of_both_teams(
    count: int, chance: Random
) -> None:
    story = Story().start(names(count))
    free = dict.fromkeys(range(1, count // 2 + 1), NOON_MS)
    check_calls(story, free)
    for call in story.rounds(chance):
        free[call.team_a] = free[call.team_b] = story.now_ms
        check_calls(story, free)
    called = [event.match_called.match for commit in story.commits for event in commit.events
              if event.HasField("match_called")]  # fmt: skip
    assert Counter(called) == Counter(story.state.bracket.results.keys())


def check_calls(story: Story, free: dict[int, int]) -> None:
    """What can be played is called, with the right people in the right seats (R41)."""
    state = story.state
    assert [call.match for call in calls(state)] == state.bracket.open
    assert sorted(open_tables(state)) == sorted(call.table for call in calls(state))
    for call in calls(state):
        first, second = state.teams[call.team_a - 1], state.teams[call.team_b - 1]
        assert (call.team_a, call.team_b) == state.bracket.matches[call.match]
        assert tuple(seat.player for seat in call.seats[::2]) == first.players
        assert tuple(seat.animal for seat in call.seats[::2]) == first.animals
        assert tuple(seat.player for seat in call.seats[1::2]) == second.players
        assert tuple(seat.animal for seat in call.seats[1::2]) == second.animals
        assert call.table == table_of(SEED, ID, call.match)
        assert call.starts_ms == max(free[call.team_a], free[call.team_b]) + PAUSE_MS


@WHOLE
@given(COUNTS, CHANCE)
def test_who_is_out_is_placed_in_the_commit_that_puts_them_out(count: int, chance: Random) -> None:
    story = Story().start(names(count))
    for call in story.rounds(chance):
        events = story.commits[-1].events
        defeats = Counter(loser for _, loser in story.state.bracket.results.values())
        (loser,) = {call.team_a, call.team_b} - {events[0].match_decided.winner}
        out = [loser] if defeats[loser] == 2 else []
        over = not is_running(story.state)
        champion = [story.state.bracket.champion] if over else []
        assert [e.team_placed.team for e in events if e.HasField("team_placed")] == out + champion
        assert any(e.HasField("ended") for e in events) == over


@WHOLE
@given(COUNTS, CHANCE)
def test_the_log_and_every_snapshot_tell_the_same_state(count: int, chance: Random) -> None:
    story = Story().start(names(count)).to_the_end(chance)
    state = NO_CHAMPIONSHIP
    for commit in story.commits:
        stored = events_pb2.Commit.FromString(commit.SerializeToString())
        state = evolve(state, stored)
        kept = save(state, b"digest")
        again = restore(events_pb2.Snapshot.FromString(kept.SerializeToString()))
        assert again == state
        assert (kept.head.version, kept.hash) == (state.version, b"digest")
    assert state == story.state


@WHOLE
@given(COUNTS, CHANCE)
def test_what_is_sent_again_changes_nothing(count: int, chance: Random) -> None:
    story = Story()
    start = Start(ID, TIERS[count], names(count))
    story.do(start)
    for call in story.rounds(chance):
        done = story.commits[-1].events[0].match_decided
        (loser,) = {call.team_a, call.team_b} - {done.winner}
        assert story.decided(result(call, done.winner)) == []
        assert code(story.decided(result(call, loser))) == "ALREADY_DECIDED"
        # A seed that is drawn for a second start draws nothing.
        assert story.decided(start, seed=bytes(32)) == []


@WHOLE
@given(COUNTS, CHANCE, st.integers(0, 31))
def test_it_can_be_cancelled_until_it_is_over(count: int, chance: Random, matches: int) -> None:
    story = Story().start(names(count))
    for _ in zip(range(matches), story.rounds(chance), strict=False):
        pass
    before = story.state
    if not is_running(before):
        assert code(story.decided(CANCEL)) == "CHAMPIONSHIP_OVER"
        return
    assert kinds(story.do(CANCEL)) == ["cancelled"]
    after = story.state
    assert (after.stage, after.reason) == (tournament_pb2.STAGE_CANCELLED, CANCEL.reason)
    assert after.ended_ms == story.now_ms
    assert awards(after) == []
    assert calls(after) == []
    assert open_tables(after) == [call.table for call in sorted_by_call(before)]
    assert story.decided(Cancel("again", "edu")) == []
    for call in calls(before):
        assert code(story.decided(result(call, call.team_a))) == "CHAMPIONSHIP_OVER"


def sorted_by_call(state: Any) -> list[Any]:
    """The calls of a state in the order in which they were made."""
    order = list(state.called)
    return sorted(calls(state), key=lambda call: order.index(call.match))


# The start.


def test_a_start_draws_the_teams_and_calls_the_first_round() -> None:
    story = Story()
    events = story.do(Start(ID, tournament_pb2.TIER_BRONZE, names(8)))
    assert kinds(events) == ["started"] + ["team_drawn"] * 4 + ["match_called"] * 2
    assert events[0].started.commitment == commitment(SEED)
    drawn = draw(SEED, names(8))
    assert [(team.players, team.animals) for team in story.state.teams] == drawn
    head = story.commits[0].head
    assert (head.aggregate, head.version, head.command) == (ID, 1, "start")
    assert (head.actor, head.time_ms, head.previous) == (log_pb2.ACTOR_CLOCK, NOON_MS, b"")


@pytest.mark.parametrize(
    ("tier", "players", "expected"),
    [
        (tournament_pb2.TIER_UNSPECIFIED, names(8), "BAD_SIZE"),
        (9, names(8), "BAD_SIZE"),
        (tournament_pb2.TIER_BRONZE, names(7), "BAD_REQUEST"),
        (tournament_pb2.TIER_BRONZE, names(16), "BAD_REQUEST"),
        (tournament_pb2.TIER_SILVER, names(8), "BAD_REQUEST"),
        (tournament_pb2.TIER_BRONZE, (*names(7), "player-01"), "BAD_REQUEST"),
        (tournament_pb2.TIER_BRONZE, (*names(7), ""), "BAD_REQUEST"),
    ],
)
def test_a_start_that_makes_no_sense(tier: Any, players: tuple[str, ...], expected: str) -> None:
    assert code(Story().decided(Start(ID, tier, players))) == expected


def test_a_start_needs_a_whole_seed() -> None:
    start = Start(ID, tournament_pb2.TIER_BRONZE, names(8))
    assert code(Story().decided(start, seed=b"short")) == "BAD_REQUEST"


@pytest.mark.parametrize(
    ("tier", "players"),
    [
        (tournament_pb2.TIER_BRONZE, names(8, "other")),
        (tournament_pb2.TIER_BRONZE, names(8)[::-1]),
        (tournament_pb2.TIER_SILVER, names(16)),
    ],
)
def test_another_start_under_the_same_id(tier: Any, players: tuple[str, ...]) -> None:
    story = Story().start(names(8))
    assert code(story.decided(Start(ID, tier, players))) == "BAD_REQUEST"


# Other refusals.


@pytest.mark.parametrize("command", [Result("W1-1", 1, 6, 0, 1), CANCEL])
def test_nobody_has_begun_it(command: AnyCommand) -> None:
    assert code(Story().decided(command)) == "UNKNOWN_CHAMPIONSHIP"


@pytest.mark.parametrize(
    ("match", "winner", "expected"),
    [
        ("L9-1", 1, "UNKNOWN_MATCH"),
        ("F2", 1, "UNKNOWN_MATCH"),
        ("W2-1", 1, "NOT_READY"),
        ("W1-2", 1, "NOT_IN_MATCH"),
    ],
)
def test_a_result_that_cannot_be(match: str, winner: int, expected: str) -> None:
    story = Story().start(names(8))
    assert code(story.decided(Result(match, winner, 6, 0, 1))) == expected


@pytest.mark.parametrize(
    ("reason", "operator", "fine"),
    [
        ("x", "maria", True),
        ("x" * 200, "maria", True),
        ("", "maria", False),
        ("   ", "maria", False),
        ("x" * 201, "maria", False),
        ("x", "", False),
    ],
)
def test_who_cancels_says_why_and_who_they_are(reason: str, operator: str, fine: bool) -> None:
    came = Story().start(names(8)).decided(Cancel(reason, operator))
    assert code(came) == (None if fine else "BAD_REQUEST")


def test_the_log_names_who_cancelled() -> None:
    story = Story().start(names(8))
    story.do(CANCEL)
    head = story.commits[-1].head
    assert (head.actor, head.actor_id) == (log_pb2.ACTOR_OPERATOR, "maria")
    assert head.command == "cancel"


# The second final.


def test_the_second_final_is_called_when_the_undefeated_lose_the_first() -> None:
    story = Story().start(names(8))
    while (call := calls(story.state)[0]).match != "F1":
        story.play(call, call.team_a)
    events = story.play(call, call.team_b)
    assert kinds(events) == ["match_decided", "match_called"]
    (second,) = calls(story.state)
    assert (second.match, second.team_a, second.team_b) == ("F2", call.team_a, call.team_b)
    assert second.starts_ms == story.now_ms + PAUSE_MS
    assert second.table != call.table
    events = story.play(second, second.team_a)
    assert kinds(events) == ["match_decided", "team_placed", "team_placed", "ended"]
    assert events[-1].ended.champion == second.team_a


def test_a_clock_that_is_behind_shortens_no_pause() -> None:
    story = Story().start(names(8))
    one, other = calls(story.state)
    story.now_ms = NOON_MS + 60_000
    story.play(one, one.team_a)
    story.now_ms -= 5_000
    story.play(other, other.team_a)
    assert {call.starts_ms for call in calls(story.state)} == {NOON_MS + 60_000 + PAUSE_MS}


# Commits of the future.


def test_an_event_that_nobody_knows_is_not_skipped() -> None:
    commit = events_pb2.Commit(head=log_pb2.Head(aggregate=ID, version=1))
    commit.events.add()
    with pytest.raises(UnknownEventError, match=ID):
        evolve(NO_CHAMPIONSHIP, commit)


def test_an_event_that_cannot_follow_is_not_skipped() -> None:
    story = Story().start(names(8))
    commit = events_pb2.Commit(head=log_pb2.Head(aggregate=ID, version=2))
    commit.events.add().match_decided.match = "F1"
    with pytest.raises(UnknownEventError, match="not known yet"):
        evolve(story.state, commit)


def code(came: list[events_pb2.Event] | Refusal) -> str | None:
    return came.code if isinstance(came, Refusal) else None
