"""Is it ready? Asked of a service in its own language."""

import asyncio

import grpc
from grpc_health.v1 import health_pb2
from laelo_common.stream import Dial, plain

ASK_SECONDS = 2.0


async def grpc_ready(address: str, dial: Dial = plain) -> bool:
    """Whether the gRPC health service at `host:port` says SERVING."""
    if not await accepts(address):  # a channel would back off after its first failure
        return False
    async with dial(address) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            reply = await check(health_pb2.HealthCheckRequest(), timeout=ASK_SECONDS)
        except grpc.aio.AioRpcError:
            return False
    return bool(reply.status == health_pb2.HealthCheckResponse.SERVING)


async def http_ready(address: str, path: str = "/readyz") -> bool:
    """Whether a GET answers 200."""
    host, port = address.split(":")
    request = f"GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    try:
        async with asyncio.timeout(ASK_SECONDS):
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                writer.write(request.encode())
                await writer.drain()
                status = await reader.readline()
            finally:
                writer.close()
                await writer.wait_closed()
    except OSError:  # TimeoutError is one
        return False
    return status.split()[1:2] == [b"200"]


async def accepts(address: str) -> bool:
    """Whether something listens there."""
    host, port = address.split(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True
