"""What hosts, people who come and go, and clients' bytes may do, one by one."""

import random
from typing import Any

import msgspec
import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_table.domain.clocks import LEAST_MS
from laelo_table.domain.commands import Empty, GiveBack, Gone, Here, NextDeal, StartByItself
from laelo_table.domain.decide import version_made
from laelo_table.domain.evolve import evolve
from laelo_table.domain.remembered import remember
from laelo_table.domain.snapshot import restore, save
from laelo_table.domain.state import Phase, Seat, Table, host_seat, phase_of
from laelo_table.domain.view import frames, view

from .kit import Game

KICK, SWAP, CLOSE = table_pb2.KIND_KICK, table_pb2.KIND_SWAP, table_pb2.KIND_CLOSE
SIT, SEAT_BOT, START = table_pb2.KIND_SIT, table_pb2.KIND_SEAT_BOT, table_pb2.KIND_START
ADD = table_pb2.KIND_ADD_BYTES


def code(game: Game, command: Any) -> str:
    """Why a command is refused, which changes nothing."""
    before = game.state
    refusal = game.do(command)
    assert refusal is not None
    assert game.state is before
    return refusal.code


def asked(game: Game, kind: Any, player: str, **fields: Any) -> str:
    return code(game, game.ask(kind, player, **fields))


def events(game: Game) -> list[str | None]:
    return [event.WhichOneof("event") for event in game.commits[-1].events]


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({"start_seconds": 601}, "BAD_OPTIONS"),
        ({"level": 9}, "BAD_OPTIONS"),
        ({"move_seconds": 601}, "BAD_OPTIONS"),
    ],
)
def test_options_must_make_sense(options: dict[str, Any], refused: str) -> None:
    game = Game()
    chosen = table_pb2.Options(**options)
    assert asked(game, table_pb2.KIND_OPEN, "ana", options=chosen) == refused
    assert asked(game, table_pb2.KIND_OPEN, "ana", window="w" * 65) == "BAD_REQUEST"


@pytest.mark.parametrize(
    "house",
    [
        StartByItself(1),
        GiveBack(1, 1),
        Gone("ana", 0, 1),
        Here("ana", "w", 0, 1),
        Empty(1, 1),
    ],
)
def test_the_house_needs_an_open_table(house: Any) -> None:
    assert code(Game(), house) == "UNKNOWN_TABLE"
    closed = Game().open(1)
    closed.must(closed.ask(CLOSE, "ana"))
    assert code(closed, house) == "TABLE_CLOSED"
    assert code(closed, NextDeal(1)) == "TABLE_CLOSED"


def test_the_host_kicks_persons_between_matches() -> None:
    game = Game().open(3)
    assert asked(game, KICK, "bia", seat=2) == "NOT_HOST"
    assert asked(game, KICK, "eve", seat=2) == "NOT_SEATED"
    assert asked(game, KICK, "ana", seat=0) == "INVALID_SEAT"
    assert asked(game, KICK, "ana", seat=3) == "INVALID_SEAT"
    assert asked(game, KICK, "ana", seat=-1) == "INVALID_SEAT"
    game.must(game.ask(KICK, "ana", seat=1))
    assert events(game) == ["seat_left"]
    assert game.state.seats[1] == Seat(fence=2)
    game.start()
    assert asked(game, KICK, "ana", seat=2) == "ALREADY_STARTED"


def test_the_host_swaps_seats_between_matches() -> None:
    game = Game().open(3)
    assert asked(game, SWAP, "bia", seat=0, other=1) == "NOT_HOST"
    assert asked(game, SWAP, "ana", seat=0, other=4) == "INVALID_SEAT"
    assert asked(game, SWAP, "ana", seat=1, other=1) == "INVALID_SEAT"
    game.must(game.ask(SWAP, "ana", seat=0, other=3))
    assert [seat.player for seat in game.state.seats] == ["", "bia", "caio", "ana"]
    assert [seat.fence for seat in game.state.seats] == [2, 1, 1, 1]
    assert host_seat(game.state) == 3
    told = msgspec.json.decode(frames(game.commits[-1], game.state)[0].frame)
    assert told["d"]["events"] == [{"k": "swapped", "seats": [0, 3], "fences": [2, 1], "host": 3}]
    game.start()
    assert asked(game, SWAP, "ana", seat=1, other=2) == "ALREADY_STARTED"


def test_a_host_who_is_gone_does_not_keep_the_others_waiting() -> None:
    game = Game().open(3)
    assert asked(game, START, "caio") == "NOT_HOST"
    game.must(Gone("ana", 0, 1))
    assert host_seat(game.state) == 1
    (told,) = msgspec.json.decode(frames(game.commits[-1], game.state)[0].frame)["d"]["events"]
    assert (told["k"], told["host"]) == ("seat", 1)
    assert asked(game, START, "caio") == "NOT_HOST"
    game.must(Gone("bia", 1, 1))
    assert host_seat(game.state) == 2
    game.must(Gone("caio", 2, 1))
    assert host_seat(game.state) == 0
    game.must(Here("bia", "", 1, game.state.version))
    game.must(game.ask(START, "bia"))
    game.must(Here("ana", "", 0, game.state.version))
    assert host_seat(game.state) == 0


def test_the_host_closes_the_table_at_any_time() -> None:
    game = Game().open(4, move_seconds=15).start()
    assert asked(game, CLOSE, "bia") == "NOT_HOST"
    game.must(game.ask(CLOSE, "ana"))
    assert events(game) == ["table_closed"]
    assert game.state.deadline_ms == 0
    assert restore(save(game.state, b"")) == game.state
    for kind in (SIT, START, KICK, table_pb2.KIND_PLAY, table_pb2.KIND_LEAVE):
        assert asked(game, kind, "bia") == "TABLE_CLOSED"
    assert asked(game, table_pb2.KIND_OPEN, "bia") == "TABLE_EXISTS"


def test_a_bot_stands_in_only_for_who_is_gone() -> None:
    game = Game().open(4, move_seconds=15).start()
    begun = game.state.begun
    assert begun is not None
    number = begun.seat
    player = game.state.seats[number].player
    other = game.state.seats[(number + 1) % 4].player
    assert asked(game, SEAT_BOT, other, seat=number) == "SEAT_TAKEN"
    deadline_ms = game.state.deadline_ms
    assert code(game, Gone("eve", number, 1)) == "NOT_SEATED"
    assert code(game, Gone("", number, 1)) == "NOT_SEATED"
    assert code(game, Gone(player, number, 9)) == "NOT_SEATED"
    game.must(Gone(player, number, 1))
    assert code(game, Gone(player, number, 1)) == "ALREADY_SEATED"
    assert game.state.deadline_ms == deadline_ms
    game.must(game.ask(SEAT_BOT, other, seat=number))
    assert events(game) == ["bot_stands_in"]
    assert game.state.deadline_ms == game.now_ms + 800
    assert asked(game, SEAT_BOT, other, seat=number) == "SEAT_TAKEN"
    assert restore(save(game.state, b"")) == game.state
    shown = view(game.state, 4, game.now_ms).seats[number]
    assert (shown.kind, shown.gone, shown.stand_in) == ("person", True, "medium")
    late = game.bot_move()
    game.must(Here(player, "", number, game.state.version))
    assert code(game, late) == "STALE_FENCE"
    assert game.state.deadline_ms == max(deadline_ms, game.now_ms + 3000)
    assert code(game, Here(player, "", number, 1)) == "ALREADY_SEATED"
    assert code(game, Here("eve", "", number, 1)) == "ALREADY_SEATED"
    assert code(game, Here(player, "w" * 65, number, 1)) == "BAD_REQUEST"
    game.must(game.person_move(player))


def test_who_comes_back_in_another_window_takes_the_seat_in_one_step() -> None:
    game = Game().open(2)
    game.must(Gone("bia", 1, 1))
    game.must(Here("bia", "w2", 1, game.state.version))
    assert events(game) == ["person_back", "seat_held"]
    assert game.state.seats[1] == Seat("bia", "Bia", guest=True, fence=3, window="w2")


def test_without_a_clock_a_person_who_is_back_has_all_the_time() -> None:
    game = Game().open(4).start()
    begun = game.state.begun
    assert begun is not None
    player = game.state.seats[begun.seat].player
    game.must(Gone(player, begun.seat, 1))
    other = game.state.seats[(begun.seat + 1) % 4].player
    game.must(game.ask(SEAT_BOT, other, seat=begun.seat))
    assert game.state.deadline_ms
    game.must(Here(player, "", begun.seat, game.state.version))
    assert game.state.deadline_ms == 0


def test_a_table_is_empty_from_when_the_last_person_is_gone() -> None:
    game = Game().open(2)
    game.must(Gone("ana", 0, 1))
    assert game.state.empty_ms == 0
    game.now_ms += 500
    game.must(Gone("bia", 1, 1))
    assert game.state.empty_ms == game.now_ms
    since_ms = game.state.empty_ms
    game.now_ms += 1000
    assert code(game, Empty(since_ms, 2000)) == "BAD_REQUEST"
    assert code(game, Empty(since_ms - 1, 500)) == "BAD_REQUEST"
    game.must(Empty(since_ms, 1000))
    assert events(game) == ["table_closed"]
    assert game.state.closed == events_pb2.CLOSING_EMPTY


def test_a_match_starts_by_itself_only_in_the_lobby_and_in_time() -> None:
    game = Game().open(2, start_seconds=8)
    turn = game.state.turn
    assert code(game, StartByItself(turn)) == "NOT_STARTED"
    assert code(game, StartByItself(turn + 1)) == "STALE_TURN"
    assert view(game.state, 4, game.now_ms).next_ms == 8000
    game.now_ms += 8000
    game.must(StartByItself(turn))
    assert events(game)[-2:] == ["match_started", "deal_committed"]
    assert code(game, StartByItself(game.state.turn)) == "STALE_TURN"


def test_a_full_lobby_starts_at_once_and_an_empty_one_never() -> None:
    game = Game().open(3, start_seconds=8)
    game.now_ms += 100
    game.must(game.ask(SEAT_BOT, "ana", seat=3))
    assert game.state.deadline_ms == game.now_ms
    for player in ("ana", "bia", "caio"):
        game.must(game.ask(table_pb2.KIND_LEAVE, player))
    assert game.state.deadline_ms == 0
    game.must(game.ask(SIT, "bia", seat=0))
    assert (game.state.turn, game.state.deadline_ms) == (
        game.state.version,
        game.now_ms + 8000,
    )


def pause(people: int = 4) -> Game:
    game = Game(random.Random(5)).open(people)
    game.must(game.ask(START, "ana"))
    return game


def test_each_seat_adds_once_before_the_deal() -> None:
    game = pause(3)
    assert phase_of(game.state) is Phase.PAUSE
    assert asked(game, ADD, "eve", hand=1, deal_bytes=bytes(16)) == "NOT_SEATED"
    assert asked(game, ADD, "ana", hand=1, deal_bytes=bytes(15)) == "BAD_REQUEST"
    assert asked(game, ADD, "ana", hand=2, deal_bytes=bytes(16)) == "STALE_TURN"
    for player in ("caio", "ana"):
        game.must(game.ask(ADD, player, hand=1, deal_bytes=player.encode().ljust(16)))
        assert asked(game, ADD, player, hand=1, deal_bytes=bytes(16)) == "BAD_REQUEST"
    told = view(game.state, 4, game.now_ms).next_added
    assert [added.seat for added in told] == [0, 2]
    assert restore(save(game.state, b"")) == game.state
    game.step()
    assert asked(game, ADD, "bia", hand=1, deal_bytes=bytes(16)) == "STALE_TURN"
    assert view(game.state, 4, game.now_ms).added == told
    while game.state.begun is not None:
        game.step()
    shown = view(game.state, 4, game.now_ms)
    assert shown.hand_end is not None
    assert shown.hand_end.added == told


def test_what_was_added_makes_another_deal() -> None:
    games = [pause(), pause()]
    games[1].must(games[1].ask(ADD, "ana", hand=1, deal_bytes=bytes(16)))
    for game in games:
        game.now_ms = game.state.deadline_ms
        game.must(NextDeal(game.state.turn))
    orders = [game.state.dealt.order for game in games if game.state.dealt]
    assert orders[0] != orders[1]
    assert games[0].commits[-1].events[0].dealt.method == 2


def on_clock() -> Game:
    game = Game().open(4, move_seconds=15).start()
    while game.state.begun is None or game.state.begun.short_clock:
        game.step()
    return game


def test_time_is_given_back_once_it_is_up() -> None:
    game = on_clock()
    turn, deadline_ms = game.state.turn, game.state.deadline_ms
    assert code(game, GiveBack(turn, 1)) == "NOT_YOUR_TURN"
    assert code(game, GiveBack(turn - 1, 1)) == "STALE_TURN"
    game.now_ms = deadline_ms + 9_000
    game.must(GiveBack(turn, deadline_ms - 6_000))
    head = game.commits[-1].head
    assert (head.turn, head.deadline_ms) == (turn, game.now_ms + 6_000)
    assert game.state.given_back_ms == 15_000
    for viewer in range(5):
        shown = view(game.state, viewer, game.now_ms).turn
        assert shown is not None
        assert shown.ms == 6_000
    game.now_ms = game.state.deadline_ms
    game.must(GiveBack(turn, game.now_ms - 1))
    assert game.state.deadline_ms == game.now_ms + LEAST_MS
    game.now_ms = game.state.deadline_ms
    game.must(GiveBack(turn, 0))
    assert game.state.deadline_ms == game.now_ms + 15_000
    game.step()
    assert game.state.given_back_ms == 0


def test_the_others_see_the_long_clock_after_time_was_given_back() -> None:
    game = Game().open(4, move_seconds=15).start()
    while game.state.begun is None or not game.state.begun.short_clock:
        game.step()
    seat = game.state.begun.seat
    game.now_ms = game.state.deadline_ms + 2_000
    game.must(GiveBack(game.state.turn, game.state.deadline_ms - 1_000))
    for viewer in range(5):
        shown = view(game.state, viewer, game.now_ms).turn
        assert shown is not None
        # Of the long clock nothing was lost.
        assert shown.ms == (3_000 if viewer == seat else 10_000)


def test_a_bots_turn_is_given_nothing_back() -> None:
    game = Game().open(1, move_seconds=15).start()
    while not (game.state.begun and game.state.begun.seat):
        game.step()
    game.now_ms = game.state.deadline_ms
    assert code(game, GiveBack(game.state.turn, 1)) == "STALE_TURN"


def test_a_snapshot_of_before_has_no_time_of_opening() -> None:
    old = Table(id="T", version=1, commands=remember(["c"]))
    assert restore(save(old, b"")) == old


def test_a_deadline_is_moved_for_a_turn_only() -> None:
    game = Game().open(1)
    head = game.commits[-1].head
    head.version = 2
    moved = events_pb2.Event(deadline_moved=events_pb2.DeadlineMoved(by_ms=9, long_by_ms=5))
    after = evolve(game.state, events_pb2.Commit(head=head, events=[moved]))
    assert after.given_back_ms == 5


@pytest.mark.parametrize("steps", [-1, 0, 30])
def test_an_operator_closes_a_table_at_any_time(steps: int) -> None:
    game = Game().open()
    if steps >= 0:
        game.start().play_on(steps)
    shut = game.ask(table_pb2.KIND_SHUT, "operator")
    game.must(shut)
    assert events(game) == ["table_closed"]
    head = game.commits[-1].head
    assert (head.actor, head.actor_id) == (log_pb2.ACTOR_OPERATOR, "operator")
    assert head.deadline_ms == 0
    assert view(game.state, 0, game.now_ms).closed == "operator"
    assert version_made(game.state, shut) == game.state.version
    assert asked(game, table_pb2.KIND_SHUT, "operator") == "TABLE_CLOSED"


def test_no_table_is_closed_by_nobody_or_before_it_is_there() -> None:
    assert asked(Game(), table_pb2.KIND_SHUT, "operator") == "UNKNOWN_TABLE"
    assert asked(Game().open(), table_pb2.KIND_SHUT, "") == "BAD_REQUEST"
