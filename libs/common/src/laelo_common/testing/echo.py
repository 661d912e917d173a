"""A service for tests and measurements of the stream: it sends back what it gets.

Its messages are made here, at run time: they are no part of any service's interface.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from types import MappingProxyType
from typing import Any

import grpc
import grpc.aio
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from laelo_common.stream import SERVER_OPTIONS, StreamServer
from laelo_common.tls import Guard, Identity
from laelo_common.tls.callers import Callers

_SERVICE = "laelo.testing.Echo"
_FIELD = descriptor_pb2.FieldDescriptorProto


def _messages() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(
        name="laelo_testing_echo.proto", package="laelo.testing", syntax="proto3"
    )
    item = file.message_type.add(name="EchoItem")
    item.field.add(name="id", number=1, type=_FIELD.TYPE_UINT64, label=_FIELD.LABEL_OPTIONAL)
    item.field.add(name="body", number=2, type=_FIELD.TYPE_BYTES, label=_FIELD.LABEL_OPTIONAL)
    frame = file.message_type.add(name="EchoFrame")
    frame.field.add(
        name="items",
        number=1,
        type=_FIELD.TYPE_MESSAGE,
        label=_FIELD.LABEL_REPEATED,
        type_name=".laelo.testing.EchoItem",
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = ("EchoItem", "EchoFrame")
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"laelo.testing.{name}"))
        for name in names
    }


_made = _messages()
EchoItem: Any = _made["EchoItem"]
"""`id` and `body` (bytes)."""
EchoFrame: Any = _made["EchoFrame"]


def echo_method(channel: grpc.aio.Channel) -> Any:
    """The stream's method, as a generated stub would give it."""
    return channel.stream_stream(
        f"/{_SERVICE}/Connect",
        request_serializer=EchoFrame.SerializeToString,
        response_deserializer=EchoFrame.FromString,
    )


def echo_unary(channel: grpc.aio.Channel) -> Any:
    """The same as a unary method, for comparison."""
    return channel.unary_unary(
        f"/{_SERVICE}/Ask",
        request_serializer=EchoItem.SerializeToString,
        response_deserializer=EchoItem.FromString,
    )


def echo(_session: Any, item: Any) -> Any:
    """The simplest handler."""
    return EchoItem(body=item.body)


def echo_failure(_item: Any, error: Exception) -> Any:
    """A failed handler's answer: `error:` and the exception."""
    return EchoItem(body=b"error:" + str(error).encode())


class EchoServer:
    """A gRPC server on 127.0.0.1 with the echo service, or with a test's own handler.

    With an identity it wants to know who asks, and lets in the callers of its guard.
    """

    def __init__(
        self,
        on_item: Callable[[Any, Any], Any] = echo,
        *,
        identity: Identity | None = None,
        callers: Callers = MappingProxyType({}),
        **options: Any,
    ) -> None:
        self.streams: StreamServer[Any, Any] = StreamServer(
            EchoFrame, on_item, echo_failure, **options
        )
        self.port = 0
        self.guard = Guard(callers)
        self._identity = identity
        self._server: grpc.aio.Server | None = None

    @property
    def target(self) -> str:
        """Where to connect to."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> "EchoServer":
        """Listen: on the same port as before, if there was one."""
        guards = () if self._identity is None else (self.guard,)
        server = self._server = grpc.aio.server(options=SERVER_OPTIONS, interceptors=guards)
        server.add_generic_rpc_handlers((self._handlers(),))
        if self._identity is None:
            self.port = server.add_insecure_port(self.target)
        else:
            credentials = self._identity.server_credentials()
            self.port = server.add_secure_port(self.target, credentials)
        await server.start()
        return self

    async def kill(self) -> None:
        """Break every connection, as a killed process does."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop(None)

    async def stop(self) -> None:
        """End as a service does: streams first, then the server."""
        await self.streams.close()
        if self._server is not None:
            await self._server.stop(1)

    async def __aenter__(self) -> "EchoServer":
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _handlers(self) -> grpc.GenericRpcHandler:
        async def connect(frames: AsyncIterator[Any], context: Any) -> None:
            await self.streams.serve(frames, context)

        async def ask(item: Any, _context: Any) -> Any:
            return EchoItem(id=item.id, body=item.body)

        codec = {
            "request_deserializer": EchoFrame.FromString,
            "response_serializer": EchoFrame.SerializeToString,
        }
        return grpc.method_handlers_generic_handler(
            _SERVICE,
            {
                "Connect": grpc.stream_stream_rpc_method_handler(connect, **codec),
                "Ask": grpc.unary_unary_rpc_method_handler(
                    ask,
                    request_deserializer=EchoItem.FromString,
                    response_serializer=EchoItem.SerializeToString,
                ),
            },
        )


def main(name: str) -> None:
    """A process of its own: prints its port, then answers `name body` until it is killed."""

    async def run() -> None:
        mark = name.encode() + b" "
        server = await EchoServer(lambda _, item: EchoItem(body=mark + item.body)).start()
        print(server.port, flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())
