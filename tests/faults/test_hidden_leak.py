"""hidden-leak: nothing that leaves a table tells a viewer what its seat may not see.

Two deals that differ only in tiles which the viewer can't see, with the same opener, the same
commitment and the same moves, legal in both, give that viewer the same bytes: frames and
snapshots up to the commit that ends the hand, and a bot's request. Between the moves people come
and go, bots stand in and time is given back. The move clock is on, since the short one would give
hands away (R24).
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_rules.app import answer
from laelo_table.domain import decide, state, view
from laelo_table.domain.bot_view import bot_view
from laelo_table.domain.commands import AnyCommand, GiveBack, Gone, Here, NextDeal
from laelo_table.domain.compose import Stamp, compose
from laelo_table.domain.evolve import evolve
from laelo_table.domain.outcome import Decision, Facts
from laelo_table.domain.spell import TILES

TABLE = "01J00000000000000000000000"
PLAYERS = ("ana", "bia", "caio", "davi")
NOW_MS = 1_700_000_000_000
STEP_MS = 40_000
ASIDE_MS = 20_000
HAND = 6
PUBLIC = 4


class Step(NamedTuple):
    """A commit and the table after it."""

    commit: events_pb2.Commit
    after: state.Table


class Move(NamedTuple):
    """What a seat did, to be done again with other tiles around."""

    act: "rules_pb2.Act.ValueType"
    tile: int
    end: "rules_pb2.End.ValueType"
    opener: int


def step(
    table: state.Table, command: AnyCommand, now_ms: int, order: bytes | None = None
) -> Step | None:
    """What a command leads to, dealt in that order if it deals; None if it is refused."""
    facts = Facts(now_ms, bytes(32), delay_ms=500, pause_ms=1_000)
    asked = decide.question(table, command, facts)
    verdict = None
    if isinstance(asked, rules_pb2.JudgeRequest):
        if asked.act == rules_pb2.ACT_DEAL and order is not None:
            asked.order = order
        verdict = answer(asked)
    decision = decide.decide(table, command, verdict, facts)
    if not isinstance(decision, Decision):
        return None
    commit = compose(table, command, decision, Stamp(TABLE, b"", now_ms))
    for event in commit.events:
        if event.HasField("dealt") and order is not None:
            event.dealt.order = order
    return Step(commit, evolve(table, commit))


def person(table: state.Table, kind: "table_pb2.Kind.ValueType", seat: int) -> table_pb2.Command:
    return table_pb2.Command(
        table=TABLE,
        command=f"c{table.version}",
        kind=kind,
        player=PLAYERS[seat],
        name=PLAYERS[seat],
        turn=table.turn,
        fence=table.seats[seat].fence,
        options=table_pb2.Options(move_seconds=15, spectators=True),
    )


def moved(table: state.Table, move: Move) -> table_pb2.Command:
    assert table.begun is not None
    kinds = {
        rules_pb2.ACT_PLAY: table_pb2.KIND_PLAY,
        rules_pb2.ACT_PASS: table_pb2.KIND_PASS,
        rules_pb2.ACT_CHOOSE_OPENER: table_pb2.KIND_CHOOSE_OPENER,
    }
    command = person(table, kinds[move.act], table.begun.seat)
    command.tile_a, command.tile_b = TILES[move.tile] if move.tile < 28 else (0, 0)
    command.end, command.opener = move.end, move.opener
    return command


def random_move(table: state.Table, chance: random.Random) -> Move:
    begun = table.begun
    assert begun is not None
    if begun.choosing:
        opener = chance.choice((begun.seat, begun.seat ^ 2))
        return Move(rules_pb2.ACT_CHOOSE_OPENER, 28, rules_pb2.END_UNSPECIFIED, opener)
    if begun.must_pass:
        return Move(rules_pb2.ACT_PASS, 28, rules_pb2.END_UNSPECIFIED, 4)
    play = chance.choice(begun.plays)
    ends = [end for end in (rules_pb2.END_LEFT, rules_pb2.END_RIGHT) if play >> 4 + end & 1]
    end = chance.choice(ends or [rules_pb2.END_UNSPECIFIED])
    return Move(rules_pb2.ACT_PLAY, play & 31, end, 4)


def before_a_deal(chance: random.Random, hands: int) -> tuple[state.Table, AnyCommand]:
    """A table at which so many hands were played, and the command that deals the next."""
    table = state.NO_TABLE
    for seat, kind in enumerate((table_pb2.KIND_OPEN, *[table_pb2.KIND_SIT] * 3)):
        command = person(table, kind, seat)
        command.seat = -1
        table = must(step(table, command, NOW_MS)).after
    table = must(step(table, person(table, table_pb2.KIND_START, 0), NOW_MS)).after
    table = table._replace(deadline_ms=NOW_MS)
    deal: AnyCommand = NextDeal(table.turn)
    for _ in range(hands):
        table = must(step(table, deal, NOW_MS, shuffled(chance))).after
        while table.begun is not None:
            move = random_move(table, chance)
            table = must(step(table, moved(table, move), NOW_MS)).after
        assume(table.match_end is None)
        table = table._replace(deadline_ms=NOW_MS)
        deal = NextDeal(table.turn)
    return table, deal


def shuffled(chance: random.Random) -> bytes:
    return bytes(chance.sample(range(28), 28))


def must(done: Step | None) -> Step:
    assert done is not None
    return done


def hand_in_play(
    table: state.Table, deal: AnyCommand, order: bytes, moves: Iterator[Move]
) -> list[Step] | None:
    """The hand dealt in that order with these moves; None if one of them is not legal, or ends
    the hand.
    """
    steps = [must(step(table, deal, NOW_MS, order))]
    for number, move in enumerate(moves, 1):
        last = steps[-1].after
        now_ms = NOW_MS + number * STEP_MS
        done = step(last, moved(last, move), now_ms)
        if done is None or done.after.begun is None:
            return None
        steps.append(done)
        beside = step(done.after, aside(done.after, number), now_ms + ASIDE_MS)
        if beside is not None:
            steps.append(beside)
    return steps


def aside(table: state.Table, number: int) -> AnyCommand:
    """What happens beside the game after so many moves; some of it is refused."""
    seat, later = number % 4, number // 4 % 3
    fence, player = table.seats[seat].fence, PLAYERS[seat]
    if table.begun is not None and number % 5 == 0:
        return GiveBack(table.turn, NOW_MS + number * STEP_MS + 1_000)
    if later == 0:
        return Gone(player, seat, fence)
    if later == 1:
        command = person(table, table_pb2.KIND_SEAT_BOT, (seat + 1) % 4)
        command.seat = seat
        command.command = f"aside{table.version}"
        return command
    return Here(player, f"w{number}", seat, table.version)


def first_hand(
    table: state.Table, deal: AnyCommand, chance: random.Random, length: int
) -> tuple[bytes, list[Move]]:
    """An order and the moves of a hand that is not over after them."""
    order = shuffled(chance)
    last = must(step(table, deal, NOW_MS, order)).after
    moves: list[Move] = []
    while len(moves) < length:
        move = random_move(last, chance)
        done = must(step(last, moved(last, move), NOW_MS))
        if done.after.begun is None:
            break
        last = done.after
        moves.append(move)
    return order, moves


def twin(order: bytes, moves: list[Move], viewer: int, chance: random.Random) -> bytes:
    """The same deal with the tiles that the viewer never saw in other hands."""
    seen = {move.tile for move in moves}
    if viewer != PUBLIC:
        seen |= set(order[viewer * HAND : (viewer + 1) * HAND])
    places = [place for place, tile in enumerate(order) if tile not in seen]
    tiles = [order[place] for place in places]
    chance.shuffle(tiles)
    other = bytearray(order)
    for place, tile in zip(places, tiles, strict=True):
        other[place] = tile
    return bytes(other)


def two_hands(
    chance: random.Random, hands: int, length: int, viewer: int
) -> tuple[list[Step], list[Step]]:
    """Two hands that look the same to the viewer."""
    table, deal = before_a_deal(chance, hands)
    order, moves = first_hand(table, deal, chance, length)
    one = hand_in_play(table, deal, order, iter(moves))
    assert one is not None
    for _ in range(60):
        other_order = twin(order, moves, viewer, chance)
        other = hand_in_play(table, deal, other_order, iter(moves))
        if other_order != order and other is not None and same_turns(one, other):
            return one, other
    assume(False)
    raise AssertionError


def same_turns(one: list[Step], other: list[Step]) -> bool:
    """Whether the same seat opened, by the same double where that is asked for."""
    opened = [(steps[0].after.game.turn, steps[0].after.game.must_open) for steps in (one, other)]
    return opened[0] == opened[1]


def sent_to(viewer: int, steps: list[Step]) -> list[bytes]:
    """All bytes that a viewer is sent, asking for a snapshot each time too."""
    sent = []
    for commit, after in steps:
        sent += [shown.frame for shown in view.frames(commit, after) if shown.viewers >> viewer & 1]
        asked = [
            view.snapshot(after, viewer, commit.head.time_ms + 123),
            view.said(after, 1, "hello"),
            view.watching(after, 2),
        ]
        sent += [frame.frame for frame in asked if frame.viewers >> viewer & 1]
    return sent


def asked_of_bots(viewer: int, steps: list[Step]) -> list[bytes]:
    """What a bot in that seat is asked."""
    turns = [after for _, after in steps if after.begun is not None and after.begun.seat == viewer]
    return [view_.SerializeToString() for after in turns if (view_ := bot_view(after)) is not None]


@pytest.mark.parametrize("viewer", range(5))
@given(seed=st.integers(0, 2**32), hands=st.integers(0, 2), length=st.integers(0, 20))
@settings(max_examples=40, deadline=None)
def test_hidden_leak(viewer: int, seed: int, hands: int, length: int) -> None:
    one, other = two_hands(random.Random(seed), hands, length, viewer)
    assert one[0].after.game != other[0].after.game
    assert sent_to(viewer, one) == sent_to(viewer, other)
    assert asked_of_bots(viewer, one) == asked_of_bots(viewer, other)
