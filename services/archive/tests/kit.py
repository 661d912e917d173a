"""Logs to be archived: matches that were really played, under ids of their own, mixed up."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from laelo.matchmaking.v1 import events_pb2 as queue_events
from laelo.table.v1 import events_pb2 as table_events
from laelo.tournament.v1 import events_pb2 as championship_events
from laelo_archive.domain.project import NOTHING, Known, Stream, project
from laelo_archive.domain.rows import Row
from laelo_common.log import Aggregate, Kind, MemoryLog, Recorded

from services.table.tests.kit import PEOPLE, Game, drawn_match, lively_match, random_match
from services.tournament.tests.championships import Story, names

KINDS = {Stream(kind.stream): kind for kind in Kind}
PARSE: dict[Kind, Any] = {
    Kind.TABLE: table_events.Commit.FromString,
    Kind.CHAMPIONSHIP: championship_events.Commit.FromString,
    Kind.QUEUE: queue_events.Commit.FromString,
}
START_MS = 1_700_000_000_000
Histories = dict[Aggregate, list[bytes]]


def an_id(number: int, prefix: str = "T") -> str:
    """Ids that are ordered as their numbers."""
    return f"{prefix}{number:025}"


def retold(
    stored: Iterable[bytes],
    aggregate: Aggregate,
    *,
    ahead_ms: int = 0,
    championship: str = "",
    people: Mapping[str, str] | None = None,
    guests: bool = False,
) -> list[bytes]:
    """The same story of another table or championship: chain, times and people are its own.

    Unless they are guests, people sit down as events of version 1 told it.
    """
    told: list[bytes] = []
    for data in stored:
        commit = PARSE[aggregate.kind](data)
        head = commit.head
        head.aggregate = aggregate.id
        head.previous = sha256(told[-1]).digest() if told else b""
        head.time_ms += ahead_ms
        for event in commit.events:
            if event.WhichOneof("event") == "opened" and championship:
                event.opened.options.championship = championship
            if event.WhichOneof("event") == "seat_taken_2" and event.seat_taken_2.HasField(
                "person"
            ):
                person = event.seat_taken_2.person
                person.player = (people or {}).get(person.player, person.player)
                if not guests:
                    event.seat_taken.CopyFrom(as_of_old(event.seat_taken_2))
        told.append(commit.SerializeToString())
    return told


def as_of_old(taken: table_events.SeatTaken2) -> table_events.SeatTaken:
    """Somebody with an account sits down, as it was told in version 1: with their name."""
    person = taken.person
    return table_events.SeatTaken(
        seat=taken.seat,
        fence=taken.fence,
        player=person.player,
        window=person.window,
        name=person.guest_name,
        animal=person.animal,
    )


def a_match(seed: int) -> Game:
    """A match of any kind that is not a championship's."""
    played = lively_match if seed % 2 else random_match
    return played(seed, 1 + seed % 4, (0, 15)[seed // 2 % 2])


def some_histories(chance: random.Random, count: int = 5) -> Histories:
    """Tables, one championship with some of its tables, and a queue."""
    histories: Histories = {}
    for number in range(count):
        table = Aggregate(Kind.TABLE, an_id(number))
        people = dict(zip(PEOPLE, chance.sample([f"p{n}" for n in range(8)], 4), strict=True))
        game = a_match(chance.randrange(2**32))
        histories[table] = retold(
            game.stored[: chance.randrange(1, 2 * len(game.stored))],
            table,
            ahead_ms=number * 86_400_000,
            people=people,
            guests=bool(number % 2),
        )
    histories |= a_championship(chance)
    queue = Aggregate(Kind.QUEUE, "main")
    commits: list[bytes] = []
    for number in range(1, 8):
        joined = queue_events.Event(joined=queue_events.PlayerJoined(player=f"p{number}"))
        commit = queue_events.Commit(events=[joined])
        commit.head.aggregate, commit.head.version = "main", number
        commit.head.previous = sha256(commits[-1]).digest() if commits else b""
        commits.append(commit.SerializeToString())
    histories[queue] = commits
    return histories


def a_championship(chance: random.Random) -> Histories:
    """A bronze championship, played to its end or cut short, and tables of its first round."""
    championship = Aggregate(Kind.CHAMPIONSHIP, an_id(1, "C"))
    story = Story().start(names(8), chance.randbytes(32)).to_the_end(chance)
    stored = [commit.SerializeToString() for commit in story.commits]
    histories = {championship: retold(stored[: chance.randrange(1, len(stored) + 1)], championship)}
    teams = story.state.teams
    for number, (a, b) in enumerate(((0, 1), (2, 3))):
        one, other = teams[a].players, teams[b].players
        game = drawn_match(chance.randrange(2**32), (one[0], other[0], one[1], other[1]))
        table = Aggregate(Kind.TABLE, an_id(90 + number))
        histories[table] = retold(game.stored, table, championship=championship.id)
    return histories


def mixed(chance: random.Random, histories: Histories) -> dict[str, list[Recorded]]:
    """The streams of a log in which all of it happened at once."""
    streams: dict[str, list[Recorded]] = {kind.stream: [] for kind in Kind}
    turns = [aggregate for aggregate, commits in histories.items() for _ in commits]
    chance.shuffle(turns)
    told: defaultdict[Aggregate, int] = defaultdict(int)
    for aggregate in turns:
        stream = streams[aggregate.kind.stream]
        data = histories[aggregate][told[aggregate]]
        told[aggregate] += 1
        stream.append(Recorded(len(stream) + 1, aggregate.subject, data, START_MS + len(stream)))
    return streams


def log_of(streams: Mapping[str, Sequence[Recorded]]) -> MemoryLog:
    """A log that has these streams."""
    log = MemoryLog(lambda: START_MS)
    for name, commits in streams.items():
        log._streams[name] = list(commits)
    return log


def rows_of(stream: Stream, aggregate: str, stored: Iterable[bytes]) -> tuple[list[Row], Known]:
    """All rows that are told of a history, in order, and what is known in the end."""
    rows: list[Row] = []
    known = NOTHING
    for data in stored:
        known, _, told = project(stream, aggregate, data, known)
        rows += told
    return rows, known


def newest(rows: Iterable[Row]) -> dict[tuple[str, Any], Row]:
    """The last row of each key, as it would stand in the database."""
    return {
        (type(row).__name__, row[:3] if type(row).__name__ == "HandRow" else row.key): row
        for row in rows
    }
