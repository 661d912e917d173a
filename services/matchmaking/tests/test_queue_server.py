"""The queue over gRPC: requests, refusals, and gateways that attend."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
import pytest
from laelo.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Refused
from laelo_common.status import abort, error_of
from laelo_common.testing.waiting import until
from laelo_matchmaking.adapters.tournament import Tournament
from laelo_matchmaking.server import MatchmakingServicer

from .kit import BRONZE, CALLED, ERASED, GONE, WISH, people
from .town import PATIENT, Hall, Town


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laelo_matchmaking.server.PACE_SECONDS", 0.02)


@asynccontextmanager
async def serving(town: Town) -> AsyncIterator[tuple[Hall, Any]]:
    """A replica behind a port, and a stub for it."""
    async with town.replica() as hall:
        server = grpc.aio.server()
        servicer = MatchmakingServicer(hall.store, hall.app, hall.people, hall.audience)
        matchmaking_pb2_grpc.add_MatchmakingServiceServicer_to_server(servicer, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield hall, matchmaking_pb2_grpc.MatchmakingServiceStub(channel)
        hall.audience.close()
        await server.stop(None)


class Gateway:
    """One gateway's call; keeps the newest state and all that it was told of leavings."""

    def __init__(self, stub: Any) -> None:
        self._said: asyncio.Queue[matchmaking_pb2.AttendRequest | None] = asyncio.Queue()
        self.call = stub.Attend(self._saying())
        self.told: list[matchmaking_pb2.AttendResponse] = []
        self.task = asyncio.get_running_loop().create_task(self._hear())

    def say(self, here: Sequence[str] = (), gone: Sequence[str] = ()) -> None:
        """Tell who is there and who is not any more."""
        self._said.put_nowait(matchmaking_pb2.AttendRequest(here=here, gone=gone))

    def end(self) -> None:
        """Say no more."""
        self._said.put_nowait(None)

    async def until(self, *players: str) -> matchmaking_pb2.Queue:
        """Wait until it was told that these wait."""
        await until(lambda: bool(self.told) and self.waiting == list(players))
        return self.told[-1].queue

    @property
    def waiting(self) -> list[str]:
        """Who waits, as it was told last."""
        return [place.player for place in self.told[-1].queue.places]

    @property
    def left(self) -> list[tuple[str, int]]:
        """Who left, as it was told."""
        return [(left.player, left.leaving) for told in self.told for left in told.left]

    async def _saying(self) -> AsyncIterator[matchmaking_pb2.AttendRequest]:
        while (request := await self._said.get()) is not None:
            yield request

    async def _hear(self) -> None:
        async for response in self.call:
            self.told.append(response)


async def join(stub: Any, player: str, command: str = "j") -> matchmaking_pb2.Queue:
    request = matchmaking_pb2.JoinRequest(player=player, command=command)
    queue: matchmaking_pb2.Queue = (await stub.Join(request)).queue
    return queue


async def refused(asked: Any) -> Code:
    """The code with which a call is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await asked
    return error_of(raised.value).code


def leave(player: str, leaving: Any = WISH, command: str = "l") -> matchmaking_pb2.LeaveRequest:
    return matchmaking_pb2.LeaveRequest(player=player, command=command, leaving=leaving)


async def test_join_leave_and_show() -> None:
    async with serving(Town()) as (_, stub):
        for player in people(9):
            queue = await join(stub, player)
        assert [place.player for place in queue.places] == people(9)
        assert (queue.next_tier, queue.wait_ms) == (BRONZE, PATIENT.wait_ms)
        assert queue.next_ms == queue.places[7].joined_ms + PATIENT.wait_ms
        assert (await join(stub, "p001")).version == queue.version
        left = await stub.Leave(leave("p004"))
        assert [place.player for place in left.queue.places][3] == "p005"
        again = await stub.Leave(leave("p004"))
        assert again.queue.version == left.queue.version
        shown = await stub.Show(matchmaking_pb2.ShowRequest())
        assert (shown.queue, list(shown.pending), shown.busy) == (left.queue, [], 0)


async def test_what_is_refused_and_how() -> None:
    town = Town(PATIENT._replace(wait_ms=1))
    async with serving(town) as (hall, stub):
        assert await refused(join(stub, "")) is Code.BAD_REQUEST
        assert await refused(join(stub, "no id")) is Code.BAD_REQUEST
        assert await refused(join(stub, "ana", "")) is Code.BAD_REQUEST
        assert await refused(join(stub, "ana", "house-1")) is Code.BAD_REQUEST
        assert await refused(stub.Leave(leave("ana", GONE))) is Code.BAD_REQUEST
        for player in people(8):
            await join(stub, player)
        await until(lambda: bool(town.cups.begun) and not hall.state.pending)
        assert await refused(join(stub, "p001", "k")) is Code.IN_CHAMPIONSHIP
        assert await refused(stub.Leave(leave("p001", ERASED))) is Code.IN_CHAMPIONSHIP
        await stub.Leave(leave("p001", command="wish"))
        assert (await stub.Show(matchmaking_pb2.ShowRequest())).busy == 8
        town.log.reachable = False
        assert await refused(join(stub, "bia")) is Code.TRY_LATER


async def test_what_the_log_does_not_take_is_a_fault_of_ours() -> None:
    town = Town()

    async def full(*_: object) -> int:
        raise Refused("no room")

    town.log.append = full  # type: ignore[assignment]
    async with serving(town) as (_, stub):
        assert await refused(join(stub, "ana")) is Code.INTERNAL


async def test_a_gateway_is_told_at_once_and_of_every_change() -> None:
    town = Town()
    async with serving(town) as (hall, stub):
        await join(stub, "ana")
        one, two = Gateway(stub), Gateway(stub)
        await one.until("ana")
        one.say(here=("ana", "bia"))
        await until(lambda: len(hall.people) == 2)
        for player in people(32):
            await join(stub, player)
        await one.until("p032")
        await two.until("p032")
        assert sorted(one.left) == sorted(two.left)
        assert sorted(one.left) == [(player, CALLED) for player in ["ana", *people(31)]]
        await stub.Leave(leave("p032"))
        await one.until()
        assert one.left[-1] == ("p032", WISH)
        versions = [told.queue.version for told in one.told]
        assert versions == sorted(set(versions))


async def test_who_left_and_came_again_in_between_has_not_left() -> None:
    async with serving(Town()) as (hall, stub):
        gateway = Gateway(stub)
        await gateway.until()
        await hall.join_all(["ana", "bia"])
        await hall.leave("ana")
        await hall.join_all(["ana"])
        await gateway.until("bia", "ana")
        assert gateway.left == []


async def test_a_gateways_call_that_ends_takes_its_people_along() -> None:
    town = Town()
    async with serving(town) as (hall, stub):
        gateways = [Gateway(stub) for _ in range(3)]
        for gateway, player in zip(gateways, ("ana", "bia", "caio"), strict=True):
            gateway.say(here=(player, "all"))
            await until(lambda p=player: p in hall.people.sight.arrived)  # type: ignore[misc]
        gateways[0].end()
        await gateways[0].task
        await until(lambda: len(hall.people) == 3)
        gateways[1].call.cancel()
        await until(lambda: len(hall.people) == 2)
        assert sorted(hall.people.sight.arrived) == ["all", "caio"]
        gateways[2].say(gone=("all",))
        await until(lambda: sorted(hall.people.sight.arrived) == ["caio"])
        await until(lambda: len(hall.audience) == 1)


async def test_when_the_replica_stops_calls_end_in_good_order() -> None:
    town = Town()
    async with serving(town) as (hall, stub):
        gateway = Gateway(stub)
        await gateway.until()
        hall.audience.close()
        await gateway.task
        late = Gateway(stub)
        await late.task
        assert gateway.call.done()
        assert await gateway.call.code() is grpc.StatusCode.OK
        assert len(late.told) == 1


class Cups(tournament_pb2_grpc.TournamentServiceServicer):
    """A tournament service that answers or not."""

    def __init__(self, refuses: Code | None = None) -> None:
        self.refuses = refuses
        self.asked: list[str] = []

    async def Start(  # noqa: N802
        self, request: tournament_pb2.StartRequest, context: Any
    ) -> tournament_pb2.StartResponse:
        self.asked.append(request.championship)
        if self.refuses is not None:
            await abort(context, LaeloError(self.refuses))
        return tournament_pb2.StartResponse()


async def test_any_replica_of_the_tournament_service_may_answer() -> None:
    good, bad = Cups(), Cups(Code.TRY_LATER)  # type: ignore[abstract]  # only Start is asked
    server, broken = grpc.aio.server(), grpc.aio.server()
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(good, server)
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(bad, broken)
    ports = [each.add_insecure_port("127.0.0.1:0") for each in (server, broken)]
    await asyncio.gather(server.start(), broken.start())
    tournament = Tournament(",".join(f"127.0.0.1:{port}" for port in ports))
    try:
        request = tournament_pb2.StartRequest(championship="c1")
        while not bad.asked:
            await tournament.start(request)
        assert good.asked[-1] == "c1"
        await server.stop(None)
        with pytest.raises(LaeloError) as raised:
            await tournament.start(request)
        assert raised.value.code is Code.TRY_LATER
    finally:
        await tournament.close()
        await asyncio.gather(server.stop(None), broken.stop(None))


def test_a_setting_that_names_no_replica_is_refused() -> None:
    with pytest.raises(ValueError, match="host:port"):
        Tournament("nowhere")
