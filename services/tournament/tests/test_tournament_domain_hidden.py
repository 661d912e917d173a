"""R40: nothing that leaves tells who somebody is before their team is out or champion.

Two championships that differ only in who the players are look the same from outside, byte for
byte, but for the players of the teams that are placed.
"""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from laelo.tournament.v1 import tournament_pb2
from laelo_tournament.domain.commands import Cancel
from laelo_tournament.domain.draw import commitment, draw
from laelo_tournament.domain.public import entries, public, without_matches
from laelo_tournament.domain.state import Championship, is_running
from laelo_tournament.domain.tables import calls

from services.tournament.tests.championships import SEED, TIERS, WHOLE, Story, names

COUNTS = st.sampled_from(sorted(TIERS))
CHANCE = st.randoms(use_true_random=False)


def shown(state: Championship) -> tuple[tournament_pb2.Championship, ...]:
    """All that leaves."""
    return public(state), without_matches(state)


def without_placed(state: Championship) -> list[bytes]:
    """The same but for what may be told of the teams that are out, or champion."""
    blacked = shown(state)
    for message in blacked:
        for team in message.teams:
            if state.teams[team.number - 1].place is not None:
                team.ClearField("players")
    return [message.SerializeToString(deterministic=True) for message in blacked]


@WHOLE
@given(COUNTS, CHANCE, st.randoms(use_true_random=False))
def test_who_the_players_are_changes_nothing_until_they_are_placed(
    count: int, chance: Random, order: Random
) -> None:
    others = [*names(count)]
    order.shuffle(others)
    mine, theirs = Story().start(names(count)), Story().start(tuple(others))
    strange = Story().start(names(count, "stranger"))
    for call in mine.rounds(chance):
        winner = mine.state.decided[call.match].winner
        for story in (theirs, strange):
            story.now_ms = mine.now_ms
            (same,) = [c for c in calls(story.state) if c.match == call.match]
            story.play(same, winner)
        if is_running(mine.state):
            expected = without_placed(mine.state)
            assert without_placed(theirs.state) == expected
            assert without_placed(strange.state) == expected


@WHOLE
@given(COUNTS, CHANCE)
def test_only_the_players_of_placed_teams_are_in_what_leaves(count: int, chance: Random) -> None:
    story = Story().start(names(count))
    check_bytes(story.state)
    for _ in story.rounds(chance):
        check_bytes(story.state)


def check_bytes(state: Championship) -> None:
    """Neither another player nor the seed is anywhere while it runs."""
    if not is_running(state):
        return
    for message in shown(state):
        data = message.SerializeToString()
        assert SEED not in data
        for team in state.teams:
            told = message.teams[team.number - 1]
            for player in team.players:
                assert (player.encode() in data) == (team.place is not None)
            if team.place is None:
                assert (told.best, told.worst, told.points) == (0, 0, 0)
            else:
                assert tuple(told.players) == team.players
                assert (told.best, told.worst, told.points) == team.place


@WHOLE
@given(COUNTS, CHANCE)
def test_when_it_is_over_anybody_can_check_the_draw(count: int, chance: Random) -> None:
    state = Story().start(names(count)).to_the_end(chance).state
    told = public(state)
    assert commitment(told.seed) == told.commitment
    assert tuple(told.players) == names(count)
    assert [(tuple(team.players), tuple(team.animals)) for team in told.teams] == draw(
        told.seed, told.players
    )


@WHOLE
@given(COUNTS, CHANCE, st.integers(0, 6))
def test_when_it_is_cancelled_too(count: int, chance: Random, matches: int) -> None:
    story = Story().start(names(count))
    for _ in zip(range(matches), story.rounds(chance), strict=False):
        pass
    if not is_running(story.state):
        return
    story.do(Cancel("the power is out", "maria"))
    told = public(story.state)
    assert (told.seed, tuple(told.players)) == (SEED, names(count))
    assert (told.stage, told.reason) == (tournament_pb2.STAGE_CANCELLED, "the power is out")
    # A team that was still in has no place, and is not shown as one that has.
    for team in story.state.teams:
        assert bool(told.teams[team.number - 1].players) == (team.place is not None)
    assert "maria" not in str(told)


@WHOLE
@given(COUNTS, CHANCE)
def test_the_matches_are_those_of_the_bracket(count: int, chance: Random) -> None:
    story = Story().start(names(count))
    for call in story.rounds(chance):
        state = story.state
        told = {match.id: match for match in public(state).matches}
        assert list(told) == list(state.bracket.matches)
        for name, (team_a, team_b) in state.bracket.matches.items():
            match = told[name]
            assert (match.team_a or None, match.team_b or None) == (team_a, team_b)
            assert bool(match.table) == bool(match.starts_ms) == (name in state.called)
            assert bool(match.winner) == (name in state.decided)
        won = told[call.match]
        assert (won.score_a, won.score_b) == ((6, 3) if won.winner == call.team_a else (3, 6))
        assert public(state).champion == (state.bracket.champion or 0)
        assert not without_matches(state).matches


def test_an_entry_says_who_is_which_animal() -> None:
    state = Story().start(names(8)).state
    assert [(e.player, e.team, e.place, e.animal) for e in entries(state)] == [
        (team.players[place], team.number, place, team.animals[place])
        for team in state.teams
        for place in (0, 1)
    ]
