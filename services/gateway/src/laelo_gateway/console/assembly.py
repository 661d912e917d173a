"""The console as one application."""

from collections.abc import Callable
from datetime import datetime
from importlib.resources import files
from typing import Final, NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.pages import Desk as SignInDesk
from laelo_gateway.accounts.pages import SignInPages
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.wiring import Doors
from laelo_gateway.console.desk import Office, utc_now
from laelo_gateway.console.guard import Guard
from laelo_gateway.console.house import House
from laelo_gateway.console.pages import ConsolePages
from laelo_gateway.console.sessions import ADDRESS, ConsoleSessions
from laelo_gateway.console.store import LONGEST_HOURS, ConsoleStore
from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.pages import SECURITY
from laelo_gateway.server import SecurityHeaders

REQUESTS: Final = (5.0, 200.0)
SIGN_INS: Final = (0.2, 20.0)
"""From one address: a second, and at once."""
COOKIE: Final = "laelo_console"

HEADERS: Final = SECURITY | {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none';"
        " frame-ancestors 'none'; form-action 'self'"
    ),
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex",
}

Unready = Callable[[], str | None]


class Parts(NamedTuple):
    """What the console is made of."""

    store: ConsoleStore
    house: House
    doors: Doors
    now: Callable[[], datetime] = utc_now


def console(parts: Parts, unready: Unready) -> ASGIApp:
    """All that is served. `unready` says why the console is not ready, or None."""
    store, house, doors, now = parts
    cookies = Cookies(secure=doors.site.is_secure, name=COOKIE, seconds=LONGEST_HOURS * 3600)
    sessions = ConsoleSessions(store, cookies)
    desk = SignInDesk(
        doors.provider, sessions, cookies, doors.seal, doors.site, Buckets(*SIGN_INS), doors.clock
    )
    guard = Guard(sessions, doors.site, Buckets(*REQUESTS))
    pages = ConsolePages(Office(store, house, sessions, now), guard, cookies)
    public: list[BaseRoute] = [*_probes(unready), *SignInPages(desk).routes()]
    if doors.issuer is not None:
        public.append(doors.issuer.mount())
    app = Starlette(routes=[*public, *pages.routes()])
    return SecurityHeaders(_noting_address(app, doors.site), HEADERS)


def _noting_address(app: ASGIApp, site: Site) -> ASGIApp:
    """Have it known, for the audit log, where each request comes from."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        ADDRESS.set(site.peer(Request(scope)))
        await app(scope, receive, send)

    return served


def _probes(unready: Unready) -> list[BaseRoute]:
    css = files("laelo_gateway.console").joinpath("style.css").read_text(encoding="utf-8")

    async def livez(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def readyz(_: Request) -> Response:
        why = unready()
        return PlainTextResponse("ready\n") if why is None else PlainTextResponse(f"{why}\n", 503)

    async def style(_: Request) -> Response:
        return Response(css, 200, {"cache-control": "no-cache"}, "text/css")

    return [Route("/livez", livez), Route("/readyz", readyz), Route("/style.css", style)]
