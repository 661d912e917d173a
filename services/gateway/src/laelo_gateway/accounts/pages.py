"""`/auth/sign-in` and `/auth/callback`: a browser goes away to the issuer and comes back."""

import hmac
import html
import logging
import time
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from laelo_common.errors import Code, LaeloError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.pending import Pending, Seal
from laelo_gateway.accounts.provider import Provider
from laelo_gateway.accounts.site import CALLBACK, Site
from laelo_gateway.accounts.store import Identity
from laelo_gateway.accounts.words import WORDS, language_of
from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.commands import Person

SIGN_IN: Final = "/auth/sign-in"
NOT_KEPT: Final = {"cache-control": "no-store"}

_STATUS: Final = {"SIGN_IN": 403, "TOO_FAST": 429, "TRY_LATER": 503, "NONE": 404}
_PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Lá e Lô</title>
<h1>{title}</h1><p>{text}</p><p><a href="{again_at}">{again}</a> · <a href="/">{home}</a></p>
<p><small>{reason}</small></p>
"""

_log = logging.getLogger(__name__)


class Begins(Protocol):
    """Where sessions begin."""

    async def begin(self, identity: Identity, language: str, cookies: str) -> tuple[str, Person]:
        """A new session and its token, for the browser that sent these cookies. Raises
        LaeloError.
        """


class Desk(NamedTuple):
    """What signing in needs."""

    provider: Provider | None
    sessions: Begins
    cookies: Cookies
    seal: Seal
    site: Site
    limit: Buckets
    clock: Callable[[], float] = time.time


class SignInPages:
    """The two addresses of the flow."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self) -> list[BaseRoute]:
        """Where they are."""
        return [Route(SIGN_IN, self.sign_in), Route(CALLBACK, self.callback)]

    async def sign_in(self, request: Request) -> Response:
        """Send the browser to the issuer."""
        desk = self._desk
        if desk.provider is None:
            return self._page(request, "NONE")
        try:
            desk.site.limit(request, desk.limit)
            pending = Pending.begin(request.query_params.get("back", "/"), desk.clock())
            address = await desk.provider.address(pending, desk.site.callback(request))
        except LaeloError as error:
            return self._page(request, error.code, error.message)
        response = RedirectResponse(address, 303, NOT_KEPT)
        desk.cookies.set_sign_in(response, desk.seal.close(pending))
        return response

    async def callback(self, request: Request) -> Response:
        """The browser is back: begin a session, or say why not."""
        response = await self._answer(request)
        self._desk.cookies.drop_sign_in(response)
        return response

    async def _answer(self, request: Request) -> Response:
        desk = self._desk
        cookies = request.headers.get("cookie", "")
        try:
            desk.site.limit(request, desk.limit)
            pending = self._pending(request, cookies)
            if request.query_params.get("error") == "access_denied":
                return self._page(request, "DENIED")
            identity = await self._identity(request, pending)
            language = language_of(request.headers.get("accept-language", ""))
            token, person = await desk.sessions.begin(identity, language, cookies)
        except LaeloError as error:
            _log.warning("a sign-in failed: %s", error.message)
            return self._page(request, error.code, error.message)
        _log.debug("signed in", extra={"person": person.id})
        response = RedirectResponse(pending.back, 303, NOT_KEPT)
        desk.cookies.set_session(response, token)
        return response

    def _pending(self, request: Request, cookies: str) -> Pending:
        """The sign-in that this browser began and the issuer answers. Raises LaeloError."""
        desk = self._desk
        pending = desk.seal.open(desk.cookies.sign_in(cookies) or "", desk.clock())
        if pending is None:
            raise LaeloError(Code.BAD_REQUEST, "this browser has begun no sign-in lately")
        state = request.query_params.get("state", "")
        if not hmac.compare_digest(state.encode(), pending.state.encode()):
            raise LaeloError(Code.BAD_REQUEST, "the answer is to another sign-in (state)")
        return pending

    async def _identity(self, request: Request, pending: Pending) -> Identity:
        query, provider = request.query_params, self._desk.provider
        if provider is None:
            raise LaeloError(Code.SIGN_IN, "there is no sign-in here")
        # RFC 9207: an issuer that says who it is has to be the one that was asked.
        if query.get("iss", provider.issuer) != provider.issuer:
            raise LaeloError(Code.SIGN_IN, "another issuer answers")
        if "error" in query or not query.get("code"):
            why = query.get("error", "no code")[:60]
            raise LaeloError(Code.SIGN_IN, f"the sign-in service says: {why}")
        return await provider.identify(query["code"], pending, self._desk.site.callback(request))

    def _page(self, request: Request, name: str, reason: str = "") -> Response:
        language = language_of(request.headers.get("accept-language", ""))
        words = WORDS[language]
        status = _STATUS.get(name, 400)
        text = _PAGE.format(
            language=language,
            title=words["title"],
            text=words.get(name, words["SIGN_IN"]),
            again_at=SIGN_IN,
            again=words["again"],
            home=words["home"],
            reason=html.escape(reason),
        )
        headers = NOT_KEPT | ({"retry-after": "5"} if status in (429, 503) else {})
        return HTMLResponse(text, status, headers)
