"""The duels behind the table of docs/bots.md: played once, kept, and told alike."""

import json
from pathlib import Path

import pytest
from laelo_bots.domain.levels import Level

from bench.arena import strength
from bench.arena.named import maker_of


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    planned = (
        strength.Planned("one", "heaviest", "random"),
        strength.Planned("two", "simple", "random", 0.5),
    )
    monkeypatch.setattr(strength, "RESULTS", tmp_path)
    monkeypatch.setattr(strength, "PLAN", planned)
    return tmp_path


def test_what_was_played_is_not_played_again(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--pairs", "8", "--processes", "1"]
    assert strength.main(asked) == 0
    first = capsys.readouterr().out
    kept = {file.stem: file.read_text() for file in results.iterdir()}
    assert [json.loads(kept[name])["pairs"] for name in ("one", "two")] == [8, 4]
    (results / "two.json").write_text('{"bots_version": 0}')
    assert strength.main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == first.splitlines()[2]
    assert (results / "one.json").read_text() == kept["one"]
    assert lines[3].startswith("| simple | random | ")
    assert "| 4 |" in lines[3]


def test_every_planned_player_is_there() -> None:
    names = [planned.name for planned in strength.PLAN]
    assert len(set(names)) == len(names)
    for planned in strength.PLAN:
        for name in (planned.first, planned.second):
            assert name.partition(":")[0] in {"heaviest", "vote", *(x.name.lower() for x in Level)}
            maker_of(name)
