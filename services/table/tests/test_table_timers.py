"""Turns end by themselves, whatever is away, and each of them once."""

import asyncio
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.bots.v1 import bots_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.log import Due
from laelo_common.wire import table as wire
from laelo_table.backstop import NotYetError, ensure_clock, is_overdue
from laelo_table.domain.backstops import GRACE_MS, NOBODYS_SLACK_MS, SLACK_MS
from laelo_table.domain.clocks import runs_for_person
from laelo_table.domain.outcome import Decision
from laelo_table.domain.state import Phase, Table, phase_of
from laelo_table.timers import PATIENCE_MS
from laelo_table.warm import Warm

from .house import TABLE, House, Replica, eventually
from .kit import Game

FAR_MS = 100_000


async def until_version(replica: Replica, version: int) -> None:
    await replica.listener.until_seq(version)


async def test_the_clock_plays_when_the_time_is_up() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(move_seconds=1)
        await replica.start()
        await until_version(replica, 7)
        commit = house.commits()[6]
        assert commit.head.command == "clock-6"
        assert (commit.head.actor, commit.head.actor_id) == (log_pb2.ACTOR_CLOCK, "")
        assert commit.head.time_ms >= house.commits()[5].head.deadline_ms
        told = replica.listener.frames(4)[-1].d.events[0]
        assert isinstance(told, wire.Played)
        assert told.by_clock


async def test_a_move_in_time_stops_the_clock() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(move_seconds=1)
        await replica.start()
        await replica.move()
        await until_version(replica, 8)
        assert [c.head.command for c in house.commits()[6:]][1] == "clock-7"


async def test_a_pause_lies_between_hands_and_the_deal_ends_it() -> None:
    house = House(pause_ms=30)
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        while phase_of(await replica.state()) is Phase.PLAY:
            await replica.move()
        pause = await replica.state()
        assert pause.deadline_ms == house.commits()[-1].head.time_ms + 30
        await until_version(replica, pause.version + 1)
        deal = house.commits()[-1].head
        assert deal.command == f"deal-{pause.turn}"
        assert deal.time_ms >= pause.deadline_ms


async def test_bots_wait_before_they_move() -> None:
    house = House(delay_ms=30)
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
        if (await replica.state()).begun.seat == 0:
            await replica.move()
        waiting = await replica.state()
        await until_version(replica, waiting.version + 1)
        assert house.commits()[waiting.version].head.time_ms >= waiting.deadline_ms
        assert waiting.deadline_ms == waiting.turn_ms + 30


async def test_while_the_bots_are_away_they_are_asked_again() -> None:
    house = House()
    house.bots_away = True
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
        waiting = await to_bots_turn(replica)
        await eventually(lambda: house.asked["bots"] >= 2)
        house.bots_away = False
        await until_version(replica, waiting.version + 1)
        assert house.commits()[waiting.version].head.command == f"bot-{waiting.turn}"


async def test_when_the_bots_stay_away_the_clock_plays_for_them() -> None:
    house = House()
    house.bots_away = True
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
        waiting = await to_bots_turn(replica)
        house.ahead_ms += PATIENCE_MS
        await until_version(replica, waiting.version + 1)
        assert house.commits()[waiting.version].head.command == f"clock-{waiting.turn}"


async def test_nonsense_from_a_bot_is_judged_and_the_clock_plays() -> None:
    house = House()
    house.choose = lambda _: bots_pb2.ChooseMoveResponse(act=rules_pb2.ACT_PLAY, tile=28)
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
        waiting = await to_bots_turn(replica)
        await until_version(replica, waiting.version + 1)
        assert house.commits()[waiting.version].head.command == f"clock-{waiting.turn}"


async def to_bots_turn(replica: Replica) -> Table:
    state = await replica.state()
    if state.begun is not None and state.begun.seat == 0:
        await replica.move()
        state = await replica.state()
    return state


async def test_while_the_rules_are_away_the_turn_is_not_lost() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
        state = await to_bots_turn(replica)
        house.rules_away = True
        await eventually(lambda: replica.timers.failed)
        house.rules_away = False
        await until_version(replica, state.version + 1)


async def test_another_replica_ends_the_turn_of_a_dead_one() -> None:
    house = House()
    async with house.replica() as dead:
        await dead.open(move_seconds=15)
        await dead.start()
        state = await dead.state()
    async with house.replica() as other:
        assert await house.clocks.fire() == 0
        house.ahead_ms += 15_000 + GRACE_MS + SLACK_MS
        # Those of the pause before the deal, of the turn, and of all having left.
        assert await house.clocks.fire() >= 1
        assert house.commits()[-1].head.command == f"clock-{state.turn}"
        assert len(other.store.tables) == 1


async def test_a_table_whose_deadline_is_past_is_acted_on_when_it_is_loaded() -> None:
    house = House()
    async with house.replica() as dead:
        await dead.open(move_seconds=15)
        await dead.start()
        version = (await dead.state()).version
    house.ahead_ms += 20_000
    async with house.replica() as other:
        await other.must(table_pb2.KIND_WATCH, "ana")
        await until_version(other, version + 1)


async def test_an_overtaken_clock_calls_into_nothing_and_loads_nothing() -> None:
    house = House(pause_ms=FAR_MS)
    async with house.replica() as home:
        await home.open(move_seconds=15)
        await home.start()
        await home.move()
    async with house.replica() as other:
        await other.timers.on_due(Due(TABLE, 6))
        assert len(house.commits()) == 7
        assert len(other.store.tables) == 0


async def test_a_clock_that_calls_early_calls_again() -> None:
    house = House()
    async with house.replica() as home:
        await home.open(move_seconds=15)
        await home.start()
        house.ahead_ms += 1_500
        with pytest.raises(NotYetError):
            await home.timers.on_due(Due(TABLE, 6))
        await home.timers.on_due(Due(TABLE, 99))


_TRIES = st.tuples(
    st.integers(0, 3_000),
    st.sampled_from((0, 1_000, 3_000, 15_000)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


def until(deadline_ms: int, *, nobodys: bool = False) -> Decision:
    """Something that opens a turn with a deadline."""
    return Decision([], deadline_ms, opens_turn=True, nobodys=nobodys)


@given(st.lists(_TRIES))
def test_each_turn_has_a_clock_soon_behind_its_deadline(
    tries: list[tuple[int, int, bool, bool, bool]],
) -> None:
    """Whichever of two replicas tries to begin it, and though its number was tried before."""

    async def open_turns() -> None:
        house, warms, now_ms, turn = House(), (Warm(TABLE), Warm(TABLE)), 0, 0
        for thought_ms, clock_ms, elsewhere, stored, nobodys in tries:
            now_ms += thought_ms
            turn += stored
            decision = until(now_ms + clock_ms, nobodys=nobodys)
            await ensure_clock(house.clocks, warms[elsewhere], turn, decision)
            late = [at_ms - now_ms - clock_ms for at_ms in house.clocks._set.values()]
            slack_ms = NOBODYS_SLACK_MS if nobodys else SLACK_MS
            assert any(GRACE_MS <= late_ms <= GRACE_MS + slack_ms for late_ms in late)

    asyncio.run(open_turns())


async def test_one_clock_covers_the_turns_that_follow_quickly() -> None:
    house, warm = House(), Warm(TABLE)
    for turn in range(10):
        await ensure_clock(house.clocks, warm, turn, until(5_000 + turn))
    assert len(house.clocks._set) == 1


async def test_one_clock_covers_the_turns_of_bots_that_follow_each_other() -> None:
    house, warm = House(), Warm(TABLE)
    for turn in range(3):
        await ensure_clock(house.clocks, warm, turn, until(800 * turn, nobodys=True))
    assert len(house.clocks._set) == 1
    # A person's turn is never ended that late.
    await ensure_clock(house.clocks, warm, 3, until(1_600))
    assert len(house.clocks._set) == 2


@given(st.integers(0, 2**32), st.integers(1, 3))
@settings(max_examples=10)
def test_only_where_nobodys_clock_runs_it_is_covered_for_longer(seed: int, people: int) -> None:
    """In pauses and on bots' turns, and never on a person's."""
    game = Game(random.Random(seed)).open(people, move_seconds=15).start()
    while game.state.match_end is None:
        assert game.decision is not None
        assert game.decision.nobodys is not runs_for_person(game.state)
        game.step()


async def test_what_moves_no_deadline_sets_no_clock() -> None:
    house = House(pause_ms=FAR_MS)
    async with house.replica() as home:
        await home.open(move_seconds=15)
        assert (await home.ask(table_pb2.KIND_START, "ana")).code == ""
        clocks = len(house.clocks._set)
        assert clocks
    async with house.replica() as other:
        # It did not set the clock of the pause, and knows that there is one.
        mine: dict[str, Any] = {"hand": 1, "deal_bytes": bytes(16)}
        assert (await other.ask(table_pb2.KIND_ADD_BYTES, "ana", **mine)).code == ""
    assert len(house.clocks._set) == clocks


async def test_no_turn_is_opened_without_its_clock() -> None:
    house = House()
    async with house.replica() as home:
        await home.open(move_seconds=15)
        house.clocks.reachable = False
        assert (await home.ask(table_pb2.KIND_START, "ana")).code == "TRY_LATER"
        assert len(house.commits()) == 4
        house.clocks.reachable = True
        await home.start()


async def test_a_turn_that_began_later_than_was_tried_first_has_its_own_clock() -> None:
    """A move is not stored and comes again after an outage: the clock that was set for its version
    then calls too early, and the home dies.
    """
    house = House()
    async with house.replica() as home:
        await home.open(move_seconds=15)
        await home.start()
        house.ahead_ms += 13_000
        house.log.reachable = False
        assert (await home.move(command="late")).code == "TRY_LATER"
        tried_ms = max(house.clocks._set.values())
        house.ahead_ms += 3_000
        house.log.reachable = True
        assert (await home.move(command="late")).code == ""
        state = await home.state()
    assert state.deadline_ms > tried_ms
    async with house.replica():
        house.ahead_ms += tried_ms - house.now_ms() + 50
        await house.clocks.fire()
        assert len(house.commits()) == state.version
        house.ahead_ms += state.deadline_ms - house.now_ms() + GRACE_MS + SLACK_MS
        await house.clocks.fire()
        assert house.commits()[-1].head.command == f"clock-{state.turn}"


async def test_a_friendly_table_without_clock_needs_none() -> None:
    house = House()
    async with house.replica() as home:
        await home.open()
        await home.start()
        house.clocks.reachable = False
        assert (await home.move()).code == ""


def test_who_is_overdue() -> None:
    table = Table(version=9, turn=9, deadline_ms=1_000)
    assert is_overdue(table, 9, 1_000)
    assert not is_overdue(table, 8, 1_100)
    assert is_overdue(table, 8, 1_500)
    assert not is_overdue(table._replace(deadline_ms=0), 9, 5_000)


async def test_nothing_of_a_closed_replica_is_left() -> None:
    house = House(delay_ms=FAR_MS)
    before = asyncio.all_tasks()
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
    assert asyncio.all_tasks() == before
