"""Plays championships in the domain: commands in, commits and states out."""

from collections.abc import Iterator
from hashlib import sha256
from random import Random

from hypothesis import settings
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_tournament.domain.commands import AnyCommand, Result, Start
from laelo_tournament.domain.compose import Stamp, compose
from laelo_tournament.domain.decide import decide
from laelo_tournament.domain.evolve import evolve
from laelo_tournament.domain.outcome import Facts, Refusal
from laelo_tournament.domain.state import NO_CHAMPIONSHIP, Championship
from laelo_tournament.domain.tables import Call, calls

ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
SEED = bytes(range(32))
NOON_MS = 1_718_031_600_000
"""A Monday's noon in Recife."""
PAUSE_MS = 15_000

WHOLE = settings(max_examples=40, deadline=None)
"""For properties of whole championships, which are long."""

TIERS = {
    8: tournament_pb2.TIER_BRONZE,
    16: tournament_pb2.TIER_SILVER,
    32: tournament_pb2.TIER_GOLD,
}


def names(count: int, prefix: str = "player") -> tuple[str, ...]:
    """Ids of so many players, none of which is part of another."""
    return tuple(f"{prefix}-{number:02}" for number in range(1, count + 1))


class Story:
    """A championship whose time the test tells."""

    def __init__(self, now_ms: int = NOON_MS) -> None:
        self.now_ms = now_ms
        self.state: Championship = NO_CHAMPIONSHIP
        self.commits: list[events_pb2.Commit] = []

    def decided(self, command: AnyCommand, seed: bytes = SEED) -> list[events_pb2.Event] | Refusal:
        """What would follow from a command."""
        return decide(self.state, command, Facts(self.now_ms, PAUSE_MS, seed))

    def do(self, command: AnyCommand, seed: bytes = SEED) -> list[events_pb2.Event]:
        """Do what has to be accepted, and has not been done before."""
        events = self.decided(command, seed)
        assert not isinstance(events, Refusal), events
        assert events
        previous = self.commits[-1].SerializeToString() if self.commits else b""
        stamp = Stamp(ID, sha256(previous).digest() if previous else b"", self.now_ms)
        commit = compose(self.state, command, events, stamp)
        self.commits.append(commit)
        self.state = evolve(self.state, commit)
        return events

    def start(self, players: tuple[str, ...], seed: bytes = SEED) -> "Story":
        """Begin it."""
        self.do(Start(ID, TIERS[len(players)], players), seed)
        return self

    def play(self, call: Call, winner: int) -> list[events_pb2.Event]:
        """Let a called match be won."""
        return self.do(result(call, winner))

    def rounds(self, chance: Random) -> Iterator[Call]:
        """Play it to the end at random, time going on; each match after it was played."""
        while called := calls(self.state):
            call = chance.choice(called)
            self.now_ms += chance.randrange(600_000)
            self.play(call, chance.choice((call.team_a, call.team_b)))
            yield call

    def to_the_end(self, chance: Random) -> "Story":
        """The same, at once."""
        for _ in self.rounds(chance):
            pass
        return self


def result(call: Call, winner: int) -> Result:
    """What a table tells of a match that was won 6–3."""
    first = winner == call.team_a
    return Result(call.match, winner, 6 if first else 3, 3 if first else 6, 170)


def kinds(events: list[events_pb2.Event]) -> list[str]:
    """Which events these are."""
    return [str(event.WhichOneof("event")) for event in events]
