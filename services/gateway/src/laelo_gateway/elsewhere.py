"""Addresses below /api and /auth at which there is nothing: these are never the page's, which
would answer 200 to whatever a program asks for by mistake.
"""

from collections.abc import Sequence
from typing import Final

from laelo_common.errors import Code
from laelo_common.wire import server
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route

from laelo_gateway.answers import worded

PREFIXES: Final = ("/api", "/auth", "/dev")
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Elsewhere:
    """Says 405 where another method would be answered, else 404."""

    def __init__(self, known: Sequence[BaseRoute]) -> None:
        self._known = known

    def routes(self) -> list[Route]:
        """To be asked after all that are known."""
        return [
            Route(f"{prefix}{rest}", self.answer_elsewhere, methods=METHODS)
            for prefix in PREFIXES
            for rest in ("", "/{rest:path}")
        ]

    async def answer_elsewhere(self, request: Request) -> Response:
        """`Refused` as JSON."""
        allowed = {method for route in self._known for method in _methods(route, request)}
        if allowed:
            words = f"this address knows {', '.join(sorted(allowed))}"
            headers = {"allow": ", ".join(sorted(allowed))}
            return worded(server.Refused(Code.BAD_REQUEST, words), 405, headers)
        words = "there is nothing at this address: docs/openapi.json lists all"
        return worded(server.Refused(Code.BAD_REQUEST, words), 404)


def _methods(route: BaseRoute, request: Request) -> set[str]:
    """The methods that a route has for this address."""
    match, _ = route.matches(request.scope)
    return (
        set(route.methods or ()) if isinstance(route, Route) and match is Match.PARTIAL else set()
    )
