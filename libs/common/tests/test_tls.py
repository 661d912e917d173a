"""Who is let in between services, on real connections, and renewal while they are open."""

import logging
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from laelo_common.stream import CoalescedClient, plain
from laelo_common.testing.authority import Authority
from laelo_common.testing.echo import (
    EchoFrame,
    EchoItem,
    EchoServer,
    echo_method,
    echo_unary,
)
from laelo_common.testing.waiting import until
from laelo_common.tls import Identity
from laelo_common.tls.callers import anything

CALLERS = {
    "gateway": {"Ask": anything, "Connect": anything},
    "console": {"Ask": lambda item: item.body == b"shut"},
}
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
DENIED = grpc.StatusCode.PERMISSION_DENIED


class House:
    """An authority, and identities of it in folders of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = Authority()

    def identity(self, name: str, authority: Authority | None = None) -> Identity:
        where = self.folder / f"{name}-{id(authority)}"
        return Identity.of(name, (authority or self.authority).issue(where, name))

    def renew(self, name: str, authority: Authority | None = None) -> None:
        (authority or self.authority).issue(self.folder / f"{name}-{id(None)}", name)

    def table(self) -> EchoServer:
        return EchoServer(identity=self.identity("table"), callers=CALLERS)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def ask(channel: grpc.aio.Channel, body: bytes = b"play") -> Any:
    """The answer, or the status of a refusal."""
    async with channel:
        return await ask_on(channel, body)


async def ask_on(channel: grpc.aio.Channel, body: bytes = b"play") -> Any:
    try:
        return (await echo_unary(channel)(EchoItem(body=body), timeout=20)).body
    except grpc.aio.AioRpcError as error:
        return error.code()


async def test_who_has_the_right_name_is_answered(house: House) -> None:
    gateway = house.identity("gateway")
    async with house.table() as server:
        assert await ask(gateway.dial("table")(server.target)) == b"play"
        async with CoalescedClient(
            lambda: gateway.dial("table")(server.target), echo_method, EchoFrame
        ) as stream:
            await stream.wait_up(20)
            assert (await stream.request(EchoItem(body=b"x"), 20)).body == b"x"
        assert server.guard.refused == 0


async def test_nobody_is_heard_without_a_certificate_of_our_authority(house: House) -> None:
    stranger = house.identity("gateway", Authority())
    ours = house.identity("gateway").current()
    async with house.table() as server:
        assert await ask(plain(server.target)) is UNAVAILABLE
        nameless = grpc.aio.secure_channel(
            server.target,
            grpc.ssl_channel_credentials(ours.authority),
            options=[("grpc.ssl_target_name_override", "table")],
        )
        assert await ask(nameless) is UNAVAILABLE
        # One who trusts us all the same, so that it is us who refuse.
        theirs = stranger.current()._replace(authority=ours.authority)
        stranger.current = lambda: theirs  # type: ignore[method-assign]
        assert await ask(stranger.dial("table")(server.target)) is UNAVAILABLE


async def test_only_the_service_that_is_asked_for_may_answer(house: House) -> None:
    gateway = house.identity("gateway")
    async with EchoServer(identity=house.identity("bots"), callers=CALLERS) as server:
        assert await ask(gateway.dial("table")(server.target)) is UNAVAILABLE
        assert await ask(gateway.dial("bots")(server.target)) == b"play"
    other = house.identity("table", Authority())
    async with EchoServer(identity=other, callers=CALLERS) as server:
        assert await ask(gateway.dial("table")(server.target)) is UNAVAILABLE


async def test_each_caller_may_do_what_is_its_own(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async with house.table() as server:
        bots = house.identity("bots").dial("table")
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                assert await ask(bots(server.target)) is DENIED
        refused = [line.message for line in caplog.records if "may not ask" in line.message]
        assert refused == ["bots may not ask /laelo.testing.Echo/Ask: refused"]
        assert server.guard.refused == 3
        console = house.identity("console").dial("table")
        assert await ask(console(server.target), b"shut") == b"shut"
        assert await ask(console(server.target)) is DENIED
        async with console(server.target) as channel:
            call = echo_method(channel)()
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await call.read()
            assert error.value.code() is DENIED
            assert "the certificate of console does not allow" in str(error.value.details())


async def test_a_renewed_certificate_of_the_server_is_taken_while_it_runs(house: House) -> None:
    gateway = house.identity("gateway")
    async with (
        house.table() as server,
        CoalescedClient(
            lambda: gateway.dial("table")(server.target), echo_method, EchoFrame
        ) as stream,
    ):
        await stream.wait_up(20)
        newer = Authority()
        house.renew("table", newer)
        # Who knows the newer authority only is let in, and the stream of before goes on.
        assert await ask(house.identity("gateway", newer).dial("table")(server.target)) == b"play"
        assert await ask(gateway.dial("table")(server.target)) is UNAVAILABLE
        assert (await stream.request(EchoItem(body=b"still"), 20)).body == b"still"


async def test_a_channel_outlives_the_certificate_that_it_was_opened_with(house: House) -> None:
    gateway, newer = house.identity("gateway"), Authority()
    async with (
        EchoServer(identity=house.identity("table"), callers=CALLERS) as server,
        gateway.dial("table")(server.target) as channel,
    ):
        assert await ask_on(channel) == b"play"
        open_call = echo_method(channel)()
        await open_call.write(EchoFrame(items=[EchoItem(id=1, body=b"1")]))
        await open_call.read()
        house.renew("gateway", newer)
        house.renew("table", newer)
        assert await ask_on(channel) == b"play"
        await open_call.write(EchoFrame(items=[EchoItem(id=2, body=b"2")]))
        assert (await open_call.read()).items[0].body == b"2"


async def test_a_stream_that_broke_comes_back_with_the_renewed_certificate(house: House) -> None:
    gateway, newer = house.identity("gateway"), Authority()
    server = house.table()
    async with (
        server,
        CoalescedClient(
            lambda: gateway.dial("table")(server.target), echo_method, EchoFrame
        ) as stream,
    ):
        await stream.wait_up(20)
        await server.kill()
        await until(lambda: not stream.is_up)
        house.renew("gateway", newer)
        house.renew("table", newer)
        await server.start()
        await stream.wait_up(20)


async def test_files_that_are_not_good_change_nothing(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    gateway = house.identity("gateway")
    before = gateway.current()
    assert gateway.current() is before
    house.renew("gateway")
    (house.folder / f"gateway-{id(None)}" / "tls.key").write_bytes(before.key)
    assert gateway.current() is before
    assert "the certificate stays as it was" in caplog.text
    house.renew("gateway")
    assert gateway.current() is not before
