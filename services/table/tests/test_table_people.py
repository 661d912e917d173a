"""People come, go, come back, and change windows; bots stand in."""

import asyncio
from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.wire import server
from laelo_table.attendance import COUNT_MS
from laelo_table.domain.state import NOBODY, Seat

from .house import TABLE, House, Listener, Replica, eventually, legal_command
from .kit import PEOPLE

SIT, WATCH, UNWATCH = table_pb2.KIND_SIT, table_pb2.KIND_WATCH, table_pb2.KIND_UNWATCH
SAY = table_pb2.KIND_SAY


async def gone(replica: Replica, number: int) -> Seat:
    """The seat, once its person is gone."""
    async with asyncio.timeout(20):
        while not (seat := (await replica.state()).seats[number]).gone:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    return seat


def impatient() -> House:
    house = House()
    house.bot_after_ms = 20
    return house


async def leave_the_page(replica: Replica, player: str) -> None:
    await replica.ask(UNWATCH, player)


async def test_the_newest_window_holds_the_seat() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2)
        first = await replica.must(WATCH, "ana", window="w1")
        assert (first.seq, first.fence, list(first.windows)) == (3, 2, ["w1", "", "", ""])
        again = await replica.must(WATCH, "ana", window="w1", seq=3)
        assert (again.seq, again.fence) == (3, 2)
        other = Listener()
        newer = await replica.ask(WATCH, "ana", other, window="w2")
        assert (newer.seq, newer.fence) == (4, 3)
        pushed = next(u for u in replica.listener.pushed if u.seq == 4)
        assert list(pushed.windows) == ["w2", "", "", ""]
        assert list(pushed.players) == ["ana", "bia", "", ""]
        refused = await replica.ask(table_pb2.KIND_PASS, "ana", fence=2, turn=0)
        assert refused.code == "NOT_STARTED"


async def test_a_window_that_is_not_named_takes_nothing_over() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2)
        await replica.must(WATCH, "ana", window="w1")
        assert (await replica.must(WATCH, "ana")).fence == 2
        assert (await replica.must(WATCH, "eve", window="w9")).seat == NOBODY
        assert (await replica.must(WATCH, "ana", window="w" * 65)).fence == 2
        assert len(house.commits()) == 3


async def test_the_older_windows_move_is_refused() -> None:
    async with House().replica() as replica:
        await replica.open(4)
        await replica.start()
        state = await replica.state()
        move = legal_command(state)
        await replica.must(WATCH, move["player"], window="newer")
        assert (await replica.ask(**move)).code == "STALE_FENCE"
        assert (await replica.move()).code == ""


async def test_sitting_down_again_in_another_window_takes_the_seat_over() -> None:
    async with House().replica() as replica:
        await replica.open(1)
        await replica.must(SIT, "bia", seat=2, window="w1")
        assert (await replica.ask(SIT, "bia", seat=3, window="w1")).code == "ALREADY_SEATED"
        taken = await replica.must(SIT, "bia", seat=-1, window="w2")
        assert (taken.seat, taken.fence, taken.windows[2]) == (2, 2, "w2")


async def test_two_windows_at_once_end_with_one_holder() -> None:
    house = House()
    async with house.replica() as one, house.replica() as other:
        await one.open(1)
        answers = await asyncio.gather(
            one.must(WATCH, "ana", window="w1"), other.must(WATCH, "ana", window="w2")
        )
        last = max(answers, key=lambda answer: answer.seq)
        assert (await one.state()).seats[0].window == last.windows[0]


async def test_who_is_away_for_long_is_gone_and_a_bot_may_stand_in() -> None:
    house = impatient()
    async with house.replica() as replica:
        await replica.open(4)
        await replica.start()
        turn = (await replica.state()).begun
        assert turn is not None
        number = turn.seat
        player, other = PEOPLE[number], PEOPLE[(number + 1) % 4]
        refused = await replica.ask(table_pb2.KIND_SEAT_BOT, other, seat=number)
        assert refused.code == "SEAT_TAKEN"
        await leave_the_page(replica, player)
        await gone(replica, number)
        shown = [f for f in replica.listener.frames(4) if isinstance(f, server.EventFrame)][-1]
        assert shown.d.events[0].who.gone
        before = await replica.state()
        assert before.deadline_ms == 0
        await replica.must(table_pb2.KIND_SEAT_BOT, other, seat=number)
        await replica.until_version(before.version + 2)
        assert house.commits()[before.version + 1].head.command == f"bot-{before.turn}"
        back = await replica.must(WATCH, player)
        seat = (await replica.state()).seats[number]
        assert (seat.gone, seat.stand_in, back.fence) == (False, 0, seat.fence)


async def test_two_actors_a_bots_late_move_is_refused() -> None:
    house = impatient()
    house.delay_ms = 0
    async with house.replica() as replica:
        await replica.open(4)
        await replica.start()
        begun = (await replica.state()).begun
        assert begun is not None
        player, other = PEOPLE[begun.seat], PEOPLE[(begun.seat + 1) % 4]
        await leave_the_page(replica, player)
        await gone(replica, begun.seat)
        house.bots_away = True
        await replica.must(table_pb2.KIND_SEAT_BOT, other, seat=begun.seat)
        await eventually(lambda: house.asked["bots"])
        back = await replica.must(WATCH, player)
        house.bots_away = False
        state = await replica.state()
        assert (state.begun, state.deadline_ms) == (begun, 0)
        assert (await replica.move()).code == ""
        assert back.fence == 3
        assert not [c for c in house.commits() if c.head.command.startswith("bot-")]


async def test_who_comes_back_in_time_was_never_gone() -> None:
    house = House()
    house.bot_after_ms = 200
    async with house.replica() as replica:
        await replica.open(2)
        versions = len(house.commits())
        await leave_the_page(replica, "bia")
        await replica.must(WATCH, "bia")
        warm = replica.store.tables.all()[0]
        assert warm.absent == {}
        assert warm.absent_timer is None
        assert len(house.commits()) == versions


async def test_a_lost_stream_takes_its_people_with_it() -> None:
    house = impatient()
    async with house.replica() as replica:
        await replica.open(2)
        replica.tables.forget(replica.listener)
        await gone(replica, 0)
        await gone(replica, 1)
        assert (await replica.state()).empty_ms


async def test_whom_another_replica_takes_over_is_not_counted_here() -> None:
    house = impatient()
    async with house.replica() as old, house.replica() as new:
        await old.open(2)
        for player in PEOPLE[:2]:
            await new.must(WATCH, player)
        old.tables.unwatch(TABLE, old.listener)
        warm = old.store.tables.all()[0]
        assert (warm.absent, warm.absent_timer) == ({}, None)
        replica_knows = new.store.tables.all()[0]
        assert replica_knows.absent == {}


async def test_a_new_home_counts_afresh() -> None:
    house = impatient()
    async with house.replica() as old:
        await old.open(3)
    async with house.replica() as new:
        await new.must(WATCH, "ana")
        await gone(new, 1)
        await gone(new, 2)
        assert not (await new.state()).seats[0].gone


async def test_a_home_says_at_once_who_is_there_all_the_same() -> None:
    house = impatient()
    async with house.replica() as home, house.replica() as other:
        await home.open(2)
        other_listener = Listener()
        await other.ask(WATCH, "ana", other_listener)
        await other.ask(UNWATCH, "ana", other_listener)
        await eventually(lambda: any(c.head.command.startswith("here-") for c in house.commits()))
        assert not (await home.state()).seats[0].gone


async def test_leaving_lets_a_bot_play_and_persons_sit_down_there() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(4)
        await replica.start()
        begun = (await replica.state()).begun
        assert begun is not None
        house.bots_away = True
        player = PEOPLE[begun.seat]
        await replica.must(table_pb2.KIND_LEAVE, player)
        assert (await replica.state()).seats[begun.seat].level
        taken = await replica.must(SIT, "eve", seat=-1)
        assert taken.seat == begun.seat
        assert (await replica.ask(SIT, player, seat=-1)).code == "TABLE_FULL"
        assert (await replica.move()).code == ""


async def test_a_phrase_is_told_to_all_and_not_kept() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2)
        answer = await replica.must(SAY, "bia", phrase="well_played")
        assert (answer.seat, list(answer.views)) == (1, [])
        view = replica.listener.updates[-1].views[0]
        assert (view.viewers, view.seq) == (31, 0)
        said = replica.listener.frames(0)[-1]
        assert said == server.SaidFrame(TABLE, server.Said(1, "well_played"))
        assert len(house.commits()) == 2


async def test_phrases_are_few_known_and_come_from_seats() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1, spectators=False)
        codes = [(await replica.ask(SAY, "ana", phrase="hello")).code for _ in range(4)]
        assert codes == ["", "", "", "TOO_FAST"]
        assert replica.listener.updates[-2].views[0].viewers == 15
        house.ahead_ms += 2_000
        assert (await replica.ask(SAY, "ana", phrase="hello")).code == ""
        assert (await replica.ask(SAY, "ana", phrase="shut up")).code == "BAD_REQUEST"
        assert (await replica.ask(SAY, "eve", phrase="hello")).code == "NOT_SEATED"
        await replica.must(table_pb2.KIND_CLOSE, "ana")
        assert (await replica.ask(SAY, "ana", phrase="bye")).code == "TABLE_CLOSED"


def counts(listener: Listener, viewer: int = NOBODY) -> list[int]:
    frames = listener.frames(viewer)
    return [frame.d.count for frame in frames if isinstance(frame, server.WatchingFrame)]


async def test_the_number_of_spectators_is_told_at_most_once_a_second() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2)
        house.ahead_ms += COUNT_MS
        for player in ("eve", "fred", "eve"):
            await replica.must(WATCH, player)
        assert counts(replica.listener, 0)[-1] == 1
        warm = replica.store.tables.all()[0]
        assert warm.count_timer is not None
        house.ahead_ms += COUNT_MS
        await replica.listener.until(lambda: counts(replica.listener, 0)[-1] == 2)
        house.ahead_ms += COUNT_MS
        await replica.ask(UNWATCH, "fred")
        assert counts(replica.listener, 0)[-1] == 1
        house.ahead_ms += COUNT_MS
        await replica.must(SIT, "eve", seat=3)
        assert counts(replica.listener, 0)[-1] == 0


async def test_who_is_told_at_the_door_how_many_watch() -> None:
    async with House().replica() as replica:
        await replica.open(1)
        for player in ("eve", "fred"):
            listener = Listener()
            await replica.ask(WATCH, player, listener)
            assert counts(listener)


@pytest.mark.parametrize("kind", [UNWATCH, WATCH, SAY, SIT])
async def test_people_at_tables_that_are_not_here_load_nothing(kind: Any) -> None:
    async with House().replica() as replica:
        await replica.ask(kind, "ana", phrase="hello")
        assert len(replica.store.tables) == 0
