"""laelo log show: the whole story, and nothing of a hand that is not over."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from laelo_tools import audit
from laelo_tools.errors import LaeloError
from laelo_tools.history.story import Story, tile_text

from .played import kit, match


def told(game: Any, **options: Any) -> list[str]:
    return list(Story(**options).tell(game.commits))


def in_mid_hand(seed: int) -> Any:
    """A match in which at least one hand is over and another one is not."""
    game = kit().Game(Random(seed)).open(2).start()
    while not game.state.hands or game.state.begun is None or len(game.state.turns) < 3:
        game.step()
    return game


def test_every_commit_is_told() -> None:
    game = match(3, 2, 15)
    lines = told(game)
    numbers = [int(line.split()[0]) for line in lines if line[:6].strip().isdigit()]
    assert numbers == list(range(1, len(game.commits) + 1))
    text = "\n".join(lines)
    for words in ("Ana (0)", "bot medium", "match 1 is over", "[clock]", "passes", "“Toc, toc!”"):
        assert words in text


def test_it_is_told_how_people_came_and_went() -> None:
    text = "\n".join(told(kit().eventful()))
    for words in (
        "strangers may come",
        "its code is ABC234",
        "Bia (1) and nobody (3) change places",
        "hand 1: Caio (2) adds 6361696f",
        "s are given back: nobody could move",
        "Caio (2) is gone",
        "bot medium stands in for Caio (2)",
        "Caio (2) is back",
        "Caio (2) goes on in another window",
        "the table is closed: its host closed it",
    ):
        assert words in text


@pytest.mark.parametrize("time_ms", [2**62, -(2**62)])
def test_a_time_that_is_none_is_told(time_ms: int) -> None:
    commit = type(match(3).commits[0])()
    commit.CopyFrom(match(3).commits[0])
    commit.head.time_ms = time_ms
    day, line, *_ = Story().tell([commit])
    assert day == f"at {time_ms} ms, which is no time"
    assert "the table is opened" in line


@pytest.mark.parametrize(("language", "word"), [("pt", "Toc, toc!"), ("en", "Pass!")])
def test_calls_are_in_words(language: str, word: str) -> None:
    assert any(f"“{word}”" in line for line in told(match(3), language=language))


@pytest.mark.parametrize("seed", range(20))
def test_a_hand_that_goes_on_is_hidden(seed: int) -> None:
    game = in_mid_hand(seed)
    lines = told(game)
    begin = max(at for at, line in enumerate(lines) if "is dealt" in line)
    assert "hidden" in lines[begin + 1]
    laid = {tile_text(code & 31) for code in game.state.turns if code & 31 < 28}
    shown = " ".join(lines[begin:])
    for number in range(28):
        assert (tile_text(number) in shown) == (tile_text(number) in laid)
    assert game.state.deal.seed.hex() not in "\n".join(lines)
    assert game.state.deal.commitment.hex() in "\n".join(lines)


def test_the_seed_of_the_next_hand_is_hidden_in_the_pause() -> None:
    game = in_mid_hand(1)
    while game.state.next_deal is None:
        game.step()
    text = "\n".join(told(game))
    assert game.state.next_deal.seed.hex() not in text
    assert game.state.deal.seed.hex() in text


def test_open_shows_it_all() -> None:
    game = in_mid_hand(2)
    text = "\n".join(told(game, show_open=True))
    assert "hidden" not in text
    assert game.state.deal.seed.hex() in text
    assert "asleep" in text


def test_sleeping_tiles_are_never_told_otherwise() -> None:
    assert "asleep" not in "\n".join(told(match(3)))


def test_looking_is_noted(tmp_path: Path) -> None:
    file = tmp_path / "new" / "audit.log"
    audit.note("log show --open", "T1", file)
    audit.note("log show --open", "T2", file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["subject"] for line in lines] == ["T1", "T2"]
    assert all(line["user"] and line["time"] for line in lines)


def test_what_can_not_be_noted_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LaeloError, match="nothing is shown"):
        audit.note("log show --open", "T1", tmp_path / "file" / "audit.log")
