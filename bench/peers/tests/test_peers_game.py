"""What the peers play is our game: whole matches of our engine, replayed by their rules."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    End,
    LegalPlay,
    Move,
    Outcome,
    Pass,
    Phase,
    Play,
    State,
    deal,
    judge,
    legal_plays,
    partner_of,
)

HERE = Path(__file__).resolve().parent
OURS = HERE.parents[2] / ".local/tools/node/bin/node"
MATCHES = 40

Step = list[Any]


class Playout:
    """A random match on our engine: the steps, and what is known after each."""

    def __init__(self, seed: int) -> None:
        self.steps: list[Step] = []
        self.known: list[dict[str, Any]] = []
        self._chance = Random(seed)
        self._winner: int | None = None
        self._multiplier = 1
        self._scores = (0, 0)
        while self._hand():
            pass

    def _hand(self) -> bool:
        """Play a hand; whether the match goes on."""
        order = self._chance.sample(range(28), 28)
        state = deal(order, self._winner, self._scores, self._multiplier)
        assert isinstance(state, State)
        self._note(["deal", order], state)
        while True:
            move, step = self._any_move(state)
            outcome = judge(state, move)
            assert isinstance(outcome, Outcome)
            state, end = outcome.state, outcome.hand_end
            if end is None:
                self._note(step, state)
                continue
            self._scores = state.scores
            over = outcome.match_end is not None
            self._winner = None if over or end.next is None else end.next.winner
            self._multiplier = 1 if over or end.next is None else end.next.multiplier
            self.steps.append(step)
            scores = (0, 0) if over else self._scores
            self.known.append(
                {"over": True, "scores": list(scores), "multiplier": self._multiplier}
            )
            return not over

    def _any_move(self, state: State) -> tuple[Move, Step]:
        seat = state.turn
        assert seat is not None
        if state.phase is Phase.CHOOSE_OPENER:
            opener = self._chance.choice((seat, partner_of(seat)))
            return ChooseOpener(seat, opener), ["choose", seat, opener]
        plays = legal_plays(state)
        if not plays:
            return Pass(seat), ["pass", seat]
        play: LegalPlay = self._chance.choice(plays)
        end = self._chance.choice(play.ends) if play.ends else End.UNNAMED
        named = {End.LEFT: 0, End.RIGHT: 1}.get(end)
        return Play(seat, TILES[play.tile], end), ["play", seat, play.tile, named]

    def _note(self, step: Step, state: State) -> None:
        self.steps.append(step)
        self.known.append(
            {
                "over": False,
                "hands": list(state.hands),
                "ends": list(state.ends or ()),
                "turn": state.turn,
                "choosing": state.phase is Phase.CHOOSE_OPENER,
                "mustOpen": -1 if state.must_open is None else state.must_open,
                "scores": list(state.scores),
                "multiplier": state.multiplier,
            }
        )


def replayed(matches: list[list[Step]]) -> list[list[dict[str, Any]]]:
    """What the peers' rules make of the steps."""
    node = shutil.which("node") or str(OURS)
    lines = "".join(f"{json.dumps(steps)}\n" for steps in matches)
    done = subprocess.run(
        [node, str(HERE / "replay.mjs")], input=lines, stdout=subprocess.PIPE, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_whole_matches_go_as_on_our_engine() -> None:
    playouts = [Playout(seed) for seed in range(MATCHES)]
    for playout, states in zip(
        playouts, replayed([playout.steps for playout in playouts]), strict=True
    ):
        assert all(state["done"] for state in states)
        for known, state in zip(playout.known, states, strict=True):
            assert {name: state[name] for name in known} == known


def test_what_is_not_allowed_changes_nothing() -> None:
    steps = Playout(1).steps[:4]
    wrong: list[Step] = [["play", 0, 28, None], ["pass", 9], ["choose", 0, 0], ["play", 3, 0, 7]]
    (before,), (after,) = replayed([steps]), replayed([[*steps, *wrong]])
    assert [state["done"] for state in after[-len(wrong) :]] == [False] * len(wrong)
    assert {**after[-1], "done": True} == {**before[-1], "done": True}
