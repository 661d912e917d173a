"""What analysts get: every file with its columns, in every reader, and nobody's secret."""

import csv
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest
from laelo_archive.domain.rows import HandRow, PersonRow
from laelo_archive.domain.turns import NO_TILE, unpack
from laelo_tools import cli
from laelo_tools.export.columns import TILES, DataSet
from laelo_tools.export.run import MANIFEST
from laelo_tools.export.sets import ACTORS, SETS

from tools.tests.exports import MIDDLE_MS, RUNNING, Made, table

pytestmark = pytest.mark.integration

CLASSES = {"VARCHAR": str, "INTEGER": int, "BIGINT": int, "DOUBLE": float, "BOOLEAN": bool}


@pytest.mark.parametrize("rows", SETS, ids=lambda rows: rows.name)
def test_every_reader_finds_the_same_columns_and_rows(made: Made, rows: DataSet) -> None:
    file = made.parquet / f"{rows.name}.parquet"
    names = [column.name for column in rows.columns]
    read = table(made.parquet, rows.name)
    note = json.loads((made.parquet / MANIFEST).read_text())
    assert len(read) == note["rows"][rows.name] > 0
    for column in rows.columns:
        found = {type(row[column.name]) for row in read} - {type(None)}
        assert {one.__name__ for one in found} <= {
            CLASSES.get(column.type, type(None)).__name__,
            "datetime",
        }
    by_polars = polars.read_parquet(file)
    assert by_polars.columns == names
    assert by_polars.rows(named=True) == read
    by_pandas = pandas.read_parquet(file)
    assert list(by_pandas.columns) == names
    assert len(by_pandas) == len(read)
    for name in names:
        assert int(by_pandas[name].isna().sum()) == sum(row[name] is None for row in read)


def test_moves_are_those_of_the_archive(made: Made) -> None:
    found = {(row["table_id"], row["match"], row["hand"], row["turn"]): row for row in
             table(made.real, "moves")}  # fmt: skip
    told = 0
    for stored in made.rows["hands"]:
        hand = HandRow(*stored)
        before = hand.chosen_after_ms
        for number, turn in enumerate(unpack(hand.turns), start=1):
            row = found[hand.table_id, hand.match, hand.hand, number]
            assert row["tile"] == (None if turn.tile == NO_TILE else TILES[turn.tile])
            assert row["end"] == (None, "left", "right")[turn.end]
            assert row["actor"] == ACTORS[turn.actor]
            assert (row["seat"], row["choices"], row["short_clock"]) == (
                turn.seat,
                turn.choices,
                turn.short,
            )
            assert (row["left_after"], row["right_after"]) == (turn.left, turn.right)
            assert (row["after_ms"], row["took_ms"]) == (turn.after_ms, turn.after_ms - before)
            before = turn.after_ms
            told += 1
    assert told == len(found)


def test_hands_are_those_of_the_archive_without_what_sleeps(made: Made) -> None:
    found = {(row["table_id"], row["match"], row["hand"]): row for row in table(made.real, "hands")}
    assert len(found) == len(made.rows["hands"])
    for stored in made.rows["hands"]:
        hand = HandRow(*stored)
        row = found[hand.table_id, hand.match, hand.hand]
        dealt = [row[f"dealt_{seat}"].split() for seat in range(4)]
        wanted = [{TILES[tile] for tile in hand.tiles[6 * n : 6 * n + 6]} for n in range(4)]
        assert [set(tiles) for tiles in dealt] == wanted
        assert row["opening_tile"] in dealt[hand.opener]
        assert (row["points"], row["multiplier"]) == (hand.points, hand.multiplier)
        assert [row[f"count_{n}"] for n in range(4)] == hand.counts
        assert (row["winner"], row["team"]) == (
            (None, None) if hand.reason == 6 else (hand.winner, hand.team)
        )
        for name in ("dealt", "ended"):
            told = row[f"{name}_at"].replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
            assert told == timedelta(milliseconds=getattr(hand, f"{name}_ms"))


def test_judged_moves_stand_beside_the_moves(made: Made) -> None:
    moves = {(row["table_id"], row["match"], row["hand"], row["turn"]): row for row in
             table(made.real, "moves")}  # fmt: skip
    judged = table(made.real, "judged_moves")
    assert len(judged) == 2 * len(table(made.real, "hands"))
    for row in judged:
        move = moves[row["table_id"], row["match"], row["hand"], row["turn"]]
        if row["seat"] == move["seat"]:
            assert row["player"] == move["player"]
        assert (row["best_tile"], row["best_end"]) == (
            "6|3",
            (None, "left", "right")[row["turn"] % 3],
        )
        assert row["word"] == {2: "doubtful", 5: "good"}[row["turn"]]
        assert row["equity_played"] == 0.5 - row["turn"] / 64


def test_csv_says_the_same(made: Made) -> None:
    for rows in SETS:
        with (made.csv / f"{rows.name}.csv").open(newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        read = table(made.real, rows.name)
        assert len(lines) == len(read)
        said = {"True": "t", "False": "f", "None": ""}
        for line, row in zip(lines, read, strict=True):
            for column in rows.columns:
                if column.type != "TIMESTAMP_MS":
                    told = str(row[column.name])
                    assert line[column.name] == said.get(told, told)
                elif row[column.name] is not None:
                    assert pandas.Timestamp(line[column.name]) == row[column.name]


def values(folder: Path) -> set[Any]:
    """Every value of an export."""
    return {value for rows in SETS for row in table(folder, rows.name) for value in row.values()}


def test_pseudonyms_tell_nobody_and_are_new_in_each_export(made: Made) -> None:
    ids = {row[0] for name in ("people", "matches", "championships") for row in made.rows[name]}
    real = values(made.real)
    assert ids <= real
    names = {PersonRow(*row).name for row in made.rows["people"]} - {""}
    assert names
    assert not names & real
    pseudonyms = values(made.parquet)
    assert not ids & pseudonyms
    for name in ("matches", "people", "hands", "moves", "entries"):
        one, other = table(made.parquet, name), table(made.real, name)
        keys = [key for key in one[0] if key.startswith(("player", "partner", "table"))]
        pairs = {(a[key], b[key]) for a, b in zip(one, other, strict=True) for key in keys}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    people = {row["player"] for row in table(made.parquet, "people")} - {None}
    assert people & {row["player_0"] for row in table(made.parquet, "matches")}
    assert not people & values(made.again)


def test_nobody_is_told_before_their_team_is_out(made: Made) -> None:
    """R40, also where ids are wanted; their other matches stay theirs."""
    assert made.hidden <= values(made.real)
    told: set[Any] = set()
    animals: set[str] = set()
    entries = [row for row in table(made.real, "entries") if row["championship"] == RUNNING]
    assert [row["player"] for row in entries] == [None] * 8
    tables = set()
    for row in table(made.real, "matches"):
        if row["championship"] == RUNNING:
            tables.add(row["table_id"])
            told |= {row[f"player_{n}"] for n in range(4)}
            animals |= {row[f"animal_{n}"] for n in range(4)}
    for name in ("people", "hands", "moves", "judged_moves"):
        rows = [row for row in table(made.real, name) if row["table_id"] in tables]
        assert rows
        told |= {row[key] for row in rows for key in row if key.startswith(("player", "partner"))}
    assert told == {None}
    assert animals <= {row["animal"] for row in entries}
    over = [row for row in table(made.real, "entries") if row["championship"] != RUNNING]
    assert over
    assert all(row["player"] for row in over)


def test_a_match_belongs_whole_to_when_it_began(made: Made) -> None:
    for rows in SETS:
        early, late = table(made.early, rows.name), table(made.late, rows.name)
        whole = table(made.real, rows.name)
        assert early
        assert late
        assert sorted(map(str, early + late)) == sorted(map(str, whole))
    began = {match.table_id: match.started_ms for match in made.matches}
    for row in table(made.late, "moves"):
        assert began[row["table_id"]] >= MIDDLE_MS


def test_what_goes_wrong_leaves_nothing_behind(tmp_path: Path, capsys, monkeypatch) -> None:
    def said(*arguments: str) -> str:
        assert cli.main(["export", *arguments]) == 1
        assert list(tmp_path.iterdir()) == []
        return str(capsys.readouterr().err)

    out = ("--out", str(tmp_path / "out"))
    nowhere = ("--pg", "postgresql://127.0.0.1:1/none")
    assert "can't be reached" in said(*out, *nowhere)
    assert "--since has to be before --until" in said(
        *out, *nowhere, "--since", "2026-11-30", "--until", "2026-11-30"
    )
    (tmp_path / "out").mkdir()
    assert cli.main(["export", *out, *nowhere]) == 1
    assert "is there already" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["export", "--since", "yesterday"])
    assert "neither a day such as" in capsys.readouterr().err
