"""The queue at the gateway: joining, looking, waiting, and being taken out."""

import asyncio
from typing import Any

import pytest
from laelo.matchmaking.v1 import matchmaking_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_common.telemetry import Telemetry
from laelo_common.testing.spans import Notes
from laelo_common.wire import client
from laelo_gateway.championships import hall, limits
from laelo_gateway.domain.commands import Person
from laelo_gateway.testing.matchmaking import WAIT_MS, matchmakers
from laelo_gateway.testing.tournament import drawn, tournaments

from .championship_kit import Window, asked, guest, hall_of, member, until


def code_of(answer: dict[str, Any]) -> str:
    return str(answer["d"]["code"])


async def test_who_joins_is_told_their_place_at_once_and_again_when_it_changes() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        queue.join("somebody", "else")
        ana = member()
        parts.hall.come(ana)
        answer = await asked(parts, ana, client.QueueJoinFrame("j1"))
        assert answer["t"] == "ack"
        assert queue.commands == {f"{ana.sender.person.id}-j1": 1}
        await until(lambda: ana.of("queue"))
        assert ana.of("queue")[-1] == {"count": 3, "wait_ms": WAIT_MS, "ahead": 2}
        queue.take_out(["somebody"], matchmaking_pb2.LEAVING_WISH)
        await until(lambda: ana.of("queue")[-1].get("ahead") == 1)
        assert ana.of("queue")[-1]["count"] == 2


async def test_guests_have_to_sign_in_and_the_nameless_to_choose_a_name() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        stranger, nameless = guest(), Window(Person(new_id(), "", guest=False))
        for visitor in (stranger, nameless):
            parts.hall.come(visitor)
        for frame in (client.QueueJoinFrame("a"), client.QueueLeaveFrame("b")):
            assert code_of(await asked(parts, stranger, frame)) == "SIGN_IN"
        assert code_of(await asked(parts, nameless, client.QueueJoinFrame("a"))) == "NAMELESS"
        assert not queue.commands
        assert (await asked(parts, nameless, client.QueueLeaveFrame("b")))["t"] == "ack"


async def test_a_refusal_carries_the_code_and_no_word_from_elsewhere() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana = member()
        player = ana.sender.person.id
        parts.hall.come(ana)
        queue.refuse[player] = Code.IN_CHAMPIONSHIP
        answer = await asked(parts, ana, client.QueueJoinFrame("j"))
        assert answer["d"] == {
            "code": "IN_CHAMPIONSHIP",
            "reason": Code.IN_CHAMPIONSHIP.meaning.text,
        }


async def test_leaving_is_told_with_the_reason_to_all_windows_of_the_person_alone() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana, bea, looker = member(), member("Bea"), guest()
        again = member(player=ana.sender.person.id)
        for visitor in (ana, again, bea, looker):
            parts.hall.come(visitor)
        await asked(parts, looker, client.QueueWatchFrame("w"))
        queue.join(ana.sender.person.id, bea.sender.person.id)
        await until(lambda: again.of("queue") and bea.of("queue"))
        queue.take_out([ana.sender.person.id], matchmaking_pb2.LEAVING_GONE)
        await until(lambda: again.of("queue")[-1].get("left"))
        await until(lambda: looker.of("queue")[-1]["count"] == 1)
        for window in (ana, again):
            assert window.of("queue")[-1] == {"count": 1, "wait_ms": WAIT_MS, "left": "gone"}
        assert not any("left" in frame for w in (bea, looker) for frame in w.of("queue"))
        # Once: the next frame of somebody who only looks has no reason.
        parts.hall.handle(ana, client.QueueWatchFrame("w"))
        await until(lambda: len([f for f in ana.of("queue") if "left" not in f]) >= 2)


async def test_why_one_was_taken_out_may_be_told_after_the_queue_is_known_without_one() -> None:
    """The answer to somebody's join tells of a queue without who was called by it."""
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana = member()
        player = ana.sender.person.id
        parts.hall.come(ana)
        queue.join(player)
        await until(lambda: ana.of("queue"))
        queue.replicas[0].is_quiet = True
        queue.take_out([player], matchmaking_pb2.LEAVING_CALLED)
        parts.queue.take(queue.queue())
        await until(lambda: "ahead" not in ana.of("queue")[-1])
        assert "left" not in ana.of("queue")[-1]
        left = [matchmaking_pb2.Left(player=player, leaving=matchmaking_pb2.LEAVING_CALLED)]
        parts.queue.take(queue.queue(), left)
        await until(lambda: ana.of("queue")[-1].get("left") == "called")


async def test_who_was_called_before_the_leave_came_is_told_so() -> None:
    """The answer to the leave tells of a queue without the person either way."""
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana = member()
        player = ana.sender.person.id
        parts.hall.come(ana)
        queue.join(player)
        await until(lambda: ana.of("queue"))
        queue.replicas[0].is_quiet = True
        queue.take_out([player], matchmaking_pb2.LEAVING_CALLED)
        assert (await asked(parts, ana, client.QueueLeaveFrame("l")))["t"] == "ack"
        await until(lambda: "ahead" not in ana.of("queue")[-1])
        left = [matchmaking_pb2.Left(player=player, leaving=matchmaking_pb2.LEAVING_CALLED)]
        parts.queue.take(queue.queue(), left)
        await until(lambda: ana.of("queue")[-1].get("left") == "called")


async def test_an_older_version_is_no_news() -> None:
    async with matchmakers(2) as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        looker = guest()
        parts.hall.come(looker)
        queue.join("p1")
        old = queue.queue()
        queue.join("p2")
        await asked(parts, looker, client.QueueWatchFrame("w"))
        await until(lambda: looker.of("queue")[-1]["count"] == 2)
        parts.queue.take(old)
        queue.join("p3")
        await until(lambda: looker.of("queue")[-1]["count"] == 3)
        assert 1 not in [frame["count"] for frame in looker.of("queue")][1:]


async def test_many_changes_are_told_at_most_once_a_second() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        looker = guest()
        parts.hall.come(looker)
        await asked(parts, looker, client.QueueWatchFrame("w"))
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number in range(60):
            queue.join(f"p{number}")
            await asyncio.sleep(0)
        await until(lambda: looker.of("queue")[-1]["count"] == 60)
        # One at once when it is watched, one at the first change, then one a second.
        assert len(looker.of("queue")) <= 3 + (loop.time() - began) / 1.0


async def test_who_looks_no_more_is_told_no_more_and_who_waits_is() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana, looker, other = member(), guest(), guest()
        for visitor in (ana, looker, other):
            parts.hall.come(visitor)
        for visitor in (ana, looker, other):
            await asked(parts, visitor, client.QueueWatchFrame("w"))
        for visitor in (ana, looker):
            await asked(parts, visitor, client.QueueUnwatchFrame("u"))
        queue.join(ana.sender.person.id)
        await until(lambda: other.of("queue")[-1]["count"] == 1)
        await until(lambda: ana.of("queue")[-1].get("ahead") == 0)
        assert [frame["count"] for frame in looker.of("queue")] == [0]
        parts.hall.go(other)
        assert parts.queue.watchers == 0


async def test_what_starts_next_is_told() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        looker = guest()
        parts.hall.come(looker)
        queue.next_tier, queue.next_ms = tournament_pb2.TIER_BRONZE, 2**50
        queue.join(*(f"p{number}" for number in range(8)))
        await until(lambda: parts.queue.watchers == 0)
        await asked(parts, looker, client.QueueWatchFrame("w"))
        await until(lambda: looker.of("queue")[-1].get("next"))
        assert looker.of("queue")[-1]["next"]["tier"] == "bronze"


async def test_a_house_without_championships_says_so_and_one_that_lost_them_too() -> None:
    frames = [
        client.QueueWatchFrame("a"),
        client.QueueJoinFrame("b"),
        client.BracketWatchFrame("c", client.BracketPart(new_id())),
    ]
    async with hall_of() as parts:
        ana = member()
        parts.hall.come(ana)
        for frame in frames:
            answer = await asked(parts, ana, frame)
            assert answer["d"] == {"code": "TRY_LATER", "reason": hall.NONE_HERE}
        assert await parts.membership.in_championship(ana.sender.person.id) is False
        assert await parts.membership.history(ana.sender.person.id) == []
        await parts.membership.leave_queue(ana.sender.person.id)
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana = member()
        parts.hall.come(ana)
        await queue.replicas[0].stop()
        await cups.replicas[0].stop()
        await until(lambda: not parts.matchmaking.is_up and not parts.tournament.is_live)
        for frame in frames:
            assert code_of(await asked(parts, ana, frame)) == "TRY_LATER"


async def test_who_joins_and_leaves_too_often_is_too_fast() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana, bea = member(), member("Bea")
        parts.hall.come(ana)
        codes = set()
        for number in range(int(limits.MOVES[1]) + 5):
            answer = await asked(parts, ana, client.QueueJoinFrame(f"j{number}"))
            codes.add(answer["d"].get("code") if answer["t"] == "nack" else "done")
        assert codes == {"done", "TOO_FAST"}
        parts.hall.come(bea)
        assert (await asked(parts, bea, client.QueueJoinFrame("j")))["t"] == "ack"


async def test_a_frame_sent_twice_is_one_command() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana = member()
        parts.hall.come(ana)
        for _ in range(2):
            parts.hall.handle(ana, client.QueueJoinFrame("same"))
        await until(lambda: len([f for f in ana.frames if f.get("re") == "same"]) == 2)
        assert list(queue.commands) == [f"{ana.sender.person.id}-same"]
        assert queue.waiting == [ana.sender.person.id]


async def test_to_join_and_to_leave_begin_a_trace_and_to_look_does_not() -> None:
    notes = Notes()
    traced = Telemetry(notes, 1.0)
    async with (
        matchmakers() as queue,
        tournaments() as cups,
        hall_of(queue, cups, telemetry=traced) as parts,
    ):
        ana, nobody = member(), guest()
        for visitor in (ana, nobody):
            parts.hall.come(visitor)
        for frame in (client.QueueJoinFrame("j"), client.QueueLeaveFrame("l")):
            assert (await asked(parts, ana, frame))["t"] == "ack"
        await asked(parts, ana, client.QueueWatchFrame("w"))
        await asked(parts, nobody, client.QueueJoinFrame("j"))
        assert [span.attributes["frame"] for span in notes.spans] == [
            "QueueJoinFrame",
            "QueueLeaveFrame",
        ]
        assert all(span.faults == [""] and not span.parent for span in notes.spans)
        assert list(queue.traces.values()) == [span.traceparent for span in notes.spans]


async def test_accounts_can_be_deleted_when_nobody_needs_them() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        ana = member()
        player = ana.sender.person.id
        parts.hall.come(ana)
        queue.join(player)
        await until(lambda: ana.of("queue"))
        await parts.membership.leave_queue(player)
        assert queue.waiting == []
        await until(lambda: ana.of("queue")[-1].get("left") == "erased")
        assert await parts.membership.in_championship(player) is False
        told = drawn(new_id(), [player, *(f"p{number}" for number in range(7))], 1)
        cups.put(told)
        await until(lambda: len(parts.cups))
        assert await parts.membership.in_championship(player) is True
        assert await parts.membership.in_championship("p9") is False
        told.place(1, 4, 4, points=3)
        cups.put(told)
        await until(lambda: ana.of("bracket")[-1]["teams"][0].get("place"))
        assert await parts.membership.in_championship(player) is False
        rows = await parts.membership.history(player)
        assert [(row["id"], row["place"], row["animal"]) for row in rows] == [
            (told.championship.id, [4, 4], "animal-1")
        ]


async def test_all_championships_of_a_player_are_handed_out_however_many() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        player, others = new_id(), [f"p{number}" for number in range(8)]
        own = [drawn(new_id(), [player, *others[1:]], 1_000_000 + at) for at in range(250)]
        for told in (*own, drawn(new_id(), others, 1_000_100)):
            cups.all[told.championship.id] = told
        rows = await parts.membership.history(player)
        assert [row["id"] for row in rows] == [told.championship.id for told in reversed(own)]


async def test_whether_one_is_in_a_championship_is_not_guessed() -> None:
    async with matchmakers() as queue, tournaments() as cups, hall_of(queue, cups) as parts:
        # Called, but nobody knows yet who is in it.
        queue.pending.append(new_id())
        for _ in range(2):
            with pytest.raises(LaeloError) as refused:
                await parts.membership.in_championship("p1")
            assert refused.value.code is Code.TRY_LATER
            queue.pending.clear()
            await cups.replicas[0].stop()
            await until(lambda: not parts.tournament.is_live)
