"""An invented town to look at: `python docs/notebooks/example.py [--out DIR] [--matches N]`.

Weeks of matches of people who come, stay or go, of guests and bots, and some championships, made
without servers but a PostgreSQL of its own, and exported as `laelo export` does. The same seed
makes the same town. Some matches are played by the rules, and told again at many tables, at other
times and by other people.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from laelo.table.v1 import events_pb2 as table_events
from laelo.tournament.v1 import events_pb2 as cup_events
from laelo.tournament.v1 import tournament_pb2
from laelo_archive.adapters.writing import write_rows
from laelo_archive.domain.project import NOTHING, Stream, project
from laelo_archive.domain.rows import Row
from laelo_archive.migrate import MIGRATIONS
from laelo_common.postgres import Database
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.export.run import Asked, export
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor
from laelo_tournament.domain.commands import Start
from laelo_tournament.domain.tables import calls

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from services.table.tests.kit import PEOPLE, START_MS, Game  # noqa: E402 - of the tests
from tools.tests.cups import ID as CUP  # noqa: E402
from tools.tests.cups import PLAYERS, Cup  # noqa: E402

MATCHES: Final = 1500
PATTERNS: Final = 150
"""So many different matches at most."""
WEEKS: Final = 8
WEEK_MS: Final = 7 * 24 * 3_600_000
FIRST_MS: Final = 1_775_444_400_000
"""A Monday, 00:00 in Recife: 2026-04-06."""

_LONGEST_THOUGHT_MS: Final = 20_000
_COMMITS: Final[dict[Stream, Any]] = {
    Stream.TABLES: table_events.Commit,
    Stream.CHAMPIONSHIPS: cup_events.Commit,
}


class Thinker(Game):
    """A table whose people think for a while, and often lay what is heaviest."""

    def step(self) -> None:
        """A move or a deal, after a thought that ends before the clock does."""
        begun, deadline = self.state.begun, self.state.deadline_ms
        if begun is not None and not self.state.seats[begun.seat].bot:
            options = 1 if begun.short_clock or begun.must_pass else 2
            thought = min(self.chance.lognormvariate(7 + options / 3, 0.7), _LONGEST_THOUGHT_MS)
            if deadline:
                thought = min(thought, deadline - self.now_ms - 1000)
            self.now_ms += max(0, int(thought))
        super().step()

    def legal_move(self) -> tuple[int, int, int, int]:
        """The heaviest tile two times out of three."""
        begun = self.state.begun
        if begun is None or begun.choosing or begun.must_pass or self.chance.random() < 0.33:
            return super().legal_move()
        play = max(begun.plays, key=lambda one: one & 31)
        ends = [end for end in (1, 2) if play >> 4 + end & 1] or [0]
        return 2, play & 31, self.chance.choice(ends), 4


class Person:
    """Somebody of the town: from which week on, and until when."""

    def __init__(self, chance: random.Random, number: int) -> None:
        self.id = f"{number:04}{chance.getrandbits(64):016x}"
        self.guest = chance.random() < 0.4
        self.first = min(int(chance.expovariate(0.35)), WEEKS - 1)
        self._stays = 0.45 if self.guest else 0.8
        self.weeks = {self.first}
        for week in range(self.first + 1, WEEKS):
            if chance.random() < self._stays:
                self.weeks.add(week)


def people_of(chance: random.Random, count: int) -> list[Person]:
    """The town's people."""
    return [Person(chance, number) for number in range(count)]


def patterns(chance: random.Random, count: int) -> list[Game]:
    """Different matches of one to four people, with and without a clock."""
    made = []
    for number in range(count):
        game = Thinker(random.Random(chance.getrandbits(64)))
        game.open(1 + number % 4, move_seconds=(0, 15)[number // 4 % 2], public=number % 3 == 0)
        made.append(game.start().play_on())
    return made


def a_cup() -> Cup:
    """A bronze played to its end."""
    cup = Cup(scale=1.0)
    cup.do(Start(CUP, tournament_pb2.TIER_BRONZE, PLAYERS))
    while called := calls(cup.state):
        cup.play(called[0])
    return cup


def rows_of_town(seed: int, matches: int) -> Iterator[list[Row]]:
    """The archive's rows of the whole town, table by table."""
    chance = random.Random(seed)
    games = patterns(chance, min(PATTERNS, max(4, matches // 8)))
    town = people_of(chance, max(48, matches // 4))
    cup = a_cup()
    for number in range(max(1, matches // 150)):
        yield from _championship(chance, town, cup, number)
    for number in range(matches):
        week = number * WEEKS // matches
        there = [one for one in town if week in one.weeks]
        game = chance.choice(games)
        sitting = chance.sample(there, min(4, len(there)))
        names = dict(zip(PEOPLE, sitting, strict=False))
        if all(taken in names for taken in PEOPLE[: len(_persons(game))]):
            ahead = FIRST_MS - START_MS + week * WEEK_MS + chance.randrange(WEEK_MS - 7_200_000)
            yield _rows(Stream.TABLES, f"E{number:025}", game.stored, (ahead, names, ""))


def _persons(game: Game) -> set[str]:
    return {
        event.seat_taken_2.person.player
        for commit in game.commits
        for event in commit.events
        if event.seat_taken_2.HasField("person")
    }


def _championship(
    chance: random.Random, town: Sequence[Person], cup: Cup, number: int
) -> Iterator[list[Row]]:
    """A bronze and its tables, by people with accounts."""
    week = (2 + number) % WEEKS
    there = [one for one in town if not one.guest and week in one.weeks]
    names = dict(zip(PLAYERS, chance.sample(there, len(PLAYERS)), strict=True))
    ahead = FIRST_MS - START_MS + week * WEEK_MS + chance.randrange(WEEK_MS - 14_400_000)
    yield from rows_of_cup(cup, (ahead, names, f"C{number:025}"))


Told = tuple[int, Mapping[str, Person], str]
"""How much later, by whom, and in which championship."""


def rows_of_cup(cup: Cup, told: Told) -> Iterator[list[Row]]:
    """The rows of a championship, and of each of its tables."""
    name = told[2]
    commits = [commit.SerializeToString() for commit in cup.commits]
    yield _rows(Stream.CHAMPIONSHIPS, name, commits, told)
    for place, stored in enumerate(cup.tables.values()):
        yield _rows(Stream.TABLES, f"O{name[-5:]}{place:020}", stored, told)


def _rows(stream: Stream, aggregate: str, stored: Sequence[bytes], told: Told) -> list[Row]:
    rows: list[Row] = []
    known = NOTHING
    for data in stored:
        commit = _retold(stream, data, aggregate, told)
        commit.head.previous = known.digest
        known, _, more = project(stream, aggregate, commit.SerializeToString(), known)
        rows += more
    if known.fault:
        raise RuntimeError(f"the story of {aggregate} makes no sense: {known.fault}")
    return rows


def _retold(stream: Stream, data: bytes, aggregate: str, told: Told) -> Any:
    ahead, names, cup = told
    commit = _COMMITS[stream].FromString(data)
    commit.head.aggregate = aggregate
    commit.head.time_ms += ahead
    for event in commit.events:
        match event.WhichOneof("event"):
            case "opened" if cup:
                event.opened.options.championship = cup
            case "seat_taken_2" if event.seat_taken_2.HasField("person"):
                sitter = event.seat_taken_2.person
                person = names[sitter.player]
                sitter.player = person.id
                if not person.guest:
                    sitter.ClearField("guest_name")
            case "started" | "team_drawn" as kind:
                drawn = getattr(event, kind)
                drawn.players[:] = [names[one].id for one in drawn.players]
    return commit


@asynccontextmanager
async def town(seed: int, matches: int) -> AsyncIterator[str]:
    """A PostgreSQL with the archive of the town; its address."""
    with tempfile.TemporaryDirectory(prefix="laelo-town-") as folder:
        ports, data = Ports(), Path(folder) / "postgres"
        server = Postgres(data, ports.free(), durable=False)
        supervisor = Supervisor(OnExit.LEAVE)
        await supervisor.start(server.prepare())
        database = Database(server.dsn, MIGRATIONS)
        try:
            await database.reach()
            async with database.connection() as connection, connection.transaction():
                for rows in rows_of_town(seed, matches):
                    await write_rows(connection, rows)
            yield server.dsn
        finally:
            await database.close()
            await supervisor.stop()
            ports.release()
            remove_data(data)


async def _export(seed: int, matches: int, folder: Path) -> None:
    async with town(seed, matches) as dsn:
        await export(Asked(dsn=dsn), folder)


def main() -> None:
    """Make the town and export it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / ".local" / "example", metavar="DIR")
    parser.add_argument("--matches", type=int, default=MATCHES, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asyncio.run(_export(options.seed, options.matches, options.out))
    print(f"{options.out} has it")


if __name__ == "__main__":
    main()
