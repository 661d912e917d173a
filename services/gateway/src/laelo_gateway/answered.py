"""What HTTP requests are answered with, counted."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laelo_gateway.counts import Counts


class Answered:
    """Counts the answers of an application by the class of their status."""

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        self._app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; one that fails before its answer begins counts as 500."""
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._counts.answered[status // 100] += 1
