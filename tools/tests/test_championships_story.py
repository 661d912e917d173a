"""The story of a championship: everything is told, but nobody who is hidden."""

import pytest
from laelo.tournament.v1 import events_pb2
from laelo_tools.championships.story import Story

from .cups import PLAYERS, SEED, begun, cancelled, copies, played


def told(commits: list[events_pb2.Commit], *, show_open: bool = False) -> str:
    return "\n".join(Story(show_open=show_open).tell(commits))


def until_placed(commits: list[events_pb2.Commit]) -> list[events_pb2.Commit]:
    """A championship up to the commit that places its first team."""
    for count, commit in enumerate(commits, start=1):
        if any(event.HasField("team_placed") for event in commit.events):
            return commits[:count]
    raise AssertionError("no team was placed")


def test_who_plays_stays_hidden_until_the_team_is_placed() -> None:
    commits = until_placed(copies(played()))
    story = told(commits)
    placed = [e.team_placed for c in commits for e in c.events if e.HasField("team_placed")]
    drawn = {
        e.team_drawn.number: e.team_drawn for e in commits[0].events if e.HasField("team_drawn")
    }
    shown = {player for team in placed for player in drawn[team.team].players}
    assert 0 < len(shown) < len(PLAYERS)
    assert {player for player in PLAYERS if player in story} == shown
    assert SEED.hex() not in story
    assert all(animal in story for team in drawn.values() for animal in team.animals)


@pytest.mark.parametrize("show_open", [True, False])
def test_all_is_told_when_it_is_over_or_asked_for(show_open: bool) -> None:
    for cup in (played(), cancelled(), *([begun()] if show_open else [])):
        story = told(copies(cup), show_open=show_open)
        assert all(player in story for player in PLAYERS)
        assert SEED.hex() in story


def test_every_event_has_its_line() -> None:
    story = told(copies(played()))
    state = played().state
    for match, called in state.called.items():
        decided = state.decided[match]
        assert f"{match}: team {called.team_a} against team {called.team_b}" in story
        assert f"{match}: team {decided.winner} wins; {decided.score_a}-{decided.score_b}" in story
        assert called.table in story
    for team in state.teams:
        assert f"team {team.number} has place" in story
    assert f"team {state.bracket.champion} is champion" in story
    assert story.startswith("2023-11-14 (UTC)\n   1  22:13:20.000  bronze begins with 8 players")
    assert "lia cancels it: the power is out" in told(copies(cancelled()))


def test_an_event_of_a_later_version_is_said_to_be_one() -> None:
    commits = copies(begun())
    commits[0].events.add()
    assert "does not know" in told(commits)
