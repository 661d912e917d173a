"""Weeks of the ranking: from Monday 00:00 in Recife, UTC−3 all year (R43).

A week is named by its Monday, as 2024-06-03; moments are milliseconds since 1970 UTC.
"""

import re
from typing import Final

DAY_MS: Final = 24 * 60 * 60 * 1000
WEEK_MS: Final = 7 * DAY_MS

_BEHIND_UTC_MS: Final = 3 * 60 * 60 * 1000
_MONDAY: Final = -3
"""A Monday, in days since 1970-01-01, which was a Thursday."""

_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DAYS_OF_400_YEARS: Final = 146_097
_FROM_YEAR_0: Final = 719_468
"""Days from 0000-03-01 to 1970-01-01. Years that begin in March end with the leap day."""


def week_of(moment_ms: int) -> str:
    """The week of a moment."""
    day = (moment_ms - _BEHIND_UTC_MS) // DAY_MS
    return _date(day - (day - _MONDAY) % 7)


def begins_ms(week: str) -> int | None:
    """When a week begins; None if it is no date, or no Monday."""
    parts = _DATE.fullmatch(week)
    if parts is None:
        return None
    year, month, day = map(int, parts.groups())
    moment = _day(year, month, day) * DAY_MS + _BEHIND_UTC_MS
    return moment if week_of(moment) == week else None


def _date(day: int) -> str:
    """The date of a day since 1970-01-01, by the proleptic Gregorian calendar."""
    cycle, left = divmod(day + _FROM_YEAR_0, _DAYS_OF_400_YEARS)
    year = (left - left // 1_460 + left // 36_524 - left // 146_096) // 365
    left -= 365 * year + year // 4 - year // 100
    month = (5 * left + 2) // 153
    date = left - (153 * month + 2) // 5 + 1
    in_next_year = month >= 10
    month += -9 if in_next_year else 3
    return f"{400 * cycle + year + in_next_year:04}-{month:02}-{date:02}"


def _day(year: int, month: int, date: int) -> int:
    """The other way round; for a date that there isn't, some day."""
    if month <= 2:
        year -= 1
    months = (month + 9) % 12
    days = 365 * year + year // 4 - year // 100 + year // 400
    return days + (153 * months + 2) // 5 + date - 1 - _FROM_YEAR_0
