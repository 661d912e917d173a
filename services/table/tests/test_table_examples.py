"""Commands one by one: who may do what, and what follows."""

import random
from typing import Any

import pytest
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_table.domain.bot_view import bot_view
from laelo_table.domain.commands import BotMove, NextDeal, TimeUp
from laelo_table.domain.decide import decide, needs_seed
from laelo_table.domain.evolve import UnknownEventError, evolve
from laelo_table.domain.outcome import Facts, Refusal
from laelo_table.domain.state import (
    NO_TABLE,
    NOBODY,
    Phase,
    Seat,
    host_seat,
    in_match,
    phase_of,
    seat_of,
)
from laelo_table.domain.view import PUBLIC, frames, view

from .kit import Game, random_match

MEDIUM = table_pb2.BOT_LEVEL_MEDIUM
RANDOM = table_pb2.BOT_LEVEL_RANDOM


def refused(game: Game, kind: Any, player: str, **fields: Any) -> str:
    before = game.state
    refusal = game.do(game.ask(kind, player, **fields))
    assert refusal is not None
    assert game.state is before
    return refusal.code


def kinds(game: Game) -> list[str | None]:
    return [event.WhichOneof("event") for event in game.commits[-1].events]


def at_pause(seed: int = 1, people: int = 4, **options: Any) -> Game:
    game = Game(random.Random(seed)).open(people, **options).start()
    while phase_of(game.state) is not Phase.PAUSE:
        game.step()
    return game


def test_who_opens_a_table_sits_in_seat_0_and_is_host() -> None:
    game = Game().open(1, move_seconds=15)
    assert kinds(game) == ["opened", "seat_taken_2"]
    assert (game.state.move_seconds, game.state.opened_by) == (15, "ana")
    assert host_seat(game.state) == 0
    assert seat_of(game.state, "") == NOBODY
    assert phase_of(game.state) is Phase.LOBBY
    assert not in_match(game.state)


def test_a_table_is_opened_once_and_with_sense() -> None:
    assert refused(Game().open(1), table_pb2.KIND_OPEN, "bia") == "TABLE_EXISTS"
    options = table_pb2.Options(move_seconds=601)
    assert refused(Game(), table_pb2.KIND_OPEN, "ana", options=options) == "BAD_OPTIONS"
    assert refused(Game(), table_pb2.KIND_OPEN, "ana", name="") == "BAD_NICKNAME"
    assert refused(Game(), table_pb2.KIND_OPEN, "") == "BAD_REQUEST"
    assert refused(Game(), table_pb2.KIND_SIT, "ana") == "UNKNOWN_TABLE"


@pytest.mark.parametrize("house", [TimeUp(1), NextDeal(1), BotMove(1, 1, rules_pb2.ACT_PASS)])
def test_the_house_needs_a_table_too(house: Any) -> None:
    refusal = Game().do(house)
    assert refusal is not None
    assert refusal.code == "UNKNOWN_TABLE"


def test_sitting_down() -> None:
    game = Game().open(1)
    game.must(game.ask(table_pb2.KIND_SIT, "bia", seat=2, guest=True))
    assert game.state.seats[2] == Seat("bia", "Bia", guest=True, fence=1)
    game.must(game.ask(table_pb2.KIND_SIT, "caio", seat=-1))
    assert game.state.seats[1].player == "caio"
    assert refused(game, table_pb2.KIND_SIT, "davi", seat=2) == "SEAT_TAKEN"
    assert refused(game, table_pb2.KIND_SIT, "davi", seat=4) == "INVALID_SEAT"
    assert refused(game, table_pb2.KIND_SIT, "bia", seat=3) == "ALREADY_SEATED"
    assert refused(game, table_pb2.KIND_SIT, "davi", seat=3, name="\n") == "BAD_NICKNAME"
    game.must(game.ask(table_pb2.KIND_SIT, "davi", seat=3))
    assert refused(game, table_pb2.KIND_SIT, "eve", seat=-1) == "TABLE_FULL"


def test_getting_up_and_who_is_host_then() -> None:
    game = Game().open(3)
    game.must(game.ask(table_pb2.KIND_LEAVE, "ana"))
    assert kinds(game) == ["seat_left"]
    assert game.state.seats[0] == Seat(fence=2)
    assert host_seat(game.state) == 1
    assert refused(game, table_pb2.KIND_LEAVE, "ana") == "NOT_SEATED"
    assert refused(game, table_pb2.KIND_START, "caio") == "NOT_HOST"
    game.must(game.ask(table_pb2.KIND_LEAVE, "bia"))
    game.must(game.ask(table_pb2.KIND_LEAVE, "caio"))
    assert host_seat(game.state) == NOBODY
    assert view(game.state, NOBODY, game.now_ms).host is None
    game.must(game.ask(table_pb2.KIND_SIT, "ana", seat=1))
    assert (host_seat(game.state), game.state.seats[1].fence) == (1, 3)


def test_bots_are_seated_and_taken_away() -> None:
    game = Game().open(1)
    game.must(game.ask(table_pb2.KIND_SEAT_BOT, "ana", seat=1, level=RANDOM))
    game.must(game.ask(table_pb2.KIND_SEAT_BOT, "ana", seat=2))
    assert [seat.level for seat in game.state.seats] == [0, RANDOM, MEDIUM, 0]
    assert refused(game, table_pb2.KIND_SEAT_BOT, "ana", seat=1) == "SEAT_TAKEN"
    assert refused(game, table_pb2.KIND_SEAT_BOT, "ana", seat=3, level=9) == "BAD_REQUEST"
    assert refused(game, table_pb2.KIND_SEAT_BOT, "ana", seat=-1) == "INVALID_SEAT"
    assert refused(game, table_pb2.KIND_SEAT_BOT, "eve", seat=3) == "NOT_SEATED"
    assert refused(game, table_pb2.KIND_UNSEAT_BOT, "ana", seat=0) == "NOT_A_BOT"
    assert refused(game, table_pb2.KIND_UNSEAT_BOT, "ana", seat=9) == "INVALID_SEAT"
    assert refused(game, table_pb2.KIND_UNSEAT_BOT, "eve", seat=1) == "NOT_SEATED"
    game.must(game.ask(table_pb2.KIND_UNSEAT_BOT, "ana", seat=1))
    assert game.state.seats[1].is_empty
    game.start()
    assert refused(game, table_pb2.KIND_UNSEAT_BOT, "ana", seat=2) == "ALREADY_STARTED"


def test_a_match_starts_with_bots_commitment_deal_and_turn() -> None:
    game = Game().open(2)
    game.must(game.ask(table_pb2.KIND_START, "ana", level=RANDOM))
    taken = ["seat_taken_2", "seat_taken_2"]
    assert kinds(game) == [*taken, "match_started", "deal_committed"]
    assert (phase_of(game.state), in_match(game.state)) == (Phase.PAUSE, True)
    assert game.state.deadline_ms == game.now_ms + 1500
    assert view(game.state, NOBODY, game.now_ms).next_ms == 1500
    game.step()
    assert kinds(game) == ["dealt", "turn_began"]
    assert [seat.level for seat in game.state.seats] == [0, 0, RANDOM, RANDOM]
    assert refused(game, table_pb2.KIND_START, "ana") == "ALREADY_STARTED"
    assert refused(game, table_pb2.KIND_START, "eve") == "NOT_SEATED"
    assert refused(Game().open(1), table_pb2.KIND_START, "ana", level=9) == "BAD_REQUEST"


def test_a_move_names_its_turn_and_its_fence() -> None:
    game = Game().open(4)
    assert refused(game, table_pb2.KIND_PASS, "ana") == "NOT_STARTED"
    game.start()
    assert game.state.begun is not None
    player = game.state.seats[game.state.begun.seat].player
    idle = next(seat.player for seat in game.state.seats if seat.player != player)
    turn = game.state.turn
    assert refused(game, table_pb2.KIND_PASS, player, turn=turn - 1) == "STALE_TURN"
    assert refused(game, table_pb2.KIND_PASS, player, turn=turn + 1) == "STALE_TURN"
    assert refused(game, table_pb2.KIND_PASS, player, fence=2) == "STALE_FENCE"
    assert refused(game, table_pb2.KIND_PASS, "eve") == "NOT_SEATED"
    assert refused(game, table_pb2.KIND_PASS, idle) == "NOT_YOUR_TURN"
    assert refused(game, table_pb2.KIND_PASS, player) == "CANNOT_PASS"
    assert refused(game, table_pb2.KIND_PLAY, player, tile_a=7) == "INVALID_TILE"
    assert refused(game, table_pb2.KIND_CHOOSE_OPENER, player) == "NO_OPENER_CHOICE"
    assert refused(game, table_pb2.KIND_PLAY, player, end=3) == "INVALID_END"


def test_after_a_hand_there_is_a_pause_and_the_next_deal() -> None:
    game = at_pause()
    assert kinds(game) == ["played", "hand_ended", "deal_committed"]
    head = game.commits[-1].head
    assert (head.turn, head.deadline_ms) == (head.version, head.time_ms + 6000)
    assert refused(game, table_pb2.KIND_PASS, "ana") == "HAND_OVER"
    early = game.do(NextDeal(game.state.turn))
    assert early is not None
    assert early.code == "HAND_OVER"
    assert game.do(NextDeal(game.state.turn - 1)) is not None
    assert bot_view(game.state) is None
    commitment = game.commits[-1].events[2].deal_committed.commitment
    game.step()
    assert kinds(game) == ["dealt", "turn_began"]
    head = game.commits[-1].head
    assert (head.command, head.actor) == (f"deal-{head.version - 1}", log_pb2.ACTOR_CLOCK)
    assert game.state.deal is not None
    assert game.state.deal.commitment == commitment


def test_a_match_is_over_and_the_next_one_starts_anew() -> None:
    game = random_match(3)
    assert kinds(game) == ["played", "hand_ended", "match_ended"]
    assert (game.state.deadline_ms, phase_of(game.state)) == (0, Phase.MATCH_OVER)
    assert refused(game, table_pb2.KIND_PASS, "ana") == "MATCH_OVER"
    assert not in_match(game.state)
    game.must(game.ask(table_pb2.KIND_LEAVE, "davi"))
    assert kinds(game) == ["seat_left"]
    game.start()
    assert (game.state.match, game.state.hand, game.state.hands) == (2, 1, ())
    assert game.state.dealt is not None
    assert game.state.dealt.opening == rules_pb2.OPENING_FIRST


def test_the_clock_waits_for_the_deadline() -> None:
    game = Game().open(4, move_seconds=15).start()
    early = game.do(TimeUp(game.state.turn))
    assert early is not None
    assert early.code == "NOT_YOUR_TURN"
    assert game.do(TimeUp(game.state.turn + 1)) is not None
    game.now_ms = game.state.deadline_ms
    game.must(TimeUp(game.state.turn))
    head = game.commits[-1].head
    assert (head.actor, head.actor_id) == (log_pb2.ACTOR_CLOCK, "")


def test_without_a_clock_nobodys_time_is_up() -> None:
    game = Game().open(4).start()
    assert game.state.deadline_ms == 0
    assert game.do(TimeUp(game.state.turn)) is not None


@pytest.mark.parametrize(("seconds", "short_ms"), [(15, 3000), (2, 2000)])
def test_the_short_clock_runs_for_one_tile_or_none(seconds: int, short_ms: int) -> None:
    game = Game().open(4, move_seconds=seconds).start()
    lengths = set()
    for _ in range(60):
        if game.state.begun is not None:
            left = game.state.deadline_ms - game.commits[-1].head.time_ms
            lengths.add((game.state.begun.short_clock, left))
        game.step()
    assert lengths == {(True, short_ms), (False, seconds * 1000)}


def test_only_the_seat_on_turn_is_told_which_clock_runs() -> None:
    game = Game().open(4, move_seconds=15).start()
    while not (game.state.begun and game.state.begun.short_clock):
        game.step()
    seat = game.state.begun.seat
    later = game.now_ms + 1000
    shown = {viewer: view(game.state, viewer, later).turn for viewer in range(5)}
    told = {viewer: turn.ms if turn else None for viewer, turn in shown.items()}
    assert told == {viewer: 2000 if viewer == seat else 14_000 for viewer in range(5)}
    assert view(game.state, seat, later + 60_000).turn.ms == 0


def test_a_bot_waits_as_long_whatever_it_holds() -> None:
    for seconds, wait in ((0, 5000), (15, 3000), (1, 1000)):
        game = Game(delay_ms=5000).open(1, move_seconds=seconds).start()
        for _ in range(40):
            begun = game.state.begun
            if begun is not None and begun.seat:
                assert game.state.deadline_ms - game.commits[-1].head.time_ms == wait
            game.step()


def test_a_bots_move_needs_the_turn_and_the_seat() -> None:
    game = Game().open(1).start()
    while not (game.state.begun and game.state.begun.seat):
        game.step()
    move = game.bot_move()
    for stale in (
        move._replace(turn=move.turn - 1),
        move._replace(fence=move.fence + 1),
    ):
        refusal = game.do(stale)
        assert refusal is not None
        assert refusal.code.startswith("STALE_")
    game.must(move)
    assert game.commits[-1].head.actor_id == "medium"


@pytest.mark.parametrize(("seconds", "soon"), [(0, True), (15, True)])
def test_who_leaves_on_turn_hands_it_to_a_bot_at_once(seconds: int, soon: bool) -> None:
    game = Game().open(4, move_seconds=seconds).start()
    assert game.state.begun is not None
    seat, turn = game.state.begun.seat, game.state.turn
    leaver = game.state.seats[seat].player
    game.now_ms += 100
    game.must(game.ask(table_pb2.KIND_LEAVE, leaver))
    assert kinds(game) == ["seat_left", "seat_taken_2"]
    assert game.state.seats[seat] == Seat(level=MEDIUM, fence=3, vacated=True)
    assert (game.state.turn, game.state.deadline_ms) == (turn, game.now_ms + 800)
    game.must(game.bot_move())


def test_who_leaves_off_turn_changes_nobodys_clock() -> None:
    game = Game().open(4, move_seconds=15).start()
    assert game.state.begun is not None
    before = game.state.deadline_ms
    idle = game.state.seats[(game.state.begun.seat + 1) % 4].player
    game.now_ms += 5000
    game.must(game.ask(table_pb2.KIND_LEAVE, idle))
    assert game.state.deadline_ms == before


def test_who_leaves_in_the_pause_is_replaced_for_the_next_hand() -> None:
    game = at_pause()
    before = game.state.deadline_ms
    game.must(game.ask(table_pb2.KIND_LEAVE, "ana"))
    assert (game.state.deadline_ms, game.state.seats[0].level) == (before, MEDIUM)
    game.step()


def test_without_spectators_the_public_is_sent_nothing() -> None:
    game = Game().open(4, spectators=False).start()
    viewers = [sent.viewers for sent in frames(game.commits[-1], game.state)]
    assert sum(viewers) == PUBLIC - 1
    assert not any(mask & PUBLIC for mask in viewers)


def test_a_commit_that_nobody_may_see_makes_no_frame() -> None:
    game = Game().open(4, spectators=False)
    commit = events_pb2.Commit(head=game.commits[-1].head)
    assert [sent.viewers for sent in frames(commit, game.state)] == [PUBLIC - 1]


def test_the_end_of_a_hand_shows_the_hands_and_the_seed_but_not_the_sleeping_tiles() -> None:
    game = at_pause()
    shown = view(game.state, NOBODY, game.now_ms)
    assert shown.hand_end is not None
    assert game.state.deal is not None
    assert shown.hand_end.seed == game.state.deal.seed.hex()
    assert shown.next_ms == 6000
    tiles = {tuple(sorted(tile)) for tile in shown.chain}
    tiles.update(tile for hand in shown.hand_end.hands for tile in hand)
    assert len(tiles) == 24


def test_a_decision_needs_the_verdict() -> None:
    game = Game().open(4).start()
    assert game.state.begun is not None
    command = game.person_move(game.state.seats[game.state.begun.seat].player)
    facts = Facts(game.now_ms, b"", 0, 0)
    refusal = decide(game.state, command, None, facts)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "TRY_LATER"
    stranger = game.ask(table_pb2.KIND_PASS, "eve")
    assert decide(game.state, stranger, None, facts) != refusal


def test_a_seed_is_wanted_for_a_match_and_after_a_hand() -> None:
    game = Game().open(1)
    assert needs_seed(game.ask(table_pb2.KIND_START, "ana"), None)
    assert not needs_seed(game.ask(table_pb2.KIND_PLAY, "ana"), None)
    assert not needs_seed(TimeUp(4), None)
    goes_on = rules_pb2.JudgeResponse()
    hand_over = rules_pb2.JudgeResponse(hand_end=rules_pb2.HandEnd())
    match_over = rules_pb2.JudgeResponse(
        hand_end=rules_pb2.HandEnd(), match_end=rules_pb2.MatchEnd()
    )
    wanted = [needs_seed(TimeUp(4), v) for v in (goes_on, hand_over, match_over)]
    assert wanted == [False, True, False]


def test_an_event_of_the_future_is_not_guessed_at() -> None:
    commit = events_pb2.Commit(head=log_pb2.Head(version=1), events=[events_pb2.Event()])
    with pytest.raises(UnknownEventError):
        evolve(NO_TABLE, commit)


def test_bots_are_asked_with_their_seats_view() -> None:
    game = Game(random.Random(4)).open(1).start()
    seen = set()
    while game.state.match_end is None:
        asked = bot_view(game.state)
        if asked is not None:
            begun, rules = game.state.begun, game.state.game
            assert begun is not None
            assert rules is not None
            hands = (rules.hand_0, rules.hand_1, rules.hand_2, rules.hand_3)
            assert (asked.seat, asked.hand) == (begun.seat, hands[begun.seat])
            assert asked.turns == game.state.turns
            assert (asked.opener == NOBODY) == begun.choosing
            scores = (rules.score_0, rules.score_1)
            ours = begun.seat % 2
            assert (asked.score_us, asked.score_them) == (scores[ours], scores[1 - ours])
            assert (asked.target, asked.multiplier) == (6, rules.multiplier)
            seen.add(begun.choosing)
        game.step()
    assert seen == {True, False}
