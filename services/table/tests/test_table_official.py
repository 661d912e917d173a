"""Tables of championships: opened for people who were drawn, played to the end, closed."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.wire.server import SnapshotFrame
from laelo_table.domain import phrases, snapshot
from laelo_table.domain.commands import Empty, Gone, MatchOver, StartByItself
from laelo_table.domain.decide import version_made
from laelo_table.domain.evolve import evolve
from laelo_table.domain.state import NO_TABLE, host_seat, phase_of
from laelo_table.domain.view import frames, said, view, watching
from laelo_table.domain.view import snapshot as snapshot_frame

from .kit import ANIMALS, CHAMPIONSHIP, PEOPLE, Game, drawn_match, happen, match_command
from .test_table_domain_properties import draw_command
from .test_table_hosting import asked, code, events

OTHERS = ("u1", "u22", "u333", "u4444")
VIEWERS = range(5)
SEEDS = st.integers(0, 2**32)


def sitting(game: Game) -> list[tuple[str, str, int, int]]:
    return [(seat.player, seat.animal, seat.level, seat.stand_in) for seat in game.state.seats]


@given(SEEDS, st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_is_asked_nobody_changes_seats(seed: int, data: st.DataObject) -> None:
    game = Game(random.Random(seed)).open_match()
    seated = sitting(game)
    if data.draw(st.booleans()):
        game.begin_match().play_on(data.draw(st.integers(0, 400)))
    for _ in range(20):
        game.do(draw_command(game, data))
        assert sitting(game) == seated


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_people_who_come_and_go_leave_seats_and_match_as_they_are(seed: int) -> None:
    game = drawn_match(seed)
    assert sitting(game) == [
        (player, animal, 0, 0) for player, animal in zip(PEOPLE, ANIMALS, strict=True)
    ]
    assert game.state.match == 1
    assert game.state.match_end is not None
    state = NO_TABLE
    for data, live in zip(game.stored, game.states[1:], strict=True):
        state = evolve(state, events_pb2.Commit.FromString(data))
        assert state == live
        kept = snapshot.save(state, b"digest").SerializeToString()
        assert snapshot.restore(events_pb2.Snapshot.FromString(kept)) == state


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_nothing_that_is_shown_follows_from_who_plays(seed: int) -> None:
    """R40: of two tables with other people, in other windows, every byte is the same."""
    one, other = drawn_match(seed), drawn_match(seed, OTHERS, "z")
    assert one.stored != other.stored
    assert [shown(one, viewer) for viewer in VIEWERS] == [
        shown(other, viewer) for viewer in VIEWERS
    ]


def shown(game: Game, viewer: int) -> list[bytes]:
    """All bytes that a viewer can get to see of a table."""
    seen = []
    for commit, after in zip(game.commits, game.states[1:], strict=True):
        sent = [frame for frame in frames(commit, after) if frame.viewers >> viewer & 1]
        seen += [frame.frame for frame in sent]
        seen.append(snapshot_frame(after, viewer, commit.head.time_ms + 7).frame)
        seen += [said(after, 1, "hello").frame, watching(after, 2).frame]
    return seen


def test_a_championships_table_is_opened_in_one_commit() -> None:
    game = Game().open_match(trace="00-1-2-01")
    (commit,) = game.commits
    assert events(game) == ["opened"] + ["seat_taken_2"] * 4
    opened = commit.events[0].opened
    assert (opened.host, opened.code, opened.clock_scale) == ("", "", 0)
    assert opened.options == table_pb2.Options(
        move_seconds=15, spectators=True, championship=CHAMPIONSHIP, match="W1-1"
    )
    taken = [event.seat_taken_2 for event in commit.events[1:]]
    assert [(seat.person.player, seat.person.animal, seat.fence) for seat in taken] == [
        (player, animal, 1) for player, animal in zip(PEOPLE, ANIMALS, strict=True)
    ]
    assert not any(seat.person.guest_name or seat.person.window for seat in taken)
    head = commit.head
    assert (head.command, head.turn, head.deadline_ms) == ("open", 1, game.now_ms + 15_000)
    assert (head.actor, head.actor_id) == (log_pb2.ACTOR_CLOCK, "")


def test_the_match_starts_by_itself_with_nobody_there() -> None:
    game = Game().open_match()
    assert code(game, StartByItself(1)) == "NOT_STARTED"
    game.now_ms += 15_000
    game.must(StartByItself(1))
    assert events(game) == ["match_started", "deal_committed"]
    assert game.state.deadline_ms == game.now_ms + 1_500


def test_a_table_shows_animals_championship_and_match() -> None:
    game = Game().open_match()
    seen = view(game.state, 2, game.now_ms)
    assert [(seat.kind, seat.name, seat.animal) for seat in seen.seats] == [
        ("person", "", animal) for animal in ANIMALS
    ]
    assert (seen.championship, seen.official, seen.host) == (CHAMPIONSHIP, "W1-1", None)
    assert (seen.me, seen.fence, seen.next_ms, seen.code) == (2, 1, 15_000, "")
    game.must(Gone("ana", 0, 1))
    (frame,) = frames(game.commits[-1], game.state)
    assert b'"animal":"aratu"' in frame.frame
    assert b"host" not in frame.frame
    assert view(game.state, 4, game.now_ms).seats[0].gone


REFUSED = (
    table_pb2.KIND_OPEN,
    table_pb2.KIND_SIT,
    table_pb2.KIND_LEAVE,
    table_pb2.KIND_SEAT_BOT,
    table_pb2.KIND_UNSEAT_BOT,
    table_pb2.KIND_START,
    table_pb2.KIND_KICK,
    table_pb2.KIND_SWAP,
    table_pb2.KIND_CLOSE,
    table_pb2.KIND_SHUT,
    table_pb2.KIND_UNSPECIFIED,
)


@pytest.mark.parametrize("player", ["ana", "eve"])
def test_most_is_refused_before_in_and_after_the_match(player: str) -> None:
    game = Game().open_match()
    game.must(Gone("bia", 1, 1))
    for stage in ("lobby", "play", "match_over"):
        assert phase_of(game.state).name.lower() == stage
        for kind in REFUSED:
            if (player, kind) != ("ana", table_pb2.KIND_SIT):
                assert asked(game, kind, player, seat=1, other=3) == "OFFICIAL_TABLE", kind
        game = game.begin_match() if stage == "lobby" else game.play_on()


def test_ones_own_seat_goes_into_another_window() -> None:
    game = Game().open_match()
    sit = table_pb2.KIND_SIT
    game.must(game.ask(sit, "caio", seat=-1, window="w1"))
    assert events(game) == ["seat_held"]
    assert asked(game, sit, "caio", seat=0, window="w1") == "ALREADY_SEATED"
    game.must(Gone("caio", 2, game.state.seats[2].fence))
    game.must(game.ask(sit, "caio", seat=-1, window="w2"))
    assert events(game) == ["person_back", "seat_held"]


def test_phrases_are_said_by_who_sits_there() -> None:
    game = Game().open_match()
    ask = game.ask(table_pb2.KIND_SAY, "caio", phrase="hello")
    assert phrases.refuse(game.state, ask) is None


def test_opening_again_is_done_however_much_happened_since() -> None:
    game = Game().open_match()
    again = game.match_asked()
    assert version_made(game.state, again) == 1
    game.begin_match().play_on(200)
    assert game.state.version > 64
    assert version_made(game.state, again) == 1
    game.play_on()
    game.must(cancel())
    assert version_made(game.state, again) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"options": table_pb2.Options(championship=CHAMPIONSHIP, match="W1-2")},
        {"options": table_pb2.Options(championship="another", match="W1-1")},
        {"people": match_command(*PEOPLE[::-1]).people},
    ],
)
def test_an_id_is_that_of_one_match(other: dict[str, Any]) -> None:
    for game in (Game().open_match(), Game().open(4)):
        command = game.match_asked(**other)
        assert version_made(game.state, command) == 0
        assert code(game, command) == "TABLE_EXISTS"


def test_a_match_of_nobody_was_never_opened() -> None:
    nothing = table_pb2.Command(
        command="open", kind=table_pb2.KIND_OPEN_MATCH, people=[table_pb2.Sitting()] * 4
    )
    assert version_made(NO_TABLE, nothing) == 0
    assert code(Game(), nothing) == "BAD_OPTIONS"


def test_a_friendly_command_of_that_id_does_not_stand_for_the_match() -> None:
    game = Game()
    game.must(game.ask(table_pb2.KIND_OPEN, "ana", command="open"))
    assert version_made(game.state, game.match_asked()) == 0


ANA_TWICE = match_command("ana", "bia", "caio", "ana").people
NOBODY_THERE = match_command("ana", "", "caio", "davi").people
ONE_ANIMAL = [table_pb2.Sitting(player=player, animal="aratu") for player in PEOPLE]


@pytest.mark.parametrize(
    "wrong",
    [
        {"people": []},
        {"people": match_command().people[:3]},
        {"people": ANA_TWICE},
        {"people": NOBODY_THERE},
        {"people": ONE_ANIMAL},
        {"options": table_pb2.Options(championship=CHAMPIONSHIP)},
        {"options": table_pb2.Options(match="W1-1")},
        {"options": table_pb2.Options(championship='"', match="W1-1")},
        {"start_ms": 0},
        {"start_ms": -5},
    ],
)
def test_a_match_has_four_people_and_a_time(wrong: dict[str, Any]) -> None:
    game = Game()
    assert code(game, game.match_asked(**wrong)) == "BAD_OPTIONS"


@pytest.mark.parametrize("options", [{"championship": CHAMPIONSHIP}, {"match": "W1-1"}])
def test_nobody_opens_a_championships_table_as_a_friendly_one(options: dict[str, str]) -> None:
    game = Game()
    chosen = table_pb2.Options(**options)  # type: ignore[arg-type]
    assert asked(game, table_pb2.KIND_OPEN, "ana", options=chosen) == "BAD_OPTIONS"


def test_only_the_house_opens_and_cancels() -> None:
    game = Game()
    assert code(game, game.match_asked(player="ana")) == "BAD_REQUEST"
    assert code(game, cancel()) == "UNKNOWN_TABLE"
    game.open_match()
    assert code(game, cancel(player="ana")) == "BAD_REQUEST"
    friendly = Game().open()
    assert code(friendly, cancel()) == "BAD_REQUEST"


def cancel(**fields: Any) -> table_pb2.Command:
    values: dict[str, Any] = {"command": "cancel", "kind": table_pb2.KIND_CANCEL}
    return table_pb2.Command(**(values | fields))


@pytest.mark.parametrize("steps", [-1, 0, 30, 10_000])
def test_a_championship_is_cancelled_at_any_time(steps: int) -> None:
    game = Game().open_match()
    if steps >= 0:
        game.begin_match().play_on(steps)
    game.must(cancel())
    assert events(game) == ["table_closed"]
    head = game.commits[-1].head
    assert (head.actor, head.deadline_ms) == (log_pb2.ACTOR_OPERATOR, 0)
    assert view(game.state, 0, game.now_ms).closed == "cancelled"
    assert version_made(game.state, cancel(command="again")) == game.state.version
    assert asked(game, table_pb2.KIND_PASS, "ana") == "TABLE_CLOSED"


def test_the_table_closes_a_minute_after_its_match() -> None:
    game = Game().open_match().begin_match()
    assert code(game, MatchOver(game.state.turn)) == "STALE_TURN"
    game.play_on()
    over = MatchOver(game.state.turn)
    assert game.state.deadline_ms == game.now_ms + 60_000
    game.now_ms += 59_999
    assert code(game, over) == "MATCH_OVER"
    assert code(game, MatchOver(over.turn - 1)) == "STALE_TURN"
    game.now_ms += 1
    game.must(over)
    assert view(game.state, 4, game.now_ms).closed == "over"
    assert version_made(game.state, cancel()) == 0
    assert code(game, cancel()) == "TABLE_CLOSED"


def test_no_friendly_table_closes_after_its_match() -> None:
    game = Game().open().start().play_on()
    assert game.state.deadline_ms == 0
    assert code(game, MatchOver(game.state.turn)) == "STALE_TURN"


def test_a_table_that_all_have_left_is_kept() -> None:
    game = Game().open_match().begin_match()
    for seat, player in enumerate(PEOPLE):
        game.must(Gone(player, seat, 1))
    assert game.state.empty_ms == game.now_ms
    game.now_ms += 400_000
    assert code(game, Empty(game.state.empty_ms, 300_000)) == "OFFICIAL_TABLE"


def test_no_person_is_host() -> None:
    assert host_seat(Game().open_match().state) == 4


def test_a_snapshot_frame_of_a_championships_table_stays_below_four_kilobytes() -> None:
    game = drawn_match(3)
    every = tuple(events_pb2.BytesAdded(seat=seat, bytes=bytes(16)) for seat in range(4))
    for state in game.states[1:]:
        a, b, c, d = (seat._replace(animal="a" * 32, gone=True) for seat in state.seats)
        many = state._replace(seats=(a, b, c, d), added=every, championship="c" * 32)
        for viewer in VIEWERS:
            frame = snapshot_frame(many, viewer, game.now_ms).frame
            assert len(frame) <= 4096
            assert msgspec.json.decode(frame, type=SnapshotFrame).d.championship


def test_what_people_do_at_friendly_tables_is_refused_here_too() -> None:
    game = Game(random.Random(5)).open_match()
    seated = sitting(game)
    for _ in range(300):
        happen(game)
    assert sitting(game) == seated
