"""Matches that were really played, as the archive tells of them."""

from collections.abc import Collection, Sequence
from itertools import count
from typing import NamedTuple

from laelo.archive.v1 import archive_pb2
from laelo_archive.domain import shown as archive
from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow
from laelo_common.log import Aggregate, Kind

from services.archive.tests.kit import a_match, newest, retold, rows_of
from services.table.tests.kit import PEOPLE, drawn_match

TABLE = "01HF7YAT00TAB1E00000000001"
CHAMPIONSHIP = "01HF7YAT00CHAMP10NSH1P0000"
STRANGER = "01HF7YAT00STRANGER00000000"


def person(number: int) -> str:
    """An id of somebody."""
    return f"01HF7YAT00P1AYER0000000{number:03}"


FOUR = tuple(person(number) for number in range(4))


class Kept(NamedTuple):
    """The rows of one match."""

    match: MatchRow
    people: list[PersonRow]
    hands: list[HandRow]

    def replay(self, viewer: str = "", named: Collection[str] = ()) -> archive_pb2.ReplayResponse:
        """What the archive answers; `named` are those whom R40 reveals."""
        return archive.replay(self.match, self.people, set(named), self.hands, viewer)

    def row(self, player: str, named: Collection[str] = ()) -> archive_pb2.HistoryRow:
        """The match in somebody's history."""
        return archive.history_row(self.match, self.people, set(named), player)


def official(seed: int, players: Sequence[str] = FOUR) -> Kept:
    """A championship's match."""
    a, b, c, d = players
    return _kept(drawn_match(seed, (a, b, c, d)).stored, championship=CHAMPIONSHIP)


def friendly(seed: int, players: Sequence[str] = FOUR, *, guests: bool = False) -> Kept:
    """The last match of a friendly table, with people, bots and clocks as they come."""
    people = dict(zip(PEOPLE, players, strict=True))
    games = map(a_match, count(seed))
    played = next(game for game in games if game.state.match)  # at some nobody ever starts
    return _kept(played.stored, people=people, guests=guests)


def _kept(stored: Sequence[bytes], **changes: object) -> Kept:
    table = Aggregate(Kind.TABLE, TABLE)
    told = retold(stored, table, **changes)  # type: ignore[arg-type]
    rows, _ = rows_of(Stream(Kind.TABLE.stream), TABLE, told)
    found = list(newest(rows).values())
    match = max((row for row in found if isinstance(row, MatchRow)), key=lambda row: row.match)
    return Kept(
        match,
        [row for row in found if isinstance(row, PersonRow) and row.match == match.match],
        [row for row in found if isinstance(row, HandRow) and row.match == match.match],
    )
