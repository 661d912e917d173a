"""Outside programs: the line protocol, and everything that a program can do wrong."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from laelo_bots.domain.position import placements
from laelo_bots.domain.view import View
from laelo_rules.engine import ChooseOpener, Move, Pass, Phase, Play

from bench.arena import lines
from bench.arena.deals import Chance
from bench.arena.match import play_pair
from bench.arena.named import maker_of
from bench.arena.players import Player, PlayerError, position_of
from bench.arena.program import Program

ECHO = f"program:{sys.executable} {Path(__file__).with_name('echo_bot.py')}"


class First:
    """What the program does, without one; every question is kept."""

    def __init__(self) -> None:
        self.asked: list[tuple[View, dict[str, Any]]] = []

    def choose(self, view: View, seed: int) -> Move:
        asked = json.loads(json.dumps(lines.question(1, view, seed)))
        self.asked.append((view, asked))
        return lines.move_of(json.dumps({"id": 1} | asked["moves"][0]), 1, view.seat)

    def close(self) -> None:
        pass


def test_a_program_plays_as_it_would_inside() -> None:
    program, inside, other = maker_of(ECHO)(), First(), maker_of("simple")()
    try:
        for number in range(3):
            chance = Chance(1, number)
            there, here = play_pair([program, other], chance), play_pair([inside, other], chance)
            assert there[:4] == here[:4]
    finally:
        program.close()


def test_a_question_tells_the_view_and_every_move() -> None:
    player = First()
    for number in range(10):
        play_pair([player, maker_of("random")()], Chance(2, number))
    choices = 0
    for view, asked in player.asked:
        told, position = asked["view"], position_of(view)
        assert (told["seat"], told["scores"]) == (view.seat, [view.score_us, view.score_them])
        assert len(told["turns"]) == len(view.turns)
        assert told["ends"] == (list(position.state.ends) if position.state.ends else None)
        if position.state.phase is Phase.CHOOSE_OPENER:
            assert asked["moves"] == [{"opener": view.seat}, {"opener": view.seat ^ 2}]
            choices += 1
            continue
        moves = [
            lines.move_of(json.dumps({"id": 1} | move), 1, view.seat) for move in asked["moves"]
        ]
        assert all(isinstance(move, Play) for move in moves)
        assert len(moves) == len(placements(position))
        assert len(told["hand"]) == view.hand.bit_count()
    assert choices


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ({"id": 4, "tile": [0, 6], "end": "left"}, Play(2, (0, 6), 1)),
        ({"id": 4, "tile": [0, 6]}, Play(2, (0, 6), 0)),
        ({"id": 4, "pass": True}, Pass(2)),
        ({"id": 4, "opener": 0}, ChooseOpener(2, 0)),
    ],
)
def test_answers_are_moves(answer: dict[str, Any], move: Move) -> None:
    assert lines.move_of(json.dumps(answer), 4, 2) == move


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("no", "no JSON"),
        ("[]", "has to be answered with its"),
        ('{"id": 5, "pass": true}', "question 4 has to be"),
        ('{"id": 4}', "an answer has"),
        ('{"id": 4, "tile": [1]}', "an answer has"),
        ('{"id": 4, "tile": ["a", 2]}', "an answer has"),
        ('{"id": 4, "tile": [1, 2], "end": "up"}', "an answer has"),
    ],
)
def test_other_answers_are_refused_with_a_reason(line: str, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        lines.move_of(line, 4, 2)


SAYS = "import sys; sys.stdin.readline(); print('{}', flush=True); "


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise SystemExit(3)", "ended with status 3"),
        (SAYS + "sys.stdin.readline(); print('x', flush=True); sys.stdin.readline()", "no JSON"),
        (SAYS + "sys.stdin.readline(); raise SystemExit(4)", "ended with status 4"),
    ],
)
def test_a_program_that_fails_ends_the_duel(code: str, why: str) -> None:
    def duel() -> None:
        program = Program([sys.executable, "-c", code])
        try:
            play_pair([program, maker_of("random")()], Chance(1, 1))
        finally:
            program.close()

    with pytest.raises(PlayerError, match=why):
        duel()


def test_a_program_that_gives_no_answer_is_not_waited_for() -> None:
    silent = Program([sys.executable, "-c", SAYS + "sys.stdin.read()"], answer_seconds=0.05)
    try:
        with pytest.raises(PlayerError, match=r"gave no answer in 0\.05 s"):
            play_pair([silent, maker_of("random")()], Chance(1, 1))
    finally:
        silent.close()


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(PlayerError, match="no-such-bot cannot be started"):
        maker_of("program:no-such-bot --fast")()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nobody", "there is no player 'nobody': random"),
        ("program:", "named by its command"),
        ("vote:worlds=x", "an option is like"),
        ("vote:ms=3", "worlds can be given"),
        ("heaviest:worlds=3", "no options can be given"),
    ],
)
def test_names_that_mean_nothing_are_refused(name: str, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        maker_of(name)


@pytest.mark.parametrize("name", ["simple", "heaviest", "vote:worlds=2"])
def test_players_are_made_by_name(name: str) -> None:
    player: Player = maker_of(name)()
    assert play_pair([player, maker_of("random")()], Chance(1, 1)).hands
