"""Matches are judged once, by whoever is asked, from where whoever died left off."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc.aio
import pytest
from laelo.archive.v1 import archive_pb2
from laelo.bots.v1 import bots_pb2, bots_pb2_grpc
from laelo_archive.adapters.judgements import PostgresVerdicts
from laelo_archive.adapters.judges import GrpcJudges
from laelo_archive.domain.judged import JudgementRow, asked
from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow
from laelo_archive.judging import MOST_WAITING, Judging, Key
from laelo_archive.ports import Filter, Found, Whole
from laelo_common.errors import Code, LaeloError
from laelo_common.postgres import Database
from laelo_common.testing.waiting import until

from services.table.tests.kit import TABLE, random_match

from .kit import newest, rows_of

KEY = (TABLE, 1)


class OneMatch:
    """`Reading` of a single match."""

    def __init__(self, seed: int = 1) -> None:
        rows, _ = rows_of(Stream.TABLES, TABLE, random_match(seed).stored)
        last = list(newest(rows).values())
        (match,) = [row for row in last if isinstance(row, MatchRow)]
        people = [row for row in last if isinstance(row, PersonRow)]
        hands = [row for row in last if isinstance(row, HandRow)]
        self.match = Whole(Found(match, people, frozenset()), hands)

    async def history(self, wanted: Filter) -> list[Found]:
        raise AssertionError("who judges reads no histories")

    async def whole(self, table: str, match: int) -> Whole | None:
        return self.match if (table, match) == KEY else None

    def change(self, **values: object) -> None:
        found = self.match.found
        changed = found.match._replace(**values)  # type: ignore[arg-type]
        self.match = self.match._replace(found=found._replace(match=changed))


class MemoryVerdicts:
    """`Verdicts` of one replica; several may share a shelf."""

    def __init__(self, shelf: "Shelf") -> None:
        self._shelf = shelf

    async def rows(self, key: Key) -> list[JudgementRow]:
        return sorted(row for row in self._shelf.rows.values() if row[:2] == key)

    async def hold(self, key: Key) -> bool:
        if key in self._shelf.done or self._shelf.holder.get(key, self) is not self:
            return False
        self._shelf.holder[key] = self
        return True

    async def keep(self, row: JudgementRow) -> None:
        self._shelf.rows.setdefault(row[:4], row)

    async def let_go(self, key: Key, *, done: bool) -> None:
        self._shelf.holder.pop(key, None)
        if done:
            self._shelf.done.add(key)


class Shelf:
    def __init__(self) -> None:
        self.rows: dict[tuple[str, int, int, int], JudgementRow] = {}
        self.holder: dict[Key, MemoryVerdicts] = {}
        self.done: set[Key] = set()


class Bots:
    """`Judges` that say what they are asked, one verdict whenever they may."""

    def __init__(self) -> None:
        self.asked: list[list[bots_pb2.PlayedTurn]] = []
        self.may = asyncio.Semaphore(0)
        self.dies: Exception | None = None

    def let(self, verdicts: int) -> None:
        for _ in range(verdicts):
            self.may.release()

    async def judge(
        self, turns: Sequence[bots_pb2.PlayedTurn]
    ) -> AsyncIterator[bots_pb2.JudgeResponse]:
        self.asked.append(list(turns))
        for index, turn in enumerate(turns):
            await self.may.acquire()
            if self.dies is not None:
                raise self.dies
            yield verdict(index, turn)


def verdict(index: int, turn: bots_pb2.PlayedTurn) -> bots_pb2.JudgeResponse:
    played = bots_pb2.Evaluation(tile=turn.tile, end=turn.end, equity=0.5)
    return bots_pb2.JudgeResponse(
        index=index, word=bots_pb2.WORD_BEST, evaluations=[played], worlds=9, engine="test"
    )


class House:
    def __init__(self) -> None:
        self.reading, self.shelf, self.bots = OneMatch(), Shelf(), Bots()
        self.judging = self.replica()
        self.choices = len(asked(self.reading.match.hands))

    def replica(self) -> Judging:
        return Judging(self.reading, MemoryVerdicts(self.shelf), self.bots)

    async def ask(
        self, *, start: bool = True, viewer: str = "", judging: Judging | None = None
    ) -> archive_pb2.JudgementResponse:
        request = archive_pb2.JudgementRequest(table=TABLE, match=1, viewer=viewer, start=start)
        return await (judging or self.judging).judgement(request)

    async def until(self, verdicts: int) -> archive_pb2.JudgementResponse:
        """What is known once there are so many."""
        await until(lambda: len(self.shelf.rows) >= verdicts)
        return await self.ask(start=False)

    async def idle(self, judging: Judging | None = None) -> None:
        """Until nothing is judged any more."""
        await until(lambda: not (judging or self.judging).waiting)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    yield made
    await made.judging.close()


async def test_nothing_is_judged_unless_somebody_wants_it(house: House) -> None:
    answer = await house.ask(start=False)
    assert (answer.choices, len(answer.verdicts)) == (house.choices, 0)
    assert not house.bots.asked


async def test_who_asks_while_it_runs_joins(house: House) -> None:
    await asyncio.gather(*(house.ask() for _ in range(20)))
    house.bots.let(3)
    part = await house.until(3)
    assert not part.accuracies
    await house.ask()
    house.bots.let(house.choices)
    await house.until(house.choices)
    await house.idle()
    whole = await house.ask(start=False)
    assert whole.accuracies
    again = await house.ask()
    assert again == whole
    (asked_for,) = house.bots.asked
    assert len(asked_for) == house.choices
    assert house.judging.judged == house.choices


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (LaeloError(Code.TRY_LATER, "the bots are gone"), "the bots are gone"),
        (RuntimeError("broken"), "a fault of ours"),
    ],
)
async def test_what_went_wrong_is_told_and_then_it_goes_on(
    house: House, fault: Exception, told: str
) -> None:
    await house.ask()
    house.bots.let(5)
    await house.until(5)
    house.bots.dies = fault
    house.bots.let(1)
    await house.idle()
    with pytest.raises(LaeloError, match=told):
        await house.ask()
    house.bots.dies = None
    house.bots.let(house.choices)
    await house.ask()
    await house.until(house.choices)
    first, second = house.bots.asked
    assert first[5:] == second
    assert house.judging.failures == 1


async def test_another_replica_goes_on_where_one_was_stopped(house: House) -> None:
    await house.ask()
    house.bots.let(4)
    await house.until(4)
    other = house.replica()
    await house.ask(judging=other)
    await house.idle(other)
    assert len(house.bots.asked) == 1  # the first one still has it
    await house.judging.close()
    house.bots.let(house.choices)
    await house.ask(judging=other)
    await house.until(house.choices)
    assert house.bots.asked[1] == house.bots.asked[0][4:]


async def test_a_match_that_is_played_or_closed_to_one_is_not_judged(house: House) -> None:
    house.reading.change(ended_ms=0)
    with pytest.raises(LaeloError) as error:
        await house.ask()
    assert error.value.code is Code.TRY_LATER
    house.reading.change(ended_ms=1, spectators=False)
    with pytest.raises(LaeloError) as error:
        await house.ask(viewer="eve")
    assert error.value.code is Code.NOT_SEATED
    await house.ask(viewer="ana")
    for table, match in (("no", 1), (TABLE, 2), (TABLE, 0), (TABLE, 2**32 - 1)):
        request = archive_pb2.JudgementRequest(table=table, match=match)
        with pytest.raises(LaeloError) as error:
            await house.judging.judgement(request)
        assert error.value.code is Code.UNKNOWN_MATCH


async def test_without_bots_it_is_said_so(house: House) -> None:
    judging = Judging(house.reading, MemoryVerdicts(house.shelf), None)
    with pytest.raises(LaeloError, match="no bots here"):
        await house.ask(judging=judging)


async def test_so_many_matches_may_wait_and_no_more() -> None:
    house = House()
    found = house.reading.match

    class Many(OneMatch):
        async def whole(self, table: str, match: int) -> Whole | None:
            row = found.found.match._replace(match=match)
            return found._replace(found=found.found._replace(match=row))

    judging = Judging(Many(), MemoryVerdicts(house.shelf), house.bots)
    try:
        for match in range(1, MOST_WAITING + 1):
            request = archive_pb2.JudgementRequest(table=TABLE, match=match, start=True)
            await judging.judgement(request)
        assert judging.waiting == MOST_WAITING
        request.match += 1
        with pytest.raises(LaeloError, match="many matches"):
            await judging.judgement(request)
    finally:
        await judging.close()
    assert judging.waiting == 0


class Service(bots_pb2_grpc.BotsServiceServicer):
    """Bots over gRPC that know one answer."""

    async def Judge(  # noqa: N802
        self, request: bots_pb2.JudgeRequest, context: Any
    ) -> AsyncIterator[bots_pb2.JudgeResponse]:
        for index, turn in enumerate(request.turns):
            yield verdict(index, turn)


async def test_the_bots_are_asked_over_grpc_whichever_answers() -> None:
    server = grpc.aio.server()
    service = Service()  # type: ignore[abstract]
    bots_pb2_grpc.add_BotsServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    turns = [bots_pb2.PlayedTurn(tile=tile) for tile in range(5)]
    try:
        judges = GrpcJudges(f"127.0.0.1:1,127.0.0.1:{port}")
        found = [one async for one in judges.judge(turns)]
    finally:
        await server.stop(None)
    assert found == [verdict(index, turn) for index, turn in enumerate(turns)]
    with pytest.raises(LaeloError) as error:
        [one async for one in GrpcJudges("127.0.0.1:1").judge(turns)]
    assert error.value.code is Code.TRY_LATER


def row(number: int) -> JudgementRow:
    return JudgementRow(TABLE, 1, 1, number, 0, 1, 2, 1, 0.5, 0.5, 1.0, 1.0, 0.0, 9, "test")


@pytest.mark.integration
async def test_postgres_keeps_verdicts_and_who_has_a_match(database: Database) -> None:
    one, other = PostgresVerdicts(database, "one"), PostgresVerdicts(database, "other")
    assert await one.hold(KEY)
    assert not await other.hold(KEY)
    for number in (2, 1, 2):
        await one.keep(row(number))
    assert await other.rows(KEY) == [row(1), row(2)]
    assert await other.rows((TABLE, 2)) == []
    await one.let_go(KEY, done=False)
    assert await other.hold(KEY)
    await one.let_go(KEY, done=True)  # who has it no more can end nothing
    assert not await one.hold(KEY)
    await other.let_go(KEY, done=True)
    assert not await one.hold(KEY)
    # Whose judge died is free after a while.
    assert await one.hold((TABLE, 2))
    async with database.connection() as connection:
        await connection.execute("UPDATE archive_judged SET held_until = now()")
    assert await other.hold((TABLE, 2))
    assert not await one.hold((TABLE, 2))
