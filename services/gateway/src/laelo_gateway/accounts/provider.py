"""Where people sign in: OpenID Connect's code flow with PKCE, seen from the gateway."""

import base64
import hashlib
import time
import urllib.parse
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import httpx
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key
from laelo_common.errors import Code, LaeloError
from laelo_common.settings import Secret

from laelo_gateway.accounts.cached import Cached, Fetched
from laelo_gateway.accounts.fetching import ask_json
from laelo_gateway.accounts.id_token import Expected, header_of, key_for, refused, subject_of
from laelo_gateway.accounts.pending import Pending
from laelo_gateway.accounts.store import Identity

Kind = Literal["google", "development"]

METADATA_PATH: Final = "/.well-known/openid-configuration"
SCOPE: Final = "openid"
"""Nothing but who it is: no name, no mail address, no picture."""


class Registration(NamedTuple):
    """What the issuer knows us by. `local`: the issuer may be reached without https."""

    kind: Kind
    issuer: str
    client_id: str
    client_secret: Secret
    local: bool = False


class Metadata(NamedTuple):
    """What is needed of the issuer's discovery document."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    by_post: bool
    """Whether the client's secret goes into the form instead of a header."""


class Provider:
    """One issuer. Raises LaeloError: TRY_LATER while it is out of reach, SIGN_IN if what comes
    from it is not to be believed.
    """

    def __init__(
        self,
        registration: Registration,
        http: httpx.AsyncClient,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._known_as = registration
        self._http = http
        self._clock = clock
        self._metadata = Cached(self._fetch_metadata)
        self._keys = Cached(self._fetch_keys)

    @property
    def kind(self) -> Kind:
        """Which button a person is shown."""
        return self._known_as.kind

    @property
    def issuer(self) -> str:
        """The name of the issuer."""
        return self._known_as.issuer

    async def address(self, pending: Pending, redirect_uri: str) -> str:
        """Where a browser is sent to sign in."""
        metadata = await self._metadata.get()
        query = {
            "response_type": "code",
            "client_id": self._known_as.client_id,
            "redirect_uri": redirect_uri,
            "scope": SCOPE,
            "state": pending.state,
            "nonce": pending.nonce,
            "code_challenge": challenge(pending.verifier),
            "code_challenge_method": "S256",
            "prompt": "select_account",
        }
        joint = "&" if "?" in metadata.authorization_endpoint else "?"
        return metadata.authorization_endpoint + joint + urllib.parse.urlencode(query)

    async def identify(self, code: str, pending: Pending, redirect_uri: str) -> Identity:
        """Who came back with this code."""
        token = await self._exchange(code, pending.verifier, redirect_uri)
        header = header_of(token)
        key = key_for(await self._keys.get(), header)
        if key is None:
            key = key_for(await self._keys.newer(), header)
        if key is None:
            raise refused("it is signed with a key that the issuer does not show")
        known_as = self._known_as
        expected = Expected(known_as.issuer, known_as.client_id, pending.nonce, self._clock())
        return Identity(known_as.issuer, subject_of(token, key, header, expected))

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def _exchange(self, code: str, verifier: str, redirect_uri: str) -> str:
        """The ID token for a code. What else came with it is thrown away."""
        metadata = await self._metadata.get()
        known_as = self._known_as
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        headers = {}
        if metadata.by_post:
            form |= {
                "client_id": known_as.client_id,
                "client_secret": known_as.client_secret.reveal(),
            }
        else:
            headers["authorization"] = _basic(known_as.client_id, known_as.client_secret.reveal())
        answer = await ask_json(
            self._http, "POST", metadata.token_endpoint, data=form, headers=headers
        )
        token = answer.body.get("id_token")
        if answer.status != 200 or not isinstance(token, str):
            why = str(answer.body.get("error", answer.status))[:60]
            raise LaeloError(Code.SIGN_IN, f"the sign-in service does not accept the code: {why}")
        return token

    async def _fetch_metadata(self) -> Fetched[Metadata]:
        answer = await ask_json(
            self._http, "GET", self._known_as.issuer.rstrip("/") + METADATA_PATH
        )
        body = answer.body
        if answer.status != 200 or body.get("issuer") != self._known_as.issuer:
            raise LaeloError(Code.TRY_LATER, "the sign-in service describes itself wrongly")
        ways = body.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        metadata = Metadata(
            self._endpoint(body, "authorization_endpoint"),
            self._endpoint(body, "token_endpoint"),
            self._endpoint(body, "jwks_uri"),
            isinstance(ways, list) and "client_secret_basic" not in ways,
        )
        return Fetched(metadata, answer.max_age)

    def _endpoint(self, body: dict[str, Any], name: str) -> str:
        value = body.get(name)
        if not isinstance(value, str) or not (value.startswith("https://") or self._known_as.local):
            raise LaeloError(Code.TRY_LATER, f"the sign-in service has no safe {name}")
        return value

    async def _fetch_keys(self) -> Fetched[list[Key]]:
        metadata = await self._metadata.get()
        answer = await ask_json(self._http, "GET", metadata.jwks_uri)
        keys = answer.body.get("keys")
        if answer.status != 200 or not isinstance(keys, list):
            raise LaeloError(Code.TRY_LATER, "the sign-in service shows no keys")
        found = [key for entry in keys if (key := _key(entry)) is not None]
        return Fetched(found, answer.max_age)


def challenge(verifier: str) -> str:
    """The S256 challenge of a PKCE verifier (RFC 7636)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _key(entry: Any) -> Key | None:
    """A public key that signs; None for what is no such key, or of a kind unknown to us."""
    if not isinstance(entry, dict) or entry.get("use", "sig") != "sig":
        return None
    try:
        return JWKRegistry.import_key(entry)
    except (JoseError, ValueError, TypeError, KeyError):
        return None


def _basic(client_id: str, secret: str) -> str:
    """HTTP Basic as OAuth wants it: both are form-encoded first (RFC 6749 section 2.3.1)."""
    pair = f"{urllib.parse.quote_plus(client_id)}:{urllib.parse.quote_plus(secret)}"
    return "Basic " + base64.b64encode(pair.encode()).decode()
