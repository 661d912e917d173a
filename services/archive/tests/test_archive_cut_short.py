"""What ends before its time, and commits that do not belong where they stand."""

import random
from typing import Any

import pytest
from laelo.table.v1 import events_pb2, table_pb2
from laelo.tournament.v1 import events_pb2 as championship_events
from laelo.tournament.v1 import tournament_pb2
from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import ChampionshipRow, EntryRow, HandRow, MatchRow
from laelo_common.log import Aggregate, Kind
from laelo_tournament.domain.commands import Cancel

from services.table.tests.kit import CHAMPIONSHIP, TABLE, Game, match_command, random_match
from services.tournament.tests.championships import ID, Story, names

from .kit import newest, retold, rows_of

CLOSED = table_pb2.KIND_CANCEL


def cancelled_match(seed: int) -> Game:
    """A championship's match whose table is closed in the midst of a hand."""
    game = Game(random.Random(seed)).open_match().begin_match()
    for _ in range(45):
        game.step()
    game.must(match_command(kind=CLOSED, command="cancel", people=[]))
    return game


@pytest.mark.parametrize("seed", range(5))
def test_a_match_that_is_cut_short_has_an_end_and_no_winner(seed: int) -> None:
    game = cancelled_match(seed)
    rows, known = rows_of(Stream.TABLES, TABLE, game.stored)
    assert not known.fault
    hands = [row for row in rows if isinstance(row, HandRow)]
    (match,) = [row for row in newest(rows).values() if isinstance(row, MatchRow)]
    last = game.commits[-1].head
    assert (match.ended_ms, match.closing) == (last.time_ms, events_pb2.CLOSING_CANCELLED)
    assert (match.winner, match.hands) == (2, len(hands))
    assert match.championship == CHAMPIONSHIP
    assert match.players == ["ana", "bia", "caio", "davi"]
    assert len(hands) == len(game.states[-2].hands)
    if hands:
        assert (match.score_0, match.score_1) == (hands[-1].score_0, hands[-1].score_1)


def test_in_a_championship_that_is_cancelled_everybody_is_open() -> None:
    """Its seed is told then, from which anybody can draw again."""
    story = Story().start(names(8))
    drawn, _ = rows_of(
        Stream.CHAMPIONSHIPS, ID, [commit.SerializeToString() for commit in story.commits]
    )
    entries = [row for row in drawn if isinstance(row, EntryRow)]
    assert len(entries) == 8
    assert not any(row.open for row in entries)
    story.do(Cancel("rain", "op"))
    rows, known = rows_of(
        Stream.CHAMPIONSHIPS, ID, [commit.SerializeToString() for commit in story.commits]
    )
    assert not known.fault
    stands = newest(rows).values()
    assert [row.open for row in stands if isinstance(row, EntryRow)] == [True] * 8
    (one,) = [row for row in stands if isinstance(row, ChampionshipRow)]
    assert (one.stage, one.champion) == (tournament_pb2.STAGE_CANCELLED, 0)
    assert one.ended_ms == story.now_ms


def test_a_commit_of_another_aggregate_is_a_fault() -> None:
    _, known = rows_of(Stream.TABLES, "another", random_match(1).stored)
    assert known.fault == "a commit of another aggregate"


@pytest.mark.parametrize(
    ("stream", "event"),
    [
        (Stream.TABLES, events_pb2.Event(played=events_pb2.Played(tile=1))),
        (Stream.TABLES, events_pb2.Event(hand_ended=events_pb2.HandEnded())),
        (Stream.TABLES, events_pb2.Event()),
        (Stream.CHAMPIONSHIPS, championship_events.Event()),
    ],
)
def test_an_event_that_does_not_follow_is_a_fault(stream: Stream, event: Any) -> None:
    kind = {Stream.TABLES: Kind.TABLE, Stream.CHAMPIONSHIPS: Kind.CHAMPIONSHIP}[stream]
    commit = events_pb2.Commit if stream is Stream.TABLES else championship_events.Commit
    made: Any = commit(events=[event])
    made.head.version = 1
    aggregate = Aggregate(kind, "x")
    rows, known = rows_of(stream, "x", retold([made.SerializeToString()], aggregate))
    assert "in version 1" in known.fault
    assert (rows, known.state) == ([], None)
