"""The built page on a port of its own, with the gateway's headers and nothing behind it."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from laelo_gateway.pages import Pages
from laelo_gateway.server import HttpServer, SecurityHeaders
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


@contextmanager
def serving(dist: Path) -> Iterator[str]:
    """Serve the page; where it is found."""
    pages = Pages(dist)

    async def page(request: Request) -> Response:
        return pages.answer(request)

    app = SecurityHeaders(Starlette(routes=[Route("/{path:path}", page)]))
    server = HttpServer(app, asyncio.Protocol)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="page")

    async def start() -> int:
        return server.start("127.0.0.1", 0)

    def wait_for(work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    thread.start()
    try:
        yield f"http://127.0.0.1:{wait_for(start())}"
        wait_for(server.stop())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
