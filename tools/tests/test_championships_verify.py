"""`laelo championships verify`: what was played is good, and every lie about it is found."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2 as table_pb2
from laelo.tournament.v1 import events_pb2
from laelo_tools.championships.verify import verify

from .cups import ID, Cup, begun, cancelled, copies, played, stored

Commits = list[events_pb2.Commit]


@pytest.mark.parametrize("cup", [begun(), played(), cancelled()], ids=["begun", "over", "ended"])
async def test_what_was_played_is_good(cup: Cup) -> None:
    report = await verify(ID, stored(copies(cup)), cup.read)
    assert report.faults == []
    assert report.tables == len(cup.tables)
    assert report.state == cup.state


async def test_a_championship_that_is_not_there() -> None:
    report = await verify(ID, [], played().read)
    assert report.faults == ["the log holds no such championship"]


async def test_a_changed_byte_breaks_the_chain() -> None:
    cup = played()
    records = stored(copies(cup))
    commit = events_pb2.Commit.FromString(records[2].data)
    commit.head.time_ms += 1
    records[2] = records[2].__class__(3, records[2].subject, commit.SerializeToString(), 0)
    faults = (await verify(ID, records, cup.read)).faults
    assert any(fault.startswith("commit 3 (sequence 3): its hash") for fault in faults)


def event(commits: Commits, kind: str) -> events_pb2.Event:
    """The first event of a kind."""
    return next(e for c in commits for e in c.events if e.HasField(kind))  # type: ignore[arg-type]


def _seed(commits: Commits) -> None:
    event(commits, "started").started.seed = bytes(32)


def _commitment(commits: Commits) -> None:
    event(commits, "started").started.commitment = bytes(32)


def _drawn(commits: Commits) -> None:
    drawn = event(commits, "team_drawn").team_drawn
    drawn.players[:] = reversed(drawn.players)


def _animal(commits: Commits) -> None:
    event(commits, "team_drawn").team_drawn.animals[0] = "aratu"


def _table(commits: Commits) -> None:
    event(commits, "match_called").match_called.table = "01J00000000000000000000000"


def _winner(commits: Commits) -> None:
    decided = event(commits, "match_decided").match_decided
    decided.winner = 3 - decided.winner


def _points(commits: Commits) -> None:
    event(commits, "team_placed").team_placed.points += 1


def _unplaced(commits: Commits) -> None:
    for commit in commits:
        for one in list(commit.events):
            if one.HasField("team_placed"):
                commit.events.remove(one)


def _champion(commits: Commits) -> None:
    ended = event(commits, "ended").ended
    ended.champion = ended.champion % 4 + 1


def _command(commits: Commits) -> None:
    commits[1].head.command = "result-F1"


def _actor(commits: Commits) -> None:
    commits[1].head.actor = log_pb2.ACTOR_OPERATOR


def _empty(commits: Commits) -> None:
    del commits[-1].events[:]


@pytest.mark.parametrize(
    "lie",
    [
        _seed, _commitment, _drawn, _animal, _table, _winner, _points, _unplaced, _champion,
        _command, _actor, _empty,
    ],
)  # fmt: skip
async def test_no_lie_passes_even_if_the_chain_fits(lie: Callable[[Commits], None]) -> None:
    cup = played()
    commits = copies(cup)
    lie(commits)
    assert (await verify(ID, stored(commits), cup.read)).faults


async def test_a_score_that_the_table_does_not_have() -> None:
    cup = played()
    commits = copies(cup)
    event(commits, "match_decided").match_decided.score_a += 1
    (fault,) = (await verify(ID, stored(commits), cup.read)).faults
    assert fault.startswith("W1-1, table ")
    assert "score" in fault


async def test_tables_that_are_missing_changed_or_of_others_are_named() -> None:
    cup = played()
    tables = list(cup.tables)

    async def faults(**changed: list[bytes]) -> list[str]:
        other = replace(cup, tables={**cup.tables, **changed})
        return (await verify(ID, stored(copies(cup)), other.read)).faults

    (missing,) = await faults(**{tables[0]: []})
    assert missing.endswith(f"table {tables[0]}: the log holds no such table")
    (swapped,) = await faults(**{tables[0]: cup.tables[tables[1]]})
    assert swapped.startswith(f"W1-1, table {tables[0]}: commit 1")
    cut = table_pb2.Commit.FromString(cup.tables[tables[2]][-1])
    cut.head.time_ms += 1
    changed = await faults(**{tables[2]: [*cup.tables[tables[2]][:-2], cut.SerializeToString()]})
    assert changed
    assert all(f"table {tables[2]}" in fault for fault in changed)
    (unfinished,) = await faults(**{tables[2]: cup.tables[tables[2]][:-1]})
    assert "commits in which the match ended" in unfinished


async def test_what_is_wrong_is_told_without_what_is_hidden() -> None:
    cup = begun()
    commits = copies(cup)
    _drawn(commits)
    (fault,) = (await verify(ID, stored(commits), cup.read)).faults
    assert "player" not in fault.partition(":")[2]
