"""What is true of every championship that was played to its end, whatever happened meanwhile."""

from collections import Counter

from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.log import Aggregate, Kind
from laelo_common.log.commit import verify_chain
from laelo_tournament.domain.ranking import awards
from laelo_tournament.domain.state import Championship

from .house import House, opened


async def check_story(house: House, championship: str) -> Championship:
    """Check a championship's log and its tables; its last state."""
    tail = await house.log.tail(Aggregate(Kind.CHAMPIONSHIP, championship), 0)
    assert verify_chain(tail) is None
    commits = await house.story(championship)
    commands = Counter(commit.head.command for commit in commits)
    assert max(commands.values()) == 1, commands
    events = [event for commit in commits for event in commit.events]
    kinds = Counter(event.WhichOneof("event") for event in events)
    called = [event.match_called for event in events if event.HasField("match_called")]
    decided = [event.match_decided for event in events if event.HasField("match_decided")]
    assert len({call.match for call in called}) == len({call.table for call in called})
    assert Counter(call.match for call in called) == Counter(one.match for one in decided)
    assert max(Counter(call.match for call in called).values()) == 1
    state = await house.state(championship)
    assert (kinds["started"], kinds["ended"], kinds["cancelled"]) == (1, 1, 0)
    assert kinds["team_placed"] == len(state.teams)
    assert state.stage == tournament_pb2.STAGE_OVER
    assert len(awards(state)) == len(state.players)
    check_tables(house, state)
    return state


def check_tables(house: House, state: Championship) -> None:
    """Each match was played at one table, by those whom the draw had put there."""
    tables = {t: o for t, o in opened(house).items() if o.championship == state.id}
    assert {o.match: t for t, o in tables.items()} == {
        match: call.table for match, call in state.called.items()
    }
    for table, options in tables.items():
        commits = house.tables.commits[table]
        assert [event.WhichOneof("event") for c in commits for event in c.events] == [
            "opened", "seat_taken_2", "seat_taken_2", "seat_taken_2", "seat_taken_2",
            "match_ended", "table_closed",
        ]  # fmt: skip
        call = state.called[options.match]
        team_a, team_b = state.teams[call.team_a - 1], state.teams[call.team_b - 1]
        taken = [event.seat_taken_2.person for event in commits[0].events[1:]]
        sitting = zip(team_a.players, team_b.players, strict=True)
        assert [one.player for one in taken] == [player for pair in sitting for player in pair]
        shown = zip(team_a.animals, team_b.animals, strict=True)
        assert [one.animal for one in taken] == [animal for pair in shown for animal in pair]
        end, decided = commits[1].events[0].match_ended.end, state.decided[options.match]
        assert (decided.score_a, decided.score_b) == (end.score_0, end.score_1)
        assert decided.winner == (call.team_b if end.team else call.team_a)
    asked = [c for c in house.tables.asked if c.kind == table_pb2.KIND_OPEN_MATCH]
    assert {(c.table, c.start_ms) for c in asked if c.options.championship == state.id} == {
        (call.table, call.starts_ms) for call in state.called.values()
    }
