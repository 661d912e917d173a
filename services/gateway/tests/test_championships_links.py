"""The ways to the two services: who is told who is here, and what happens when replicas go."""

from collections.abc import Iterable
from functools import partial

from laelo.tournament.v1 import tournament_pb2
from laelo_common.ids import new_id
from laelo_common.wire import client
from laelo_gateway.testing.matchmaking import Replica, matchmakers
from laelo_gateway.testing.tournament import drawn, tournaments

from .championship_kit import Window, asked, guest, hall_of, member, until


def ids(*windows) -> set[str]:
    return {window.sender.person.id for window in windows}


def called_to(window: Window, championship: str) -> bool:
    return any(call["championship"] == championship for call in window.of("called"))


def all_say(replicas: Iterable[Replica], people: set[str]) -> bool:
    return all(replica.here == people for replica in replicas)


async def test_every_replica_hears_of_first_and_last_windows_and_of_no_guest() -> None:
    async with matchmakers(3) as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana, bea, stranger = member(), member("Bea"), guest()
        again = member(player=ana.sender.person.id)
        for visitor in (ana, again, bea, stranger):
            parts.hall.come(visitor)
        await until(lambda: all_say(queue.replicas, ids(ana, bea)))
        parts.hall.go(ana)
        parts.hall.go(bea)
        parts.hall.go(stranger)
        await until(lambda: all_say(queue.replicas, ids(ana)))
        parts.hall.go(again)
        parts.hall.go(again)
        await until(lambda: all_say(queue.replicas, set()))
        told = [player for replica in queue.replicas for r in replica.told for player in r.here]
        assert stranger.sender.person.id not in told
        assert told.count(ana.sender.person.id) == 3


async def test_a_replica_that_comes_back_is_told_of_all_people_first() -> None:
    async with matchmakers(2) as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        windows = [member(f"P{number}") for number in range(5)]
        for window in windows[:3]:
            parts.hall.come(window)
        first, second = queue.replicas
        await until(lambda: all_say(queue.replicas, ids(*windows[:3])))
        await first.stop()
        await until(lambda: parts.matchmaking.replicas_up == 1)
        first.told.clear()
        parts.hall.go(windows[0])
        parts.hall.come(windows[3])
        await until(lambda: second.here == ids(*windows[1:4]))
        await first.start()
        await until(lambda: parts.matchmaking.replicas_up == 2)
        await until(lambda: all_say(queue.replicas, ids(*windows[1:4])))
        assert set(first.told[0].here) == ids(*windows[1:4])
        assert not first.told[0].gone
        parts.hall.come(windows[4])
        await until(lambda: all_say(queue.replicas, ids(*windows[1:5])))


async def test_joins_go_on_with_the_replica_that_is_left() -> None:
    async with matchmakers(2) as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        for replica in queue.replicas:
            await replica.stop()
            ana = member()
            parts.hall.come(ana)
            answer = await asked(parts, ana, client.QueueJoinFrame("j"))
            assert answer["t"] == "ack"
            await until(partial(ana.of, "queue"))
            await replica.start()
            await until(lambda: parts.matchmaking.replicas_up == 2)
        assert len(queue.waiting) == 2


async def test_following_goes_on_at_another_replica_and_what_was_missed_is_told() -> None:
    async with matchmakers() as queue, tournaments(2) as cups, hall_of(queue, cups) as parts:
        ana = member()
        parts.hall.come(ana)
        for number in range(3):
            followed = next(replica for replica in cups.replicas if replica.followers)
            await followed.stop()
            players = [ana.sender.person.id, *(f"p{number}-{i}" for i in range(7))]
            told = drawn(new_id(), players, 1)
            cups.put(told)
            name = told.championship.id
            await until(partial(called_to, ana, name))
            await until(lambda: parts.tournament.is_live)
            told.place(1, 4, 4)
            cups.put(told)
            await until(lambda: ana.of("bracket")[-1]["teams"][0].get("place"))
            await followed.start()


async def test_an_end_that_nobody_told_of_is_asked_for() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        looker = guest()
        parts.hall.come(looker)
        told = drawn(new_id(), [f"p{number}" for number in range(8)], 1)
        cups.put(told)
        await until(lambda: len(parts.cups))
        frame = client.BracketWatchFrame("w", client.BracketPart(told.championship.id))
        assert (await asked(parts, looker, frame))["t"] == "ack"
        replica = cups.replicas[0]
        await replica.stop()
        told.end(tournament_pb2.STAGE_CANCELLED, 5, "no light")
        await replica.start()
        await until(lambda: looker.of("bracket")[-1]["stage"] == "cancelled")
        assert looker.of("bracket")[-1]["reason"] == "no light"


async def test_one_that_is_unknown_everywhere_is_let_go() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        told = drawn(new_id(), [f"p{number}" for number in range(8)], 1)
        cups.put(told)
        await until(lambda: len(parts.cups))
        replica = cups.replicas[0]
        await replica.stop()
        cups.all.clear()
        await replica.start()
        await until(lambda: not len(parts.cups))
