"""One run: a platform, people who play, a plan of faults, and then everything is checked."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from laelo_tools.embedded.postgres import remove_data
from laelo_tools.platform import Options, Platform

from tests.faults.nemesis.acts import Nemesis
from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.disks import Disks
from tests.faults.nemesis.fronts import Fronts
from tests.faults.nemesis.history import History
from tests.faults.nemesis.judge import WANTED_COMMITS, Ends, judge
from tests.faults.nemesis.logs import Log, patiently, read_log
from tests.faults.nemesis.people import Mood
from tests.faults.nemesis.plan import Fault, plan
from tests.faults.nemesis.town import Town, town

DISKS: Final = ("nats-1", "nats-2", "nats-3", "postgres")
THOUGHT: Final = 0.3
HURRY: Final = 0.03
SCALE: Final = 0.1
PATIENCE_SECONDS: Final = 90.0
"""Until all goes on, is answered, is seen: for each of them."""
END_SECONDS: Final = 300.0
"""Until a championship that has just begun is over."""
Say = Callable[[str], None]


class Setup(NamedTuple):
    """What is played, and how much is broken."""

    seed: str
    faults: int = 16
    pace: float = 3.0
    """Seconds between the beginnings of two faults, on the average."""
    large: bool = False
    """Two or three replicas of everything."""
    to_the_end: bool = False
    """All championships are seen through to their end, not only to their next match."""


class Outcome(NamedTuple):
    """What came out of a run."""

    setup: Setup
    done: Sequence[Fault]
    findings: Sequence[Finding]
    counts: Mapping[str, int]
    history: History
    log: Log


def options(setup: Setup, state: Path, fronts: Fronts) -> Options:
    """The platform of a run."""
    more = 2 if setup.large else 1
    return Options(
        state=state,
        nats=3,
        port=0,
        pause_ms=150,
        bot_delay_ms="5-50",
        rules=2,
        bots=more,
        tables=1 + more,
        tournaments=more,
        matchmaking=more,
        archives=more,
        gateways=2,
        clock_scale=SCALE,
        front=fronts.front,
        env={
            "matchmaking": {"LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0"},
        },
    )


async def run(setup: Setup, say: Say) -> Outcome:
    """Play, break, mend, and check."""
    history = History()
    async with _broken_platform(setup, history) as nemesis:
        platform = nemesis.platform
        faults = plan(setup.seed, setup.faults, nemesis.targets, setup.pace)
        mood = Mood(THOUGHT)
        async with town(setup.seed, platform, history, mood) as people:
            say(f"{len(people.people)} people play, {len(faults)} faults follow")
            await people.warm(PATIENCE_SECONDS)
            async with asyncio.TaskGroup() as group:
                group.create_task(nemesis.follow(faults))
                group.create_task(_tell(nemesis, len(faults), say))
            found = [Finding("unasked", one) for one in await nemesis.mend()]
            say("all is mended")
            mood.thought, mood.goes_home = HURRY, setup.to_the_end
            ends = await _see_it_through(setup, people, platform, say)
            await people.go_home()
        judged = await judge(platform, history, ends, [one.name for one in people.people])
    findings = [*found, *judged.findings]
    return Outcome(setup, nemesis.done, findings, judged.counts, history, judged.log)


async def _see_it_through(setup: Setup, people: Town, platform: Platform, say: Say) -> Ends:
    """Wait until all goes on, or has come to an end; what was there to be seen."""
    mended, brackets = people.versions(), people.brackets()
    if not await people.go_on(mended, WANTED_COMMITS, PATIENCE_SECONDS):
        say("not everything goes on")
    if setup.to_the_end and not await people.end(END_SECONDS):
        say("; ".join(["not all comes to an end", *people.unfinished()]))
    await people.rest(PATIENCE_SECONDS)
    unanswered = tuple(people.unanswered())
    log = await patiently(lambda: read_log(platform.nats_url))
    last = {name: len(table.records) for name, table in log.tables.items()}
    if not await people.see(last, PATIENCE_SECONDS):
        say("not everybody has seen all")
    return Ends(mended, brackets, last, people.looking(), unanswered, setup.to_the_end)


async def _tell(nemesis: Nemesis, count: int, say: Say) -> None:
    told = -1
    while len(nemesis.done) < count:
        if len(nemesis.done) != told:
            told = len(nemesis.done)
            say(f"{told} of {count} faults")
        await asyncio.sleep(2.0)


@asynccontextmanager
async def _broken_platform(setup: Setup, history: History) -> AsyncIterator[Nemesis]:
    """A platform with everything that disturbs it."""
    state = Path(tempfile.mkdtemp(prefix="laelo-nemesis-"))
    disks = Disks(state, DISKS)
    disks.prepare()
    platforms: list[Platform] = []
    try:
        async with Fronts(lambda: platforms[0].pids) as fronts:
            platforms.append(Platform(options(setup, state, fronts)))
            async with platforms[0] as platform:
                yield Nemesis(platform, fronts, disks, history)
    finally:
        await asyncio.to_thread(remove_data, state / "postgres")
        disks.remove()
        await asyncio.to_thread(remove_data, state)
