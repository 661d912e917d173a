"""From when to when, and files that can't be written."""

import argparse
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_tools.errors import LaeloError
from laelo_tools.export.columns import DataSet, number
from laelo_tools.export.span import ALWAYS, RECIFE, Span, moment
from laelo_tools.export.write import write

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ZONES = st.builds(lambda minutes: timezone(timedelta(minutes=minutes)), st.integers(-720, 840))
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1), timezones=ZONES)
ROWS = DataSet("some", "a number", (number("n", "n", "a number"),), "some")


@given(when=MOMENTS)
def test_a_time_is_meant_where_it_says(when: datetime) -> None:
    when = when.replace(microsecond=when.microsecond // 1000 * 1000)
    assert moment(when.isoformat()) == (when - EPOCH) // timedelta(milliseconds=1)


@given(day=st.dates(datetime(1971, 1, 1).date(), datetime(2200, 1, 1).date()))
def test_a_day_begins_in_recife(day: Any) -> None:
    begins = datetime(day.year, day.month, day.day, tzinfo=RECIFE)
    assert moment(day.isoformat()) == moment(begins.isoformat())
    assert Span(moment(day.isoformat()), ALWAYS.until_ms).described() == (
        f"{day.isoformat()}T03:00:00.000+00:00",
        None,
    )


@pytest.mark.parametrize("text", ["", "today", "2026-11", "2026-11-31", "2026-11-30T08:00:00", "1"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="neither a day"):
        moment(text)


class Rows:
    """A database that hands over so many numbers."""

    def __init__(self, count: int, said: int | None = None) -> None:
        self.count, self.said = count, count if said is None else said

    async def copy_from_query(self, *_: Any, output: Any, **__: Any) -> str:
        output.write(b"n\n")
        for n in range(self.count):
            output.write(b"%d\n" % n)
        return f"COPY {self.said}"


async def test_rows_that_do_not_arrive_are_missed(tmp_path: Path) -> None:
    assert await write(Rows(70_000), ROWS, (), tmp_path / "some.parquet") == 70_000
    with pytest.raises(LaeloError, match="Of 4 rows 3 came into few"):
        await write(Rows(3, said=4), ROWS, (), tmp_path / "few.parquet")


async def test_a_file_that_cannot_be_written_stops_who_reads(tmp_path: Path) -> None:
    """More than a pipe holds: nobody may wait for a reader who has given up."""
    with pytest.raises(LaeloError, match="can't be written"):
        await write(Rows(100_000), ROWS, (), tmp_path / "nowhere" / "some.parquet")


async def test_who_has_no_pyarrow_is_told_what_to_do(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LaeloError, match="make analysts"):
        await write(Rows(100_000), ROWS, (), tmp_path / "some.parquet")
    assert not (tmp_path / "some.parquet").exists()


async def test_a_database_that_goes_away_is_told(tmp_path: Path) -> None:
    class Gone(Rows):
        async def copy_from_query(self, *_: Any, output: Any, **__: Any) -> str:
            output.write(b"n\n1\n")
            raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError, match="gone"):
        await write(Gone(1), ROWS, (), tmp_path / "some.parquet")
