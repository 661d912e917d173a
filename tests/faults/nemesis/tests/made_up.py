"""A run that went well, made up: four people at a table, their history and the log of it.

The table is the real one's domain, so the log is one that `laelo log verify` accepts.
"""

import json
from random import Random
from typing import Any, Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.log import Recorded
from laelo_common.log.commit import commit_hash
from laelo_rules.app import answer
from laelo_table.domain import decide, state
from laelo_table.domain.commands import AnyCommand, NextDeal, TimeUp
from laelo_table.domain.compose import Stamp, compose
from laelo_table.domain.evolve import evolve
from laelo_table.domain.outcome import Decision, Facts
from laelo_table.domain.spell import TILES
from laelo_table.domain.view import frames

from tests.faults.nemesis.history import Frame, History
from tests.faults.nemesis.logs import Log, log_of

TABLE: Final = "01J00000000000000000000000"
PEOPLE: Final = ("Ana", "Bia", "Caio", "Davi")
BEGAN_MS: Final = 1_700_000_000_000
STEP_MS: Final = 700
LATE_MS: Final = 60_000
KINDS: Final = {
    rules_pb2.ACT_PLAY: ("play", table_pb2.KIND_PLAY),
    rules_pb2.ACT_PASS: ("pass", table_pb2.KIND_PASS),
    rules_pb2.ACT_CHOOSE_OPENER: ("choose_opener", table_pb2.KIND_CHOOSE_OPENER),
}


class Told(NamedTuple):
    """A run as it is judged."""

    history: History
    records: list[Recorded]

    @property
    def log(self) -> Log:
        """The log of it."""
        return log_of({TABLE: self.records})


def player_of(who: str) -> str:
    """Somebody's id."""
    return f"01J0000000000000000000{who.upper():0>4}"


class Play:
    """Somebody plays all of them, and writes everything down."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.now_ms = BEGAN_MS
        self.history = History(lambda: self.now_ms)
        self.records: list[Recorded] = []
        self.table = state.NO_TABLE
        self._numbers = 0
        for who in PEOPLE:
            self.history.heard(who, {"t": "welcome", "d": {"me": {"id": player_of(who)}}})

    def told(self) -> Told:
        """What was written down."""
        return Told(self.history, self.records)

    def begin(self) -> None:
        """All sit down, and a match starts."""
        self.ask("Ana", "table.create", table_pb2.KIND_OPEN)
        for seat, who in enumerate(PEOPLE[1:], start=1):
            self.ask(who, "table.sit", table_pb2.KIND_SIT, seat=seat)
        self.ask("Ana", "table.start", table_pb2.KIND_START)

    def on(self, commits: int) -> None:
        """So many commits more; now and then the clock plays."""
        for _ in range(commits):
            table = self.table
            if table.begun is None:
                if table.match_end is not None:
                    self.ask(PEOPLE[0], "table.start", table_pb2.KIND_START)
                    continue
                self.now_ms = max(self.now_ms, table.deadline_ms)
                self.do(NextDeal(table.turn))
            elif self.chance.random() < 0.1:
                self.now_ms = table.deadline_ms
                self.do(TimeUp(table.turn))
            else:
                self._move(table.begun)

    def _move(self, begun: events_pb2.TurnBegan) -> None:
        who = PEOPLE[begun.seat]
        if begun.choosing:
            self.ask(who, "choose_opener", table_pb2.KIND_CHOOSE_OPENER, opener=begun.seat)
        elif begun.must_pass:
            self.ask(who, "pass", table_pb2.KIND_PASS)
        else:
            play = self.chance.choice(begun.plays)
            ends = [end for end in (1, 2) if play >> 4 + end & 1]
            end = self.chance.choice(ends or [0])
            tile = TILES[play & 31]
            data: dict[str, Any] = {"tile": list(tile)}
            data |= {"end": ("left", "right")[end - 1]} if end else {}
            self.ask(who, "play", table_pb2.KIND_PLAY, data=data, tile=tile, end=end)

    def ask(
        self, who: str, kind: str, code: "table_pb2.Kind.ValueType", data: Frame | None = None,
        **more: Any,
    ) -> None:  # fmt: skip
        """Somebody asks, and is answered by what everybody is told."""
        self._numbers += 1
        name = f"c{self._numbers}"
        told = data if data is not None else more
        self.history.sent(who, {"t": kind, "id": name, "table": TABLE, "d": told})
        seat = PEOPLE.index(who)
        tile_a, tile_b = more.pop("tile", (0, 0))
        self.do(
            table_pb2.Command(
                table=TABLE,
                command=f"{player_of(who)}-{name}",
                kind=code,
                player=player_of(who),
                name=who,
                turn=self.table.turn,
                fence=self.table.seats[seat].fence,
                options=table_pb2.Options(move_seconds=15, spectators=True),
                tile_a=tile_a,
                tile_b=tile_b,
                **more,
            ),
            answers=(who, name),
        )

    def do(self, command: AnyCommand, answers: tuple[str, str] = ("", "")) -> None:
        """Decide, store, and tell everybody."""
        self.now_ms += STEP_MS
        facts = Facts(self.now_ms, self.chance.randbytes(32), delay_ms=500, pause_ms=1_000)
        asked = decide.question(self.table, command, facts)
        verdict = answer(asked) if isinstance(asked, rules_pb2.JudgeRequest) else None
        decision = decide.decide(self.table, command, verdict, facts)
        assert isinstance(decision, Decision), decision
        previous = commit_hash(self.records[-1].data) if self.records else b""
        stamp = Stamp(TABLE, previous, self.now_ms)
        commit = compose(self.table, command, decision, stamp)
        self.table = evolve(self.table, commit)
        self.records.append(recorded(commit))
        self._tell(commit, *answers)

    def _tell(self, commit: events_pb2.Commit, asked_by: str, name: str) -> None:
        shown = [(one.viewers, json.loads(one.frame)) for one in frames(commit, self.table)]
        for who in PEOPLE:
            viewer = state.seat_of(self.table, player_of(who))
            frame = next(frame for viewers, frame in shown if viewers >> viewer & 1)
            own = {"re": name} if who == asked_by else {}
            self.history.heard(who, {**frame, **own})


def recorded(commit: events_pb2.Commit) -> Recorded:
    """A commit as it is stored."""
    head = commit.head
    subject = f"tbl.0.{head.aggregate}.ev"
    return Recorded(head.version, subject, commit.SerializeToString(), head.time_ms)


def a_run(seed: int, commits: int = 60) -> Told:
    """A run in which all went well."""
    play = Play(seed)
    play.begin()
    play.on(commits)
    return play.told()
