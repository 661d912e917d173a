"""The strict issuer, made to misbehave in one way at a time."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from laelo_gateway.accounts.development import DevelopmentIssuer
from laelo_gateway.accounts.development.codes import Grant

Claims = dict[str, Any]


class FaultyIssuer(DevelopmentIssuer):
    """`change` alters what a token says, `signs` how it is signed; `keys_are_out`: nobody is
    shown any keys.
    """

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **{"algorithm": "RS256", **options})
        self.change: Callable[[Claims], Claims] = lambda claims: claims
        self.signs: Callable[[FaultyIssuer, Claims], str] | None = None
        self.keys_are_out = False
        self.asked_for_keys = 0

    def claims(self, grant: Grant) -> Claims:
        """What a token says."""
        return self.change(super().claims(grant))

    def sign(self, claims: Claims) -> str:
        """The token."""
        return super().sign(claims) if self.signs is None else self.signs(self, claims)

    async def shown_keys(self, request: Request) -> Response:
        """The key set, or none."""
        self.asked_for_keys += 1
        if self.keys_are_out:
            return PlainTextResponse("out", 503)
        return await super().shown_keys(request)

    @property
    def public_key(self) -> RSAKey:
        """What anybody can fetch."""
        key = self.keys[0]
        assert isinstance(key, RSAKey)  # noqa: S101 - RS256
        return key


def unsigned(_: FaultyIssuer, claims: Claims) -> str:
    """`alg: none`: whoever believes it believes everything."""
    return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}."


def with_public_key(issuer: FaultyIssuer, claims: Claims) -> str:
    """HS256 with the public key as the secret, as if the token chose what keys are for."""
    signed = f"{_part({'alg': 'HS256', 'kid': issuer.public_key.kid})}.{_part(claims)}"
    secret = issuer.public_key.as_pem(private=False)
    return f"{signed}.{_text(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"


def with_other_key(issuer: FaultyIssuer, claims: Claims) -> str:
    """A key of somebody else's under the name of the issuer's."""
    header = {"alg": "RS256", "kid": issuer.public_key.kid}
    return jwt.encode(header, claims, RSAKey.generate_key(2048), algorithms=["RS256"])


def with_unknown_key(_: FaultyIssuer, claims: Claims) -> str:
    """A key that nobody is shown."""
    key = RSAKey.generate_key(2048, auto_kid=True)
    return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key, algorithms=["RS256"])


def with_own_key(_: FaultyIssuer, claims: Claims) -> str:
    """A key that comes in the token itself."""
    key = ECKey.generate_key("P-256")
    header = {"alg": "ES256", "jwk": key.as_dict(private=False)}
    return jwt.encode(header, claims, key, algorithms=["ES256"])


def with_weak_algorithm(issuer: FaultyIssuer, claims: Claims) -> str:
    """The right key, with an algorithm that is not on the list."""
    header = {"alg": "RS512", "kid": issuer.public_key.kid}
    return jwt.encode(header, claims, issuer.public_key, algorithms=["RS512"])


def altered(issuer: FaultyIssuer, claims: Claims) -> str:
    """A good signature under other words."""
    head, _, signature = DevelopmentIssuer.sign(issuer, claims).split(".")
    return f"{head}.{_part({**claims, 'sub': 'somebody else'})}.{signature}"


def garbled(_: FaultyIssuer, __: Claims) -> str:
    """No token at all."""
    return "not.a.token"


def _part(data: dict[str, Any]) -> str:
    return _text(json.dumps(data).encode())


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
