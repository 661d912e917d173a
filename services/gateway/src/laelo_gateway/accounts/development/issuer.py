"""A strict OpenID issuer with one client. It checks all that Google checks, but no password.

The gateway mounts it where it is local and has no client of Google's; tests make it misbehave
by overriding `claims`, `sign` and `shown_keys`.
"""

import base64
import hmac
import time
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey, Key, RSAKey
from laelo_common.errors import LaeloError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from laelo_gateway.accounts.development.codes import Codes, Grant
from laelo_gateway.accounts.development.page import STYLE, page
from laelo_gateway.accounts.provider import METADATA_PATH, challenge
from laelo_gateway.bodies import read_body

PATH: Final = "/dev/issuer"
TOKEN_SECONDS: Final = 300
LONGEST_SUBJECT: Final = 64
LONGEST_FORM: Final = 16_384
CHALLENGE: Final = 43
"""Characters of an S256 challenge."""

_ASKED: Final = (
    "response_type", "client_id", "redirect_uri", "scope", "state", "nonce",
    "code_challenge", "code_challenge_method",
)  # fmt: skip
_NOT_KEPT: Final = {"cache-control": "no-store"}


class Client(NamedTuple):
    """Who may send people here; `redirects` says whether they may go back to an address."""

    id: str
    secret: str
    redirects: Callable[[str, Request], bool]


class DevelopmentIssuer:
    """One issuer. Its name is the same on every machine and at every start, so that accounts of
    a local run are found again; browsers reach it below PATH of the host that they are at.
    """

    name = f"http://issuer.localhost{PATH}"

    def __init__(
        self, client: Client, *, algorithm: str = "ES256", clock: Callable[[], float] = time.time
    ) -> None:
        self.client = client
        self.clock = clock
        self._algorithm = algorithm
        self._codes = Codes()
        self.keys: list[Key] = []
        self.rotate()

    def mount(self) -> Mount:
        """Everything, for the application of the gateway."""
        routes = [
            Route(METADATA_PATH, self._metadata),
            Route("/keys", self.shown_keys),
            Route("/style.css", self._style),
            Route("/authorize", self._ask, methods=["GET"]),
            Route("/authorize", self._authorize, methods=["POST"]),
            Route("/token", self._token, methods=["POST"]),
        ]
        return Mount(PATH, routes=routes)

    def http(self) -> httpx.AsyncClient:
        """A way to it within this process: it needs no port, and no network that may fail."""
        transport = httpx.ASGITransport(Starlette(routes=[self.mount()]))
        return httpx.AsyncClient(transport=transport)

    def rotate(self) -> None:
        """Sign with a new key from now on, and show only that one."""
        if self._algorithm == "ES256":
            self.keys = [ECKey.generate_key("P-256", {"use": "sig"}, auto_kid=True)]
        else:
            self.keys = [RSAKey.generate_key(2048, {"use": "sig"}, auto_kid=True)]

    def claims(self, grant: Grant) -> dict[str, Any]:
        """What a token says."""
        now = int(self.clock())
        return {
            "iss": self.name,
            "aud": self.client.id,
            "sub": grant.subject,
            "nonce": grant.nonce,
            "iat": now,
            "exp": now + TOKEN_SECONDS,
        }

    def sign(self, claims: dict[str, Any]) -> str:
        """The token."""
        key = self.keys[0]
        header = {"alg": self._algorithm, "kid": key.kid}
        return jwt.encode(header, claims, key, algorithms=[self._algorithm])

    async def shown_keys(self, _: Request) -> Response:
        """The key set."""
        keys = [key.as_dict(private=False) for key in self.keys]
        return JSONResponse({"keys": keys}, headers={"cache-control": "max-age=3600"})

    async def _metadata(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.name,
                "authorization_endpoint": f"{PATH}/authorize",
                "token_endpoint": f"{self.name}/token",
                "jwks_uri": f"{self.name}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "code_challenge_methods_supported": ["S256"],
                "id_token_signing_alg_values_supported": [self._algorithm],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            }
        )

    async def _style(self, _: Request) -> Response:
        return Response(STYLE, media_type="text/css")

    async def _ask(self, request: Request) -> Response:
        asked = _asked(request.query_params)
        wrong = self._wrong(asked, request)
        if wrong:
            return _plain(f"This sign-in is refused: {wrong}.\n")
        return HTMLResponse(page(PATH, asked), headers=_NOT_KEPT)

    async def _authorize(self, request: Request) -> Response:
        form = await _form(request)
        asked = _asked(form)
        wrong = self._wrong(asked, request)
        if wrong:
            return _plain(f"This sign-in is refused: {wrong}.\n")
        subject = form.get("subject", "").strip()
        answer = {"state": asked.get("state", ""), "iss": self.name}
        if "deny" in form:
            answer["error"] = "access_denied"
        elif not 0 < len(subject) <= LONGEST_SUBJECT:
            return _plain(f"Say who you are, in 1 to {LONGEST_SUBJECT} characters.\n")
        else:
            grant = Grant(
                subject,
                asked["redirect_uri"],
                asked["nonce"],
                asked["code_challenge"],
                self.clock(),
            )
            answer["code"] = self._codes.give(grant)
        address = asked["redirect_uri"] + "?" + urllib.parse.urlencode(answer)
        return RedirectResponse(address, 303, _NOT_KEPT)

    def _wrong(self, asked: Mapping[str, str], request: Request) -> str:
        """What is wrong with a request for a code; empty if nothing is."""
        if asked.get("client_id") != self.client.id:
            return "the client is unknown"
        if not self.client.redirects(asked.get("redirect_uri", ""), request):
            return "the redirect address is not registered"
        if asked.get("response_type") != "code" or "openid" not in asked.get("scope", "").split():
            return "it asks for no code, or not for an identity"
        if not asked.get("nonce") or not asked.get("state"):
            return "state or nonce is missing"
        is_whole = len(asked.get("code_challenge", "")) == CHALLENGE
        if asked.get("code_challenge_method") != "S256" or not is_whole:
            return "it has no PKCE challenge (S256)"
        return ""

    async def _token(self, request: Request) -> Response:
        form = await _form(request)
        if not self._is_client(request.headers.get("authorization", "")):
            return _failed("invalid_client", 401)
        if form.get("grant_type") != "authorization_code":
            return _failed("unsupported_grant_type")
        grant = self._codes.take(form.get("code", ""), self.clock())
        verifier = form.get("code_verifier", "")
        if (
            grant is None
            or form.get("redirect_uri") != grant.redirect_uri
            or not hmac.compare_digest(challenge(verifier).encode(), grant.challenge.encode())
        ):
            return _failed("invalid_grant")
        token = {"access_token": "none", "token_type": "Bearer", "expires_in": TOKEN_SECONDS}
        token["id_token"] = self.sign(self.claims(grant))
        return JSONResponse(token, headers=_NOT_KEPT)

    def _is_client(self, authorization: str) -> bool:
        pair = ":".join(map(urllib.parse.quote_plus, (self.client.id, self.client.secret)))
        wanted = "Basic " + base64.b64encode(pair.encode()).decode()
        return hmac.compare_digest(authorization.encode(), wanted.encode())


def _asked(parameters: Mapping[str, str]) -> dict[str, str]:
    return {name: parameters[name] for name in _ASKED if name in parameters}


async def _form(request: Request) -> dict[str, str]:
    """A form as browsers and clients send it; empty if it is too long, or not whole."""
    try:
        body = await read_body(request, LONGEST_FORM)
    except LaeloError:
        return {}
    return dict(urllib.parse.parse_qsl(body.decode(errors="replace")))


def _failed(error: str, status: int = 400) -> Response:
    return JSONResponse({"error": error}, status, _NOT_KEPT)


def _plain(words: str) -> Response:
    return Response(words, 400, _NOT_KEPT, "text/plain")
