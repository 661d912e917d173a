"""A championship whose log makes no sense is given up; all others are shown and recorded."""

import asyncio
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import zip_longest
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.tournament.v1 import events_pb2
from laelo_common.errors import LaeloError
from laelo_common.log import Aggregate, Kind, MemoryLog, Recorded, read_pages
from laelo_common.testing.waiting import until
from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.domain.fitting import misfit
from laelo_tournament.domain.public import entries, public
from laelo_tournament.domain.ranking import awards
from laelo_tournament.domain.state import Championship
from laelo_tournament.domain.tables import calls, open_tables
from laelo_tournament.domain.weeks import week_of
from laelo_tournament.mirror import NOTHING, Mirror, fold
from laelo_tournament.ports import Records
from laelo_tournament.records import Recorder, Remaking

from .championships import ID, NOON_MS, WHOLE, Story, names
from .conftest import Server
from .house import House
from .memory_records import MemoryRecords

Commits = list[events_pb2.Commit]
GOOD = 99


def played(number: int) -> Commits:
    """A championship from its beginning to its end, under an id of its own."""
    chance = Random(number)
    story = Story().start(names(8), chance.randbytes(32)).to_the_end(chance)
    return renamed(story.commits, f"{number:026}")


def renamed(commits: Commits, championship: str) -> Commits:
    """The same of another championship."""
    for commit in commits:
        commit.head.aggregate = championship
    return commits


def _events(commits: Commits, kind: str) -> Iterable[events_pb2.Event]:
    return [event for one in commits for event in one.events if event.HasField(kind)]  # type: ignore[arg-type]


def _empty_name(commits: Commits) -> None:
    for event in _events(commits, "team_drawn"):
        event.team_drawn.players[0] += "\0"


def _long_name(commits: Commits) -> None:
    for event in _events(commits, "team_drawn"):
        event.team_drawn.players[0] += Random(1).randbytes(4000).hex()


def _twice_drawn(commits: Commits) -> None:
    for event in _events(commits, "team_drawn"):
        event.team_drawn.players[0] = "the same everywhere"


def _same_number(commits: Commits) -> None:
    for event in _events(commits, "team_drawn"):
        event.team_drawn.number = 1


def _great_number(commits: Commits) -> None:
    for event in _events(commits, "team_drawn"):
        event.team_drawn.number += 2**31


def _no_points(commits: Commits) -> None:
    for event in _events(commits, "team_placed"):
        event.team_placed.points = 0


def _many_points(commits: Commits) -> None:
    for event in _events(commits, "team_placed"):
        event.team_placed.points = 2**31 - 1


def _late(commits: Commits) -> None:
    commits[-1].head.time_ms = 2**62


def _too_early(commits: Commits) -> None:
    commits[0].head.time_ms = -(2**63)


def _nobody_called(commits: Commits) -> None:
    for event in _events(commits, "match_called"):
        event.match_called.team_a = 2**32 - 1


def _not_begun(commits: Commits) -> None:
    del commits[1:]
    del commits[0].events[:]


def _anothers(commits: Commits) -> None:
    renamed(commits, f"{GOOD:026}")


def _again(commits: Commits) -> None:
    commits += [events_pb2.Commit.FromString(one.SerializeToString()) for one in commits]


SENSELESS: list[Callable[[Commits], None]] = [
    _empty_name,
    _long_name,
    _twice_drawn,
    _same_number,
    _great_number,
    _no_points,
    _many_points,
    _late,
    _too_early,
    _nobody_called,
    _not_begun,
    _anothers,
]
"""Of each of these PostgreSQL, or who reads it, would refuse something for ever."""


def recorded(stories: dict[str, Commits], previous: int = 0) -> list[Recorded]:
    """These in one log, all at the same time."""
    rows = zip_longest(*([(name, one) for one in story] for name, story in stories.items()))
    found = [commit for row in rows for commit in row if commit]
    return [
        Recorded(
            place,
            Aggregate(Kind.CHAMPIONSHIP, name).subject,
            commit.SerializeToString(),
            commit.head.time_ms,
        )
        for place, (name, commit) in enumerate(found, previous + 1)
    ]


def spoilt() -> dict[str, Commits]:
    """Championships each with something in it that cannot be, one that is over twice, and one
    that is good.
    """
    stories: dict[str, Commits] = {}
    for number, spoil in enumerate(SENSELESS):
        story = stories[f"{number:026}"] = played(number)
        spoil(story)
    stories[f"{GOOD:026}"] = played(GOOD)
    twice = stories[f"{GOOD + 1:026}"] = played(GOOD + 1)
    _again(twice)
    return stories


def a_log() -> MemoryLog:
    """All of them."""
    log = MemoryLog(lambda: NOON_MS)
    log._streams["TRN"] = recorded(spoilt())
    return log


KEPT = [f"{GOOD:026}", f"{GOOD + 1:026}"]


async def check_recorded(log: MemoryLog, records: Records) -> None:
    """Whoever records gives up what cannot be kept, and goes on."""
    last = len(log._streams["TRN"])
    async with House(log=log, records=records).replica() as replica:
        await until(lambda: replica.mirror.position == last)
        async with asyncio.timeout(20):
            await replica.recorder.recorded_to(last)
        assert replica.recorder.failures == 0
        assert replica.recorder.given_up == len(SENSELESS) + 1
    assert sorted(one.id for one in await records.ended(100, "")) == KEPT
    week = week_of(NOON_MS)
    assert (await records.standing(week, 100, "")).weeks == [week]


async def test_what_makes_no_sense_stops_no_record() -> None:
    records = MemoryRecords()
    await check_recorded(a_log(), records)
    assert sorted(records.booked) == KEPT
    anew = MemoryRecords()
    remaking = Remaking(anew)
    log = a_log()
    last = len(log._streams["TRN"])
    assert await remaking.take(read_pages(log, Kind.CHAMPIONSHIP, 0, last)) == last
    assert (anew.booked, anew.states) == (records.booked, records.states)


@pytest.mark.integration
async def test_what_postgres_could_not_keep_stops_no_record(server: Server) -> None:
    async with server.records() as records:
        await check_recorded(a_log(), records)


@pytest.mark.integration
async def test_what_is_over_again_after_it_was_recorded_is_recorded_once(server: Server) -> None:
    """Also by a replica that never saw it being over for the first time."""
    story = {KEPT[0]: played(GOOD)}
    other = {KEPT[1]: played(GOOD + 1)}
    async with server.database() as database:
        await database.reach()
        records = PostgresRecords(database)
        log = MemoryLog(lambda: NOON_MS)
        first = recorded(story)
        log._streams["TRN"] = first
        recorder = await recorded_by(log, records)
        assert recorder.given_up == 0
        again = MemoryLog(lambda: NOON_MS)
        again._streams["TRN"] = first + recorded(story | other, len(first))
        assert (await recorded_by(again, records)).given_up == 1
        assert sorted(one.id for one in await records.ended(100, "")) == KEPT


async def recorded_by(log: MemoryLog, records: Records) -> Recorder:
    """A recorder that has recorded all of a log."""
    async with House(log=log, records=records).replica() as replica:
        async with asyncio.timeout(20):
            await replica.recorder.recorded_to(len(log._streams["TRN"]))
        return replica.recorder


MATCHES = st.sampled_from(["W1-1", "W1-2", "W2-1", "L1-1", "F1", "F2", "", "another"])
numbers = st.integers(0, 9) | st.sampled_from([2**15, 2**31, 2**32 - 1])
texts = st.sampled_from(["", "player", "\0", "x" * 5000])
moments = st.sampled_from([0, NOON_MS, -1, 2**63 - 1, -(2**63)])
many = st.lists(texts, max_size=3)
event = st.one_of(
    st.builds(
        lambda **kw: events_pb2.Event(started=events_pb2.ChampionshipStarted(**kw)),
        tier=st.integers(0, 4),
        players=many,
    ),
    st.builds(
        lambda **kw: events_pb2.Event(team_drawn=events_pb2.TeamDrawn(**kw)),
        number=numbers,
        players=st.lists(texts, min_size=2, max_size=2) | many,
        animals=st.lists(texts, min_size=2, max_size=2) | many,
    ),
    st.builds(
        lambda **kw: events_pb2.Event(match_called=events_pb2.MatchCalled(**kw)),
        match=MATCHES,
        team_a=numbers,
        team_b=numbers,
        table=texts,
        starts_ms=moments,
    ),
    st.builds(
        lambda **kw: events_pb2.Event(match_decided=events_pb2.MatchDecided(**kw)),
        match=MATCHES,
        winner=numbers,
    ),
    st.builds(
        lambda **kw: events_pb2.Event(team_placed=events_pb2.TeamPlaced(**kw)),
        team=numbers,
        best=numbers,
        worst=numbers,
        points=numbers,
    ),
    st.just(events_pb2.Event(ended=events_pb2.ChampionshipEnded())),
    st.just(events_pb2.Event(cancelled=events_pb2.ChampionshipCancelled(reason="x"))),
)
PLAYED = Story().start(names(8)).to_the_end(Random(1)).commits


def look(state: Championship) -> None:
    """All that is made of a championship, as by those who listen."""
    calls(state)
    open_tables(state)
    public(state)
    entries(state)


@given(
    st.integers(0, len(PLAYED)),
    st.lists(st.tuples(moments, st.lists(event, min_size=1, max_size=2)), max_size=4),
)
@settings(WHOLE, max_examples=150)
def test_a_state_that_can_be_folded_can_be_shown(
    good: int, more: list[tuple[int, list[events_pb2.Event]]]
) -> None:
    """After any events whatever that follow on any part of a championship."""
    commits = [*PLAYED[:good]]
    for time_ms, events in more:
        commit = events_pb2.Commit(events=events)
        commit.head.aggregate, commit.head.version = ID, len(commits) + 1
        commit.head.time_ms = time_ms
        commit.head.previous = sha256(commits[-1].SerializeToString()).digest() if commits else b""
        commits.append(commit)
    folded = NOTHING
    mirror = Mirror(MemoryLog(lambda: NOON_MS))
    mirror.listen(look)
    for one in recorded({ID: commits}):
        mirror.take_in(one)
        try:
            folded = fold(folded, one)
        except LaeloError:
            return
        awards(folded.state)
        misfit(folded.state)
