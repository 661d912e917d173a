"""A championship's history, checked: chain, draw, bracket, places, and the tables' own logs.

What the service decided is decided anew from the same facts; the table of each match is
checked as `laelo log verify` does it, and whether it ended as the championship says.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError
from laelo.table.v1 import events_pb2 as table_pb2
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_common.log import Recorded, Snapshot
from laelo_common.log.commit import Fault, verify_chain
from laelo_tournament.domain.commands import AnyCommand, Cancel, Result, Start, actor_of
from laelo_tournament.domain.decide import decide
from laelo_tournament.domain.evolve import UnknownEventError, evolve
from laelo_tournament.domain.outcome import Facts, Refusal
from laelo_tournament.domain.state import NO_CHAMPIONSHIP, Championship
from laelo_tournament.domain.tables import Sitter

from laelo_tools.history.errors import WrongError, same
from laelo_tools.history.official import seats_taken
from laelo_tools.history.verify import verify_table

ReadTable = Callable[[str], Awaitable[tuple[list[Recorded], Snapshot | None]]]


class Report(NamedTuple):
    """What came out for one championship."""

    championship: str
    state: Championship
    tables: int
    faults: list[str]
    """What is wrong, in words; empty if all is well."""


async def verify(championship: str, records: Sequence[Recorded], read: ReadTable) -> Report:
    """Check all commits of a championship, and all tables of its matches."""
    if not records:
        return Report(championship, NO_CHAMPIONSHIP, 0, ["the log holds no such championship"])
    faults: list[str] = []
    broken = verify_chain(records)
    if broken is not None:
        faults.append(_words(broken))
    state, wrong = _decided_anew(records)
    if wrong is not None:
        faults.append(_words(wrong))
    tables = 0
    for match, called in state.called.items():
        found, seen = await _table(state, called, read)
        tables += seen
        faults += [f"{match}, table {called.table}: {fault}" for fault in found]
    return Report(championship, state, tables, faults)


def _words(fault: Fault) -> str:
    return f"commit {fault.version} (sequence {fault.sequence}): {fault.reason}"


# The championship's own log.


def _decided_anew(records: Sequence[Recorded]) -> tuple[Championship, Fault | None]:
    """The state at the end, or before the first commit that does not follow."""
    state = NO_CHAMPIONSHIP
    for version, record in enumerate(records, start=1):
        try:
            commit = events_pb2.Commit.FromString(record.data)
            _check(state, commit)
            state = evolve(state, commit)
        except WrongError as wrong:
            return state, Fault(record.sequence, version, str(wrong))
        except (DecodeError, UnknownEventError):
            return state, Fault(record.sequence, version, "it is no commit that can follow here")
    return state, None


def _check(before: Championship, commit: events_pb2.Commit) -> None:
    """Raise WrongError unless the same facts lead to this commit."""
    command = _command(commit)
    same("command", commit.head.command, command.command)
    same("actor", (commit.head.actor, commit.head.actor_id), actor_of(command))
    seed = commit.events[0].started.seed
    named = before._replace(id=commit.head.aggregate)
    facts = Facts(commit.head.time_ms, _pause(before, commit), seed)
    decision = decide(named, command, facts)
    if isinstance(decision, Refusal):
        raise WrongError(f"the rules refuse it: {decision.reason}")
    same("number of events", len(commit.events), len(decision))
    for number, (event, right) in enumerate(zip(commit.events, decision, strict=True), start=1):
        if event != right:  # told without what is in it: that may be hidden yet
            kind = right.WhichOneof("event")
            raise WrongError(f"its event {number} is not the {kind} that the rules say")


def _command(commit: events_pb2.Commit) -> AnyCommand:
    """What was asked for, as the first event tells."""
    first = commit.events[0] if commit.events else events_pb2.Event()
    match first.WhichOneof("event"):
        case "started":
            started = first.started
            return Start(commit.head.aggregate, started.tier, tuple(started.players))
        case "match_decided":
            one = first.match_decided
            return Result(one.match, one.winner, one.score_a, one.score_b, one.table_version)
        case "cancelled":
            return Cancel(first.cancelled.reason, commit.head.actor_id)
    raise WrongError("no commit of a championship begins like this")


def _pause(before: Championship, commit: events_pb2.Commit) -> int:
    """How long teams rested, as the first call tells: no rule says how far times are scaled."""
    for event in commit.events:
        if event.WhichOneof("event") == "match_called":
            called = event.match_called
            free = [
                before.teams[team - 1].free_ms
                for team in (called.team_a, called.team_b)
                if 0 < team <= len(before.teams)
            ]
            return called.starts_ms - max(commit.head.time_ms, *free, 0)
    return 0


# The tables.


async def _table(
    state: Championship, called: events_pb2.MatchCalled, read: ReadTable
) -> tuple[list[str], int]:
    """What is wrong at the table of a match, and whether there is one."""
    records, snapshot = await read(called.table)
    decided = state.decided.get(called.match)
    if not records:
        return (["the log holds no such table"] if decided is not None else []), 0
    report = verify_table(called.table, records, snapshot)
    if report.faults:
        return [_words(fault) for fault in report.faults], 1
    try:
        _check_table(state, called, [table_pb2.Commit.FromString(r.data) for r in records])
    except WrongError as wrong:
        return [str(wrong)], 1
    return [], 1


def _check_table(
    state: Championship, called: events_pb2.MatchCalled, commits: list[table_pb2.Commit]
) -> None:
    """Raise WrongError unless it is this match that was played, by these, with this end."""
    opened = commits[0].events[0].opened
    same("championship", opened.options.championship, state.id)
    same("match", opened.options.match, called.match)
    if list(_seated(commits[0])) != list(_drawn(state, called)):
        raise WrongError("others sit there than were drawn")
    decided = state.decided.get(called.match)
    ends = {
        commit.head.version: event.match_ended.end
        for commit in commits
        for event in commit.events
        if event.WhichOneof("event") == "match_ended"
    }
    if decided is None:
        if ends and state.stage == tournament_pb2.STAGE_OVER:
            raise WrongError("its end was never told to the championship")
        return
    same("commits in which the match ended", list(ends), [decided.table_version])
    end = ends[decided.table_version]
    same("winner", (called.team_a, called.team_b)[end.team], decided.winner)
    same("score", (end.score_0, end.score_1), (decided.score_a, decided.score_b))


def _seated(commit: table_pb2.Commit) -> Iterator[Sitter]:
    for taken in seats_taken(commit.events):
        yield Sitter(taken.person.player, taken.person.animal)


def _drawn(state: Championship, called: events_pb2.MatchCalled) -> Iterator[Sitter]:
    """Who has to sit in seats 0 to 3."""
    for place in (0, 1):
        for number in (called.team_a, called.team_b):
            team = state.teams[number - 1]
            yield Sitter(team.players[place], team.animals[place])
