"""A whole championship for tests, played by the domains of tournament and table."""

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from random import Random

from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_common.log import Aggregate, Kind, Recorded, Snapshot
from laelo_common.log.commit import commit_hash
from laelo_tournament.domain.commands import AnyCommand, Cancel, Result, Start
from laelo_tournament.domain.compose import Stamp, compose
from laelo_tournament.domain.decide import decide
from laelo_tournament.domain.evolve import evolve
from laelo_tournament.domain.outcome import Facts
from laelo_tournament.domain.state import NO_CHAMPIONSHIP, Championship
from laelo_tournament.domain.tables import Call, calls

from .played import kit, recorded

ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
SEED = bytes(range(32))
PLAYERS = tuple(f"player-{number}" for number in range(1, 9))
START_MS = 1_700_000_000_000


@dataclass
class Cup:
    """A championship's commits, and those of each of its tables as they are stored."""

    commits: list[events_pb2.Commit] = field(default_factory=list)
    tables: dict[str, list[bytes]] = field(default_factory=dict)
    state: Championship = NO_CHAMPIONSHIP
    now_ms: int = START_MS
    scale: float = 0.1
    """What the times at its tables are multiplied by."""

    def do(self, command: AnyCommand) -> None:
        """Do what has to be accepted."""
        events = decide(self.state, command, Facts(self.now_ms, 15_000, SEED))
        assert isinstance(events, list), events
        before = commit_hash(self.commits[-1].SerializeToString()) if self.commits else b""
        commit = compose(self.state, command, events, Stamp(ID, before, self.now_ms))
        self.commits.append(commit)
        self.state = evolve(self.state, commit)

    def play(self, call: Call) -> None:
        """Play a match at its table, and tell the championship how it ended."""
        rules = kit()
        before, rules.TABLE = rules.TABLE, call.table
        try:
            game = rules.Game(Random(call.match), scale=self.scale, now_ms=self.now_ms)
            people = [table_pb2.Sitting(player=s.player, animal=s.animal) for s in call.seats]
            options = table_pb2.Options(
                championship=ID, match=call.match, move_seconds=15, spectators=True
            )
            asked = rules.match_command(
                table=call.table, people=people, options=options, start_ms=call.starts_ms
            )
            game.must(asked)
            game.begin_match().play_on()
        finally:
            rules.TABLE = before
        self.tables[call.table] = game.stored
        self.now_ms = game.now_ms
        end = game.state.match_end
        winner = call.team_b if end.team else call.team_a
        self.do(Result(call.match, winner, end.score_0, end.score_1, game.state.version))

    async def read(self, table: str) -> tuple[list[Recorded], Snapshot | None]:
        """What the log has of a table."""
        return recorded(self.tables.get(table, []), table), None


def stored(commits: list[events_pb2.Commit]) -> list[Recorded]:
    """Commits as they lie in the log, with a chain that fits."""
    subject, previous, found = Aggregate(Kind.CHAMPIONSHIP, ID).subject, b"", []
    for sequence, commit in enumerate(commits, start=1):
        commit.head.previous = previous
        data = commit.SerializeToString()
        previous = sha256(data).digest()
        found.append(Recorded(sequence, subject, data, commit.head.time_ms))
    return found


def begun() -> Cup:
    """A bronze that has just begun."""
    cup = Cup()
    cup.do(Start(ID, tournament_pb2.TIER_BRONZE, PLAYERS))
    return cup


@cache
def played() -> Cup:
    """A bronze played to its end; not to be changed."""
    cup = begun()
    while called := calls(cup.state):
        cup.play(called[0])
    return cup


def cancelled() -> Cup:
    """A bronze that was cancelled after one match, while another was played."""
    cup = begun()
    first, _ = calls(cup.state)
    cup.play(first)
    cup.do(Cancel("the power is out", "lia"))
    return cup


def copies(cup: Cup) -> list[events_pb2.Commit]:
    """Its commits, to be changed."""
    return [events_pb2.Commit.FromString(c.SerializeToString()) for c in cup.commits]
