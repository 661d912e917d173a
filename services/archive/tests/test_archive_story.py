"""The story of a table for who runs the house: everything that happened, nothing that is secret."""

import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import events_pb2, table_pb2
from laelo_archive.domain.story import ACCOUNT_MARK, TILES, Show, Story, Words, tile_text

from services.table.tests.kit import PEOPLE, Game, random_match

TILE = re.compile(r"\b[0-6]\|[0-6]\b")


def told(game: Game, show: Show = Show.NOTHING) -> list[str]:
    return [line for _, lines in Story(show).tell(game.commits) for line in lines]


def in_mid_hand(seed: int) -> Game:
    """A match in which at least one hand is over and another one is not."""
    game: Game = Game(Random(seed)).open(2).start()
    while not game.state.hands or game.state.begun is None or len(game.state.turns) < 3:
        game.step()
    return game


def since_the_deal(lines: list[str]) -> list[str]:
    deals = [number for number, line in enumerate(lines) if " is dealt: " in line]
    return lines[deals[-1] :]


@settings(max_examples=12)
@given(st.integers(0, 200))
def test_of_a_hand_that_is_played_no_tile_is_told(seed: int) -> None:
    game = in_mid_hand(seed)
    lines = told(game)
    assert not [line for line in since_the_deal(lines) if TILE.search(line)]
    assert any("lays a tile" in line or "passes" in line for line in since_the_deal(lines))
    seeds = [
        event.deal_committed.seed.hex()
        for commit in game.commits
        for event in commit.events
        if event.HasField("deal_committed")
    ]
    assert seeds[-1] not in "\n".join(lines)
    assert any(TILE.search(line) for line in lines), "a hand that is over is told with its tiles"


@settings(max_examples=6)
@given(st.integers(0, 50))
def test_another_deal_of_the_same_hand_is_told_alike(seed: int) -> None:
    game = in_mid_hand(seed)
    other = [events_pb2.Commit.FromString(data) for data in game.stored]
    hand = max(i for i, c in enumerate(other) if any(e.HasField("dealt") for e in c.events))
    for commit in other[hand:]:
        for event in commit.events:
            if event.HasField("dealt"):
                event.dealt.order = bytes(reversed(event.dealt.order))
                event.dealt.after.hand_0 = event.dealt.after.hand_1
            if event.HasField("played"):
                event.played.tile = (event.played.tile + 1) % len(TILES)
    lines = [line for _, lines in Story().tell(other) for line in lines]
    assert lines == told(game)


@pytest.mark.parametrize(
    ("show", "accept"),
    [(Show.LAID, lambda line: " lays " in line), (Show.ALL, lambda line: "asleep" in line)],
)
def test_more_is_told_to_who_may_know_more(show: Show, accept: Callable[[str], bool]) -> None:
    lines = since_the_deal(told(in_mid_hand(3), show))
    assert any(TILE.search(line) for line in lines if accept(line))


def test_at_a_championships_table_nobody_has_a_name_or_an_id() -> None:
    game = Game().open_match().begin_match().play_on(40)
    text = "\n".join(told(game))
    assert ACCOUNT_MARK not in text
    for player in PEOPLE:
        assert player not in text
    assert "of championship" in text


def test_accounts_are_marked_and_guests_known_by_their_id() -> None:
    game = Game().open(2)
    lines = [
        line
        for _, lines in Story(words=Words(guest_id=True)).tell(game.commits)
        for line in lines
        if line.startswith("seat ")
    ]
    for line in lines:
        assert ACCOUNT_MARK in line or line.endswith(tuple(PEOPLE)) or "bot " in line


def test_tiles_are_numbered_as_in_the_log() -> None:
    game = random_match(1)
    laid = [e.played for c in game.commits for e in c.events if e.HasField("played")]
    text = told(game)
    for played in laid:
        assert any(f"lays {tile_text(played.tile)}" in line for line in text)
    assert (tile_text(0), tile_text(6), tile_text(27)) == ("0|0", "6|0", "6|6")


SENSELESS = {
    "played": events_pb2.Event(played=events_pb2.Played(seat=9)),
    "passed": events_pb2.Event(passed=events_pb2.Passed(seat=4)),
    "person_gone": events_pb2.Event(person_gone=events_pb2.PersonGone(seat=4)),
    "seats_swapped": events_pb2.Event(seats_swapped=events_pb2.SeatsSwapped(other=7)),
    "seat_taken": events_pb2.Event(
        seat_taken_2=events_pb2.SeatTaken2(seat=0, bot=table_pb2.BotLevel.ValueType(64))
    ),
}


@pytest.mark.parametrize("kind", SENSELESS)
def test_what_makes_no_sense_is_told_as_that_and_the_story_goes_on(kind: str) -> None:
    commits = list(random_match(1).commits)
    senseless = events_pb2.Commit(events=[SENSELESS[kind]])
    lines = [line for _, lines in Story().tell([*commits[:9], senseless]) for line in lines]
    assert lines[-1] == f"({kind}, which makes no sense: `laelo log verify` says what is wrong)"
    assert len(lines) > 9
