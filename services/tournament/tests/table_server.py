"""Self-playing tables behind gRPC, as the tournament service meets the table service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.stream import SERVER_OPTIONS
from laelo_tournament.ports import Tables


class Servicer(table_pb2_grpc.TableServiceServicer):
    """Single commands only."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.asked = 0

    async def Submit(  # noqa: N802
        self, request: table_pb2.SubmitRequest, _context: Any
    ) -> table_pb2.SubmitResponse:
        self.asked += 1
        return table_pb2.SubmitResponse(update=await self._tables.submit(request.command))


@asynccontextmanager
async def serving(tables: Tables) -> AsyncIterator[tuple[str, Servicer]]:
    """One replica and its address."""
    server = grpc.aio.server(options=SERVER_OPTIONS)
    servicer = Servicer(tables)  # type: ignore[abstract]  # the rest is not asked for
    table_pb2_grpc.add_TableServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}", servicer
    finally:
        await server.stop(0)
