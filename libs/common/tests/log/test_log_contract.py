"""What every log does: the same cases for the one in memory and the one on JetStream."""

import asyncio
from secrets import token_hex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laelo_common.log import (
    Aggregate,
    Append,
    Conflict,
    Duplicate,
    Kind,
    LogError,
    Recorded,
    Snapshot,
)

TABLES = 3
# Table, expected sequence (the last one, none, an older or a later one), message id.
ATTEMPT = st.tuples(
    st.integers(0, TABLES - 1),
    st.sampled_from(["last", "none", "older", "later"]),
    st.integers(0, 5),
)


class Model:
    """The simplest thing that behaves as the log shall, knowing its sequences from it."""

    def __init__(self):
        self.stored = [[] for _ in range(TABLES)]
        self.ids = {}

    def last(self, table):
        return self.stored[table][-1][0] if self.stored[table] else 0

    def expected(self, table, how):
        last = self.last(table)
        return {"last": last, "none": 0, "older": max(last - 1, 0), "later": last + 1}[how]

    def answer(self, table, expected, message_id):
        if expected != self.last(table):
            return Conflict
        return Duplicate if message_id in self.ids else None


async def outcome(append):
    """The sequence, or the answer that is none."""
    try:
        return await append
    except LogError as error:
        return error


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(attempts=st.lists(ATTEMPT, max_size=25))
async def test_any_attempts_are_answered_as_by_the_model(world, new_table, attempts):
    model, run = Model(), token_hex(4)
    tables = [new_table() for _ in range(TABLES)]
    for number, (table, how, id_) in enumerate(attempts):
        expected, message_id = model.expected(table, how), f"{run}:{id_}"
        data = b"%d" % number
        awaited = model.answer(table, expected, message_id)
        answer = await outcome(world.log.append(tables[table], data, expected, message_id))
        if awaited is None:
            assert answer > model.last(table)
            model.stored[table].append((answer, data))
            model.ids[message_id] = answer
        elif awaited is Conflict:
            assert type(answer) is Conflict
            assert answer.last in (0, model.last(table))
        else:
            assert type(answer) is Duplicate
            assert answer.sequence == model.ids[message_id]
    for table, aggregate in enumerate(tables):
        read = await world.other.tail(aggregate, 0)
        assert [(commit.sequence, commit.data) for commit in read] == model.stored[table]
        assert all(commit.subject == aggregate.subject for commit in read)


@pytest.mark.parametrize("kind", list(Kind))
async def test_each_kind_keeps_its_own_history(world, kind):
    aggregate = Aggregate(kind, token_hex(8))
    first = await world.log.append(aggregate, b"a", 0, f"{aggregate.id}:1")
    second = await world.log.append(aggregate, b"b", first, f"{aggregate.id}:2")
    commits = await world.log.tail(aggregate, 0)
    assert [(c.sequence, c.data) for c in commits] == [(first, b"a"), (second, b"b")]
    assert all(abs(c.time_ms - world.now_ms()) < 60_000 for c in commits)


async def test_of_many_writers_exactly_one_wins_each_time(world, new_table):
    table, last, rounds, writers = new_table(), 0, 30, 8

    async def attempt(number, expected, round_):
        log = (world.log, world.other)[number % 2]
        try:
            return await log.append(
                table, b"%d" % number, expected, f"{table.id}:{round_}:{number}"
            )
        except Conflict:
            return None

    for round_ in range(rounds):
        answers = await asyncio.gather(*(attempt(n, last, round_) for n in range(writers)))
        won = [answer for answer in answers if answer is not None]
        assert len(won) == 1
        last = won[0]
    assert len(await world.log.tail(table, 0)) == rounds


async def test_a_long_tail_is_read_whole_and_in_order(world, new_table):
    table, other, expected = new_table(), new_table(), 0
    sequences = []
    for number in range(700):
        expected = await world.log.append(table, b"%d" % number, expected, f"{table.id}:{number}")
        sequences.append(expected)
        if number % 100 == 0:
            with_other = await world.log.tail(other, 0)
            last = with_other[-1].sequence if with_other else 0
            await world.log.append(other, b"other", last, f"{other.id}:{number}")
    read = await world.log.tail(table, 0)
    assert [commit.sequence for commit in read] == sequences
    assert [commit.data for commit in read] == [b"%d" % number for number in range(700)]
    assert [c.sequence for c in await world.log.tail(table, sequences[649])] == sequences[650:]
    assert await world.log.tail(table, sequences[-1]) == []


async def test_a_tail_of_big_commits_is_read_whole(world, new_table):
    table, expected = new_table(), 0
    bodies = [bytes([number]) * 90_000 for number in range(12)]
    for number, body in enumerate(bodies):
        expected = await world.log.append(table, body, expected, f"{table.id}:{number}")
    assert [commit.data for commit in await world.log.tail(table, 0)] == bodies


async def test_nothing_loads_as_nothing(world, new_table):
    loaded = await world.log.load(new_table())
    assert loaded.snapshot is None
    assert loaded.commits == []


async def test_load_gives_the_last_snapshot_and_what_follows(world, new_table, until):
    table, sequences = new_table(), [0]
    for number in range(6):
        sequences.append(
            await world.log.append(table, b"%d" % number, sequences[-1], f"{table.id}:{number}")
        )
    for covered in (2, 4):
        wanted = Snapshot(b"state %d" % covered, sequences[covered])
        world.log.snapshot(table, wanted.data, wanted.sequence)
        loaded = await world.other.load(table)
        while loaded.snapshot != wanted:  # it is not waited for when it is kept
            loaded = await world.other.load(table)
        assert [c.sequence for c in loaded.commits] == sequences[covered + 1 :]


async def test_live_tells_of_what_others_store_and_of_no_other_table(world, new_table, until):
    table, other, mine, theirs = new_table(), new_table(), [], []
    live = await world.log.live(table, mine.append)
    live_elsewhere = await world.other.live(table, theirs.append)
    first = await world.log.append(table, b"a", 0, f"{table.id}:1")
    await world.log.append(other, b"a", 0, f"{other.id}:1")
    await until(lambda: theirs == [first])
    second = await world.other.append(table, b"b", first, f"{table.id}:2")
    await until(lambda: mine[-1:] == [second])
    live.close()
    third = await world.other.append(table, b"c", second, f"{table.id}:3")
    fourth = await world.log.append(table, b"d", third, f"{table.id}:4")
    await until(lambda: theirs[-1] == fourth)
    assert mine[-1] == second
    live_elsewhere.close()


async def test_of_a_table_that_moves_quickly_the_newest_is_told(world, new_table, until):
    tables, heard = [new_table() for _ in range(5)], {}
    for table in tables:
        await world.log.live(table, lambda sequence, t=table: heard.update({t: sequence}))
    newest = dict.fromkeys(tables, 0)
    for number in range(20):
        for table in tables:
            newest[table] = await world.other.append(
                table, b"x", newest[table], f"{table.id}:{number}"
            )
    await until(lambda: heard == newest)


async def test_a_retry_tells_what_its_first_try_could_not(world, new_table, until):
    table, heard = new_table(), []
    first = await world.log.append(table, b"a", 0, f"{table.id}:1")
    await world.other.live(table, heard.append)
    with pytest.raises(Duplicate):
        await world.log.append(table, b"a", first, f"{table.id}:1")
    await until(lambda: heard == [first])


async def test_what_is_stored_side_by_side_is_told_and_so_is_a_retry(world, new_table, until):
    table, known, heard, again = new_table(), new_table(), [], []
    first = await world.log.append(known, b"a", 0, f"{known.id}:1")
    await world.other.live(table, heard.append)
    await world.other.live(known, again.append)
    stored, retried = await world.log.append_all(
        [Append(table, b"a", 0, f"{table.id}:1"), Append(known, b"a", first, f"{known.id}:1")]
    )
    assert type(retried) is Duplicate
    await until(lambda: heard == [stored] and again == [first])


async def test_many_tables_may_be_watched_at_once(world, new_table, until):
    tables, heard = [new_table() for _ in range(200)], []
    lives = await asyncio.gather(*(world.log.live(table, heard.append) for table in tables))
    for table in tables:
        await world.other.append(table, b"a", 0, f"{table.id}:1")
    await until(lambda: len(heard) == len(tables))
    for live in lives:
        live.close()


async def test_only_tables_are_watched_live(world):
    with pytest.raises(ValueError, match="nobody is told live of MMQ"):
        await world.log.live(Aggregate(Kind.QUEUE, "Q"), print)


async def append_some(log, table, count, expected=0) -> list[int]:
    sequences = []
    for number in range(count):
        expected = await log.append(table, b"x", expected, f"{table.id}:{expected}:{number}")
        sequences.append(expected)
    return sequences


async def test_follow_hands_over_from_a_position_in_order(world, new_table, until):
    table = new_table()
    before = await append_some(world.log, table, 5)
    got: list[Recorded] = []
    following = await world.log.follow(Kind.TABLE, before[2], got.append)
    await following.caught_up()
    assert [commit.sequence for commit in got] == before[3:]
    after = await append_some(world.other, table, 5, before[-1])
    await until(lambda: following.position == after[-1])
    assert [commit.sequence for commit in got] == before[3:] + after
    assert got == await world.log.tail(table, before[2])
    await following.close()
    await following.wait()


async def test_follow_can_be_narrowed(world, new_table, until):
    table, other, got = new_table(), new_table(), []
    following = await world.log.follow(Kind.TABLE, 0, got.append, table.subject)
    await append_some(world.log, other, 2)
    sequences = await append_some(world.log, table, 3)
    await until(lambda: following.position == sequences[-1])
    assert [commit.sequence for commit in got] == sequences
    await following.close()


async def test_an_empty_stream_is_caught_up_with_at_once(world, new_table):
    following = await world.log.follow(Kind.TABLE, 0, print, new_table().subject)
    await following.caught_up()
    await following.close()


async def test_an_error_in_the_callback_ends_the_following(world, new_table):
    table, got = new_table(), []

    def on_message(commit):
        got.append(commit.sequence)
        raise RuntimeError("no more")

    following = await world.log.follow(Kind.TABLE, 0, on_message, table.subject)
    sequences = await append_some(world.log, table, 3)
    with pytest.raises(RuntimeError, match="no more"):
        await following.wait()
    assert got == sequences[:1]
    assert following.position == 0
    await following.close()


async def test_a_key_is_claimed_once(world):
    key = token_hex(8)
    assert await world.log.claimed(key) is None
    answers = await asyncio.gather(
        *(log.claim(key, b"%d" % n) for n, log in enumerate([world.log, world.other] * 3))
    )
    assert answers.count(True) == 1
    assert await world.log.claimed(key) == b"%d" % answers.index(True)


@pytest.mark.parametrize("id_", ["", "a.b", "a b", "*", ">", "a\r\nb", "x" * 65, "é"])
def test_an_id_must_fit_a_subject(id_):
    with pytest.raises(ValueError, match="not a token"):
        Aggregate(Kind.TABLE, id_)


def test_subjects_stay_as_they_are():
    table = Aggregate(Kind.TABLE, "01K0TABLE")
    assert table.subject == "tbl.10.01K0TABLE.ev"
    assert table.live_subject == "live.10.01K0TABLE"
    assert table.snapshot_subject == "snap.tbl.01K0TABLE"
    assert Aggregate(Kind.CHAMPIONSHIP, "C").subject == "trn.C.ev"
    assert Aggregate(Kind.QUEUE, "Q").subject == "mmq.Q.ev"


async def test_appends_side_by_side_are_answered_each_for_itself(world, new_table):
    good, late, again = new_table(), new_table(), new_table()
    run = token_hex(4)
    first = await world.log.append(late, b"0", 0, f"{run}:0")
    answers = await world.log.append_all(
        [
            Append(good, b"1", 0, f"{run}:1"),
            Append(late, b"2", 0, f"{run}:2"),
            Append(again, b"3", 0, f"{run}:0"),
            Append(late, b"4", first, f"{run}:3"),
        ]
    )
    assert [type(answer) for answer in answers] == [int, Conflict, Duplicate, int]
    assert [commit.data for commit in await world.log.tail(good, 0)] == [b"1"]
    assert [commit.data for commit in await world.log.tail(late, 0)] == [b"0", b"4"]
    assert await world.log.tail(again, 0) == []
    assert await world.log.append_all([]) == []


async def test_the_newest_commit_can_be_read_alone(world, new_table):
    table = new_table()
    assert await world.log.newest(table) is None
    first = await world.log.append(table, b"1", 0, f"{table.id}:1")
    await world.log.append(table, b"2", first, f"{table.id}:2")
    newest = await world.log.newest(table)
    assert newest == (await world.log.tail(table, 0))[-1]
    assert newest.data == b"2"
