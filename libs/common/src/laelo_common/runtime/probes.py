"""/livez, /readyz and /metrics over HTTP: a few lines of HTTP/1.1, no framework."""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, NamedTuple

_PATIENCE: Final = 5.0
_LONGEST: Final = 8192


class Answer(NamedTuple):
    """What a page says."""

    status: HTTPStatus
    text: str


Page = Callable[[], Answer]


class Probes:
    """A listener for the people and programs that run the service. One request a connection."""

    def __init__(self, pages: dict[str, Page]) -> None:
        self._pages = pages
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen, and give the port. Raises OSError."""
        self._server = await asyncio.start_server(self._serve, host, port, limit=_LONGEST)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(_written(self._answer(head), head.startswith(b"HEAD ")))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # Whoever asks like that gets no answer.
        finally:
            writer.close()

    def _answer(self, head: bytes) -> Answer:
        parts = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        if len(parts) != 3:
            return Answer(HTTPStatus.BAD_REQUEST, "this is not HTTP\n")
        method, target, _ = parts
        if method not in ("GET", "HEAD"):
            return Answer(HTTPStatus.METHOD_NOT_ALLOWED, "only GET\n")
        page = self._pages.get(target.split("?", 1)[0])
        if page is None:
            return Answer(HTTPStatus.NOT_FOUND, "there is " + ", ".join(self._pages) + "\n")
        return page()


def _written(answer: Answer, head_only: bool) -> bytes:
    body = answer.text.encode()
    head = (
        f"HTTP/1.1 {answer.status.value} {answer.status.phrase}\r\n"
        "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + (b"" if head_only else body)
