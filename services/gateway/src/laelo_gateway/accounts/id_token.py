"""ID tokens (OpenID Connect Core 1.0, section 3.1.3.7): what has to hold before one is believed."""

import hmac
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, RSAKey
from laelo_common.errors import Code, LaeloError

ALGORITHMS: Final = {"RS256": RSAKey, "ES256": ECKey}
"""What a token may be signed with, and the kind of key for it. A token does not choose: `none`,
and a public key taken as the secret of an HS256, are no way in.
"""
LEEWAY_SECONDS: Final = 60
LONGEST_AGE_SECONDS: Final = 600
"""A token is fetched right after it was made; an older one was kept by somebody."""
LATEST: Final = 253_402_300_799
"""The last second of the year 9999: no time is later."""
LONGEST_SUBJECT: Final = 255
GOOGLE: Final = "https://accounts.google.com"
_SPELLINGS: Final = {GOOGLE: (GOOGLE, "accounts.google.com")}
"""Google leaves the scheme out in some tokens."""


class Expected(NamedTuple):
    """What the token has to say. `now` in seconds since 1970 UTC."""

    issuer: str
    audience: str
    nonce: str
    now: float


class Header(NamedTuple):
    """What is read of a token before it is believed, to find the key: nothing else is."""

    algorithm: str
    kid: str | None


def header_of(token: str) -> Header:
    """The header of a token with an algorithm of the list. Raises LaeloError with SIGN_IN."""
    try:
        header = jws.extract_compact(token.encode()).headers()
    except (JoseError, ValueError, TypeError) as error:
        raise refused("it is no signed token") from error
    algorithm, kid = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise refused(f"it is signed with {algorithm!r}, which is not accepted")
    if kid is not None and not isinstance(kid, str):
        raise refused("it names its key oddly")
    return Header(algorithm, kid)


def key_for(keys: Sequence[Key], header: Header) -> Key | None:
    """The key that a token names, or the only one that fits if it names none."""
    fitting = [key for key in keys if isinstance(key, ALGORITHMS[header.algorithm])]
    if header.kid is not None:
        fitting = [key for key in fitting if key.kid == header.kid]
    return fitting[0] if len(fitting) == 1 else None


def subject_of(token: str, key: Key, header: Header, expected: Expected) -> str:
    """Whom a token is about. Raises LaeloError with SIGN_IN if anything is wrong with it."""
    try:
        claims = jwt.decode(token, key, algorithms=[header.algorithm]).claims
    except (JoseError, ValueError, TypeError) as error:
        raise refused("its signature is wrong") from error
    _check_parties(claims, expected)
    _check_times(claims, expected.now)
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode(errors="replace"), expected.nonce.encode()
    ):
        raise refused("it was made for another sign-in (nonce)")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise refused("it does not say whom it is about")
    return subject


def refused(why: str) -> LaeloError:
    """The sign-in failed because of the ID token."""
    return LaeloError(Code.SIGN_IN, f"the identity that came is not accepted: {why}")


def _check_parties(claims: dict[str, Any], expected: Expected) -> None:
    if claims.get("iss") not in _SPELLINGS.get(expected.issuer, (expected.issuer,)):
        raise refused("it is of another issuer")
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if expected.audience not in audiences:
        raise refused("it is for another audience")
    party = claims.get("azp")
    if (len(audiences) > 1 or party is not None) and party != expected.audience:
        raise refused("it was made for another party")


def _check_times(claims: dict[str, Any], now: float) -> None:
    expires, issued = _time(claims.get("exp")), _time(claims.get("iat"))
    begins = _time(claims.get("nbf", issued))
    if now >= expires + LEEWAY_SECONDS:
        raise refused("it has expired")
    if max(issued, begins) > now + LEEWAY_SECONDS:
        raise refused("it is not valid yet")
    if now - issued > LONGEST_AGE_SECONDS + LEEWAY_SECONDS:
        raise refused("it is too old")


def _time(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    # NaN is in no range, and an integer may be too large for any number with a point.
    if not number or not 0 <= value <= LATEST:
        raise refused("it does not say when it was made and until when it holds")
    return float(value)
