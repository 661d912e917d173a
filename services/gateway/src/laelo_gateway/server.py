"""The gateway's HTTP side: pages, probes and the WebSocket's port."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laelo_gateway.adapters.http import HttpProtocol
from laelo_gateway.api import TablesByCode
from laelo_gateway.elsewhere import Elsewhere
from laelo_gateway.pages import ALWAYS_HTTPS, FRESH, SECURITY, Pages

STOP_SECONDS: Final = 3.0


def application(
    pages: Pages,
    tables: TablesByCode,
    unready: Callable[[], str | None],
    more: Sequence[BaseRoute] = (),
    *,
    secure: bool = False,
) -> ASGIApp:
    """All that is served over HTTP. `unready` says why the gateway is not ready, or None;
    `more` is what other parts serve. `secure`: people come by https, and always shall.
    """

    async def livez(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def readyz(_: Request) -> Response:
        why = unready()
        return PlainTextResponse("ready\n") if why is None else PlainTextResponse(f"{why}\n", 503)

    async def version(_: Request) -> Response:
        return JSONResponse(pages.version(), headers={"cache-control": FRESH})

    async def page(request: Request) -> Response:
        return pages.answer(request)

    known = [
        Route("/livez", livez),
        Route("/readyz", readyz),
        Route("/version.json", version),
        Route("/api/tables/{code}", tables.answer),
        *more,
    ]
    routes = [*known, *Elsewhere(known).routes(), Route("/{path:path}", page)]
    return SecurityHeaders(Starlette(routes=routes), SECURITY | (ALWAYS_HTTPS if secure else {}))


class SecurityHeaders:
    """Puts the same strict headers on every answer."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str] = SECURITY) -> None:
        self._app = app
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *self._headers]}
            await send(message)

        await self._app(scope, receive, sending)


class Server(uvicorn.Server):
    """uvicorn in a loop that is not its own: signals are the runtime's business."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


class HttpServer:
    """The HTTP server on its port; `websocket` serves upgrades, if there are any."""

    def __init__(
        self, app: ASGIApp, websocket: type[asyncio.Protocol] | Literal["none"] = "none"
    ) -> None:
        config = uvicorn.Config(
            app,
            ws=websocket,
            http=HttpProtocol,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=int(STOP_SECONDS),
        )
        # It warns of whatever is no HTTP: whoever sends that would fill the log.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        self._server = Server(config)
        self._serving: asyncio.Task[None] | None = None

    def start(self, host: str, port: int) -> int:
        """Listen, and give the port. Raises OSError."""
        taken = listening_socket(host, port)
        self._serving = asyncio.create_task(self._server.serve(sockets=[taken]), name="http")
        return int(taken.getsockname()[1])

    async def stop(self) -> None:
        """Close what is still open and stop."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket on the port; taken at once, so that a taken one is known at once."""
    found: list[Any] = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, kind, protocol, _, address = found[0]
    taken = socket.socket(family, kind, protocol)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
        taken.listen(1024)
        taken.setblocking(False)
    except OSError:
        taken.close()
        raise
    return taken
