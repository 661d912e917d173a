"""Who may ask the console for anything: nobody but an operator, at each request anew.

A form has to come from a page of this very session on this very site: its Origin says from
which site, and what it carries is known to nobody else.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from laelo_common.errors import Code, LaeloError
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from laelo_gateway.accounts.pages import NOT_KEPT, SIGN_IN
from laelo_gateway.accounts.site import Site
from laelo_gateway.bodies import read_body
from laelo_gateway.console.markup import Markup, el
from laelo_gateway.console.sessions import ConsoleSessions, Session
from laelo_gateway.console.views.frame import link, note, page
from laelo_gateway.domain.bucket import Buckets

LARGEST: Final = 8192
"""Bytes of a form."""
DEEDS: Final = (1.0, 30.0)
"""Forms of one operator: a second, and at once."""

STATUS: Final = {
    Code.BAD_REQUEST: 400,
    Code.SIGN_IN: 401,
    Code.UNKNOWN_TABLE: 404,
    Code.UNKNOWN_CHAMPIONSHIP: 404,
    Code.TOO_FAST: 429,
    Code.TRY_LATER: 503,
    Code.INTERNAL: 500,
}
_log = logging.getLogger(__name__)


class Visit(NamedTuple):
    """A request of an operator, and what its form says."""

    request: Request
    session: Session
    form: Mapping[str, str] = {}

    def named(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])


Handler = Callable[[Visit], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


class Guard:
    """Lets operators through."""

    def __init__(self, sessions: ConsoleSessions, site: Site, limit: Buckets) -> None:
        self._sessions = sessions
        self._site = site
        self._limit = limit
        self._deeds = Buckets(*DEEDS)

    def reading(self, handler: Handler) -> Endpoint:
        """A page for operators."""

        async def answer(request: Request) -> Response:
            return await self._answer(request, handler)

        return answer

    def doing(self, handler: Handler) -> Endpoint:
        """What a form asks for."""

        async def checked(visit: Visit) -> Response:
            if not self._site.is_own_page(visit.request):
                raise LaeloError(Code.BAD_REQUEST, "only a page of this site may ask for this")
            form = await _form(visit.request)
            if not visit.session.owns(form.get("form", "")):
                words = "this form is not of this session: load the page again"
                raise LaeloError(Code.BAD_REQUEST, words)
            now = asyncio.get_running_loop().time()
            if not self._deeds.take(visit.session.operator.id, now):
                raise LaeloError(Code.TOO_FAST, "too much at once: try again in a moment")
            return await handler(visit._replace(form=form))

        return self.reading(checked)

    async def _answer(self, request: Request, handler: Handler) -> Response:
        session = None
        try:
            self._site.limit(request, self._limit)
            session = await self._sessions.of(request.headers.get("cookie", ""))
            if session is None:
                return _closed()
            return await handler(Visit(request, session))
        except LaeloError as error:
            if error.code is Code.INTERNAL:
                _log.error("a page failed: %s", error)
            return refusal(error, session)


def answer(title: str, *parts: str | Markup | None, session: Session) -> Response:
    """A page for an operator, kept nowhere."""
    return HTMLResponse(page(title, *parts, session=session), 200, NOT_KEPT)


def refusal(error: LaeloError, session: Session | None) -> Response:
    """Why something was not done."""
    status = STATUS.get(error.code, 409)
    headers = NOT_KEPT | ({"retry-after": "5"} if status in (429, 503) else {})
    words = note(error.message, alert=True)
    back = el("p", link("/", "Back to the house"))
    return HTMLResponse(page("That did not work", words, back, session=session), status, headers)


def _closed() -> Response:
    """For everybody else: nothing but the way in."""
    words = el("p", "This is for the people who run the house.")
    way = el("p", el("a", "Sign in", href=SIGN_IN, class_="button strong"))
    return HTMLResponse(page("Sign in", words, way), 401, NOT_KEPT)


async def _form(request: Request) -> dict[str, str]:
    fields = parse_qs((await read_body(request, LARGEST)).decode(errors="replace"))
    return {name: values[-1] for name, values in fields.items()}
