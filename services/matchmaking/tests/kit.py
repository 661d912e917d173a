"""A queue in memory: the pure domain, driven by hand."""

from dataclasses import dataclass, field
from hashlib import sha256

from laelo.matchmaking.v1 import events_pb2
from laelo_common.log.commit import verify_chain
from laelo_common.log.port import Recorded
from laelo_matchmaking.domain import snapshot
from laelo_matchmaking.domain.commands import AnyCommand, Call, Join, Leave
from laelo_matchmaking.domain.compose import Stamp, compose
from laelo_matchmaking.domain.decide import decide
from laelo_matchmaking.domain.evolve import evolve
from laelo_matchmaking.domain.outcome import Facts, Refusal
from laelo_matchmaking.domain.state import EMPTY, Queue, Times

TIMES = Times()
START_MS = 1_700_000_000_000
WISH = 1
ERASED = 4
CALLED = 3
GONE = 2

BRONZE, SILVER, GOLD = 1, 2, 3


def people(count: int, first: int = 1) -> list[str]:
    """Ids of so many players."""
    return [f"p{number:03d}" for number in range(first, first + count)]


@dataclass
class Line:
    """One queue. Ids of championships are numbered."""

    times: Times = TIMES
    state: Queue = EMPTY
    now_ms: int = START_MS
    digest: bytes = b""
    commits: list[events_pb2.Commit] = field(default_factory=list)
    stored: list[bytes] = field(default_factory=list)
    states: list[Queue] = field(default_factory=lambda: [EMPTY])
    championships: int = 0
    number: int = 0

    def do(self, command: AnyCommand) -> Refusal | None:
        """Ask for something; None if it was done."""
        if command.command in self.state.commands:
            return None
        fresh = tuple(f"c{self.championships + n:04d}" for n in range(1, 9))
        decided = decide(self.state, command, Facts(self.now_ms, self.times, fresh))
        if isinstance(decided, Refusal):
            return decided
        if decided:
            self.championships += sum(event.HasField("called") for event in decided)
            stamp = Stamp("main", self.digest, self.now_ms)
            self.append(compose(self.state, command, decided, stamp))
        return None

    def append(self, commit: events_pb2.Commit) -> None:
        """Store a commit and take it in."""
        data = commit.SerializeToString()
        self.digest = sha256(data).digest()
        self.stored.append(data)
        self.commits.append(commit)
        self.state = evolve(self.state, commit)
        self.states.append(self.state)

    def must(self, command: AnyCommand) -> None:
        """Ask for something that has to be done."""
        refusal = self.do(command)
        assert refusal is None, refusal

    def join(self, *players: str) -> "Line":
        """These join, one after the other."""
        for player in players:
            self.must(Join(player, self.fresh()))
        return self

    def leave(self, player: str, leaving: int = WISH) -> None:
        """Somebody leaves."""
        self.must(Leave(player, self.fresh(), leaving))  # type: ignore[arg-type]

    def call(self) -> list[events_pb2.ChampionshipCalled]:
        """Call what R35 allows now; what was called."""
        before = len(self.commits)
        self.must(Call(self.state.version))
        return [e.called for commit in self.commits[before:] for e in commit.events]

    def fresh(self) -> str:
        """A command id that nobody has used."""
        self.number += 1
        return f"n{self.number}"

    def waiting(self) -> list[str]:
        """Who waits, in order."""
        return [place.player for place in self.state.line]

    def check_log(self) -> None:
        """The log alone, or a snapshot and what follows it, gives the same; its chain is whole."""
        recorded = [Recorded(n, "mmq", data, 0) for n, data in enumerate(self.stored, 1)]
        assert verify_chain(recorded, self.digest) is None
        state = EMPTY
        for data, live in zip(self.stored, self.states[1:], strict=True):
            state = evolve(state, events_pb2.Commit.FromString(data))
            assert state == live
        for at in range(1, len(self.states), max(1, len(self.states) // 5)):
            assert self.from_snapshot(at) == self.state

    def from_snapshot(self, at: int) -> Queue:
        """The state by a snapshot of version `at` and the commits after it."""
        kept = snapshot.save(self.states[at], "main", b"digest").SerializeToString()
        state = snapshot.restore(events_pb2.Snapshot.FromString(kept))
        assert state == self.states[at]
        for data in self.stored[at:]:
            state = evolve(state, events_pb2.Commit.FromString(data))
        return state
