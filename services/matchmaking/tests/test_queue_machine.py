"""Everything that can happen to a queue, in any order, against a model that cannot go wrong.

The model keeps one list for those who wait and one set for each championship, and applies
R34 and R35 as they are written.
"""

from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)
from laelo_matchmaking.domain.commands import (
    AnyCommand,
    Call,
    HandOver,
    Join,
    Leave,
    MarkAway,
    MarkBack,
    Release,
    TakeOut,
)
from laelo_matchmaking.domain.outcome import IN_CHAMPIONSHIP

from .kit import ERASED, TIMES, WISH, Line, people

PLAYERS = st.sampled_from(people(60))
CROWDS = st.lists(PLAYERS, min_size=1, max_size=40, unique=True)
STEPS_MS = st.sampled_from((0, 1, 500, 20_000, 59_999, 60_000, 179_999, 180_000, 600_000))


class Waits(NamedTuple):
    """Somebody who waits, in the model."""

    player: str
    joined_ms: int


class QueueMachine(RuleBasedStateMachine):
    """Commands of all kinds, at any time."""

    championships = Bundle("championships")

    def __init__(self) -> None:
        super().__init__()
        self.real = Line()
        self.line: list[Waits] = []
        self.away: dict[str, int] = {}
        self.playing: dict[str, list[str]] = {}
        self.pending: list[str] = []
        self.ranks: dict[str, int] = {}
        """The order in which people came, by their newest place."""
        self.came = 0
        self.claims: dict[str, tuple[int, int]] = {}
        self.sequence = 0
        self.done: list[AnyCommand] = []

    def do(self, command: AnyCommand) -> bool:
        """Do it, and then again, which must change nothing; whether it was done."""
        refusal = self.real.do(command)
        version = self.real.state.version
        if command.command in self.real.state.commands:
            assert self.real.do(command) is None
            assert self.real.state.version == version
        assert refusal in (None, IN_CHAMPIONSHIP)
        return refusal is None

    def busy(self) -> set[str]:
        return {player for players in self.playing.values() for player in players}

    @rule(step_ms=STEPS_MS)
    def time_goes_by(self, step_ms: int) -> None:
        self.real.now_ms += step_ms

    @rule(crowd=CROWDS)
    def join(self, crowd: list[str]) -> None:
        for player in crowd:
            done = self.do(Join(player, self.real.fresh()))
            assert done == (player not in self.busy())
            if not done or any(player == waits.player for waits in self.line):
                continue
            rank, until_ms = self.claims.pop(player, (0, 0))
            self.came += 1
            self.ranks[player] = rank if self.real.now_ms < until_ms else self.came
            self.line.append(Waits(player, self.real.now_ms))
            self.line.sort(key=lambda waits: self.ranks[waits.player])

    @rule(player=PLAYERS, leaving=st.sampled_from((WISH, ERASED)))
    def leave(self, player: str, leaving: int) -> None:
        done = self.do(Leave(player, self.real.fresh(), leaving))  # type: ignore[arg-type]
        assert done == (leaving == WISH or player not in self.busy())
        self.out(player)

    def out(self, player: str) -> None:
        self.line = [waits for waits in self.line if waits.player != player]
        self.away.pop(player, None)

    @rule(crowd=CROWDS, ago_ms=STEPS_MS)
    def go_away(self, crowd: list[str], ago_ms: int) -> None:
        since_ms = self.real.now_ms - ago_ms
        self.do(MarkAway(self.real.state.version, tuple((p, since_ms) for p in crowd)))
        for waits in self.line:
            if waits.player in crowd:
                self.away.setdefault(waits.player, since_ms)

    @rule(crowd=CROWDS)
    def come_back(self, crowd: list[str]) -> None:
        self.do(MarkBack(self.real.state.version, tuple(crowd)))
        for player in crowd:
            self.away.pop(player, None)

    @rule(crowd=CROWDS)
    def take_out(self, crowd: list[str]) -> None:
        self.do(TakeOut(self.real.state.version, tuple(crowd)))
        for player, since_ms in list(self.away.items()):
            if player in crowd and self.real.now_ms - since_ms >= TIMES.grace_ms:
                self.out(player)

    @rule(target=championships)
    def call(self) -> object:
        before = self.real.championships
        self.do(Call(self.real.state.version))
        called = []
        while size := self.due():
            name = f"c{before + len(called) + 1:04d}"
            self.playing[name] = [waits.player for waits in self.line[:size]]
            for player in self.playing[name]:
                self.out(player)
            called.append(name)
        self.pending += called
        return multiple(*called)

    @rule(target=championships, first=st.integers(1, 30), count=st.integers(8, 31))
    def enough_come_and_wait(self, first: int, count: int) -> object:
        self.join(people(count, first))
        self.real.now_ms += TIMES.wait_ms
        return self.call()

    @precondition(lambda self: self.claims)
    @rule(seed=st.randoms(use_true_random=False), others=CROWDS)
    def come_again(self, seed: object, others: list[str]) -> None:
        claims = sorted(self.claims)
        self.join(others)
        self.join(seed.sample(claims, (len(claims) + 1) // 2))  # type: ignore[attr-defined]

    def due(self) -> int:
        """How many are called now, by R35 as it is written."""
        count = len(self.line)
        if count >= 32:
            return 32
        if count < 8 or self.real.now_ms - self.line[7].joined_ms < TIMES.wait_ms:
            return 0
        return 16 if count >= 16 else 8

    @rule(championship=championships)
    def hand_over(self, championship: str) -> None:
        self.do(HandOver(championship))
        if championship in self.pending:
            self.pending.remove(championship)

    @rule(championship=championships, seed=st.randoms(use_true_random=False))
    def put_a_team_out(self, championship: str, seed: object) -> None:
        players = self.playing.get(championship, [])
        team = tuple(seed.sample(players, min(2, len(players))))  # type: ignore[attr-defined]
        self.release(championship, team)
        self.playing[championship] = [p for p in players if p not in team]

    @rule(championship=consumes(championships), cancelled=st.booleans())
    def end(self, championship: str, cancelled: bool) -> None:
        players = self.playing.pop(championship, [])
        self.release(championship, None, cancelled)
        if cancelled:
            for player in players:
                self.claims[player] = (self.ranks[player], self.real.now_ms + TIMES.kept_ms)

    def release(
        self, championship: str, players: tuple[str, ...] | None, cancelled: bool = False
    ) -> None:
        self.sequence += 1
        version = self.sequence
        self.do(Release(championship, version, self.sequence, players, cancelled))

    @invariant()
    def the_line_is_the_models(self) -> None:
        real = self.real.state
        assert [(p.player, p.joined_ms) for p in real.line] == self.line
        assert {p.player: p.away_ms for p in real.line if p.away_ms} == self.away
        assert [place.ordinal for place in real.line] == sorted(p.ordinal for p in real.line)

    @invariant()
    def nobody_is_lost_and_nobody_twice(self) -> None:
        real = self.real.state
        playing = {name: set(players) for name, players in self.playing.items() if players}
        found: dict[str, set[str]] = {}
        for player, busy in real.busy.items():
            found.setdefault(busy.championship, set()).add(player)
        assert found == playing
        assert not {place.player for place in real.line} & real.busy.keys()
        assert not real.kept.keys() & real.busy.keys()
        assert [called.championship for called in real.pending] == self.pending

    @invariant()
    def claims_last_as_long_as_they_should(self) -> None:
        commits = self.real.commits
        newest_ms = commits[-1].head.time_ms if commits else 0
        claims = {player: until for player, (_, until) in self.claims.items() if until > newest_ms}
        assert {p: claim.until_ms for p, claim in self.real.state.kept.items()} == claims

    def teardown(self) -> None:
        self.real.check_log()


QueueMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
test_the_queue_against_the_model = QueueMachine.TestCase
