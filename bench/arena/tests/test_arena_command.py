"""The command: what it prints and writes, also when it is stopped in the middle."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.arena import __main__ as command
from bench.arena.__main__ import main
from bench.arena.match import Pair
from bench.arena.run import Duel, play


def test_figures_are_written_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "duel.json"
    asked = ["heaviest", "random", "--pairs", "6", "--seed", "3", "--out", str(out), "--json"]
    assert main([*asked, "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert json.loads(out.read_text()) == told
    assert (told["first"], told["second"], told["pairs"], told["seed"]) == (
        "heaviest", "random", 6, 3,
    )  # fmt: skip
    assert set(told["match_wins_percent"]) == {"mean", "margin"}
    assert [one["count"] > 0 for one in told["decisions"]] == [True, True]
    assert main([*asked, "--quiet"]) == 0
    again = json.loads(capsys.readouterr().out)
    for part in ("match_wins_percent", "points_per_hand", "hands"):
        assert again[part] == told[part]


def test_a_player_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nobody", "simple"]) == 1
    assert "there is no player 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--pairs", "1"], ["--pairs", "x"], ["--processes", "0"]])
def test_numbers_that_make_no_sense_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simple", "random", *wrong])


@pytest.mark.parametrize(("played", "written"), [(1, False), (5, True)])
def test_who_stops_it_has_what_was_played(
    played: int, written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(duel: Duel) -> Iterator[Pair]:
        yield from play(duel._replace(pairs=played))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play", stopped)
    out = tmp_path / "duel.json"
    assert main(["heaviest", "random", "--pairs", "900", "--out", str(out)]) == 130
    assert out.exists() == written
    if written:
        assert json.loads(out.read_text())["pairs"] == played
