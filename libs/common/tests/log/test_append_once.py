"""A command is stored once, whatever becomes of the answer."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.log import (
    Aggregate,
    Conflict,
    Duplicate,
    Kind,
    MemoryLog,
    Recorded,
    Stale,
    Stored,
    Unavailable,
    append_once,
)
from laelo_common.log.commit import head_of

TABLE = Aggregate(Kind.TABLE, "T1")


def commit(command):
    return AnyCommit(head=Head(aggregate=TABLE.id, command=command)).SerializeToString()


async def decide_until_stored(log, command, tries=3):
    """What a service does: at most some tries, each from what it has read."""
    expected = 0
    for _ in range(tries):
        try:
            return await append_once(log, TABLE, commit(command), expected)
        except Stale as stale:
            expected = stale.tail[-1].sequence if stale.tail else expected
    return None


@given(st.lists(st.sampled_from("abcdef"), max_size=20), st.booleans(), st.data())
def test_each_command_is_stored_once_however_often_it_is_sent(commands, id_first, data):
    async def run():
        log = MemoryLog(lambda: 0, id_first=id_first)
        for command in commands:
            log.lose_answers(data.draw(st.integers(0, 1)))
            stored = await decide_until_stored(log, command)
            assert stored is not None
            where = {head_of(c.data).command: c.sequence for c in await log.tail(TABLE, 0)}
            assert where[command] == stored.sequence
        return await log.tail(TABLE, 0)

    stored = [head_of(recorded.data).command for recorded in asyncio.run(run())]
    assert sorted(stored) == sorted(set(commands))


async def test_stored_at_once_needs_no_reading(world, new_table, commit):
    table = new_table()
    stored = await append_once(world.log, table, commit(table, "a"), 0)
    assert stored == Stored((await world.log.tail(table, 0))[0].sequence, [])


async def test_a_command_sent_again_is_found(world, new_table, commit):
    table = new_table()
    first = await append_once(world.log, table, commit(table, "a"), 0)
    second = await append_once(world.other, table, commit(table, "b"), first.sequence)
    again = await append_once(world.log, table, commit(table, "a"), 0)
    assert again.sequence == first.sequence
    assert [c.sequence for c in again.tail] == [first.sequence, second.sequence]


async def test_of_the_same_command_twice_at_once_one_is_stored(world, new_table, commit):
    table = new_table()
    answers = await asyncio.gather(
        *(append_once(log, table, commit(table, "a"), 0) for log in [world.log, world.other] * 4)
    )
    assert len({answer.sequence for answer in answers}) == 1
    assert len(await world.log.tail(table, 0)) == 1


async def test_a_rivals_commit_is_handed_back(world, new_table, commit):
    table = new_table()
    rival = await append_once(world.other, table, commit(table, "rival"), 0)
    with pytest.raises(Stale) as stale:
        await append_once(world.log, table, commit(table, "a"), 0)
    assert [c.sequence for c in stale.value.tail] == [rival.sequence]


class Answering(MemoryLog):
    """A log that answers an append with an error, and reads as told, page after page."""

    def __init__(self, error, *tails):
        super().__init__(lambda: 0)
        self.error, self.tails = error, list(tails)

    async def append(self, *_):
        raise self.error

    async def tail(self, *_):
        return self.tails.pop(0) if len(self.tails) > 1 else self.tails[0]


MINE = Recorded(8, TABLE.subject, commit("a"), 0)
OTHER = Recorded(7, TABLE.subject, commit("b"), 0)


UNSURE = [Duplicate(8), Duplicate(0), Conflict()]


@pytest.mark.parametrize("error", [*UNSURE, Conflict(8), Unavailable("?")])
async def test_only_what_is_read_back_counts(error):
    log = Answering(error, [OTHER, MINE])
    assert await append_once(log, TABLE, commit("a"), 6) == Stored(8, [OTHER, MINE])


@pytest.mark.parametrize("error", UNSURE)
async def test_what_is_not_there_is_decided_anew(error):
    with pytest.raises(Stale) as stale:
        await append_once(Answering(error, []), TABLE, commit("a"), 6)
    assert stale.value.tail == []


async def test_no_answer_and_nothing_new_stays_no_answer():
    with pytest.raises(Unavailable, match="lost"):
        await append_once(Answering(Unavailable("lost"), []), TABLE, commit("a"), 6)
    with pytest.raises(Stale):
        await append_once(Answering(Unavailable("lost"), [OTHER]), TABLE, commit("a"), 6)


async def test_a_reader_that_is_behind_is_asked_again():
    log = Answering(Conflict(8), [], [OTHER], [OTHER, MINE])
    assert await append_once(log, TABLE, commit("a"), 6) == Stored(8, [OTHER, MINE])


async def test_a_reader_that_stays_behind_is_no_answer():
    with pytest.raises(Unavailable, match="behind"):
        await append_once(Answering(Conflict(9), [OTHER, MINE]), TABLE, commit("c"), 6)
