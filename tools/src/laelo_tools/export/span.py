"""From when to when: days begin at 00:00 in Recife, as weeks do (R43)."""

import argparse
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, NamedTuple

RECIFE: Final = timezone(timedelta(hours=-3))
"""UTC−3 all year."""

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


class Span(NamedTuple):
    """Milliseconds since 1970 UTC: `since_ms` belongs to it, `until_ms` does not."""

    since_ms: int
    until_ms: int

    def described(self) -> tuple[str | None, str | None]:
        """Both ends as texts in UTC; None = always."""
        return _told(self.since_ms), _told(self.until_ms)


ALWAYS: Final = Span(0, 2**62)


def moment(text: str) -> int:
    """A day, or a time with its distance from UTC, as milliseconds: for argparse.

    Raises argparse.ArgumentTypeError.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is not None and found.tzinfo is None and _DAY.fullmatch(text):
        found = found.replace(tzinfo=RECIFE)
    if found is None or found.tzinfo is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a day such as 2026-11-30 nor a time such as"
            " 2026-11-30T08:00:00-03:00"
        )
    return round(found.timestamp() * 1000)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--since` and `--until`."""
    what = "matches that began {}: a day in Recife, or a time such as 2026-11-30T08:00:00-03:00"
    parser.add_argument(
        "--since", type=moment, metavar="WHEN", default=ALWAYS.since_ms,
        help=what.format("then or later"),
    )  # fmt: skip
    parser.add_argument(
        "--until", type=moment, metavar="WHEN", default=ALWAYS.until_ms,
        help=what.format("before that"),
    )  # fmt: skip


def _told(ms: int) -> str | None:
    if ms in ALWAYS:
        return None
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
