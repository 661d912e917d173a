"""A sign-in under way, as the browser that began it remembers it: sealed, for ten minutes.

It is bound to the browser by the cookie that it is kept in, so that nobody can be made to
finish a sign-in that somebody else began.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Final

import msgspec

from laelo_gateway.accounts.cookies import SIGN_IN_SECONDS

LONGEST_BACK: Final = 512
_OWN: Final = ("/auth/", "/api/", "/dev/")
"""No pages to come back to."""
_ODD: Final = frozenset('\\ "<>')


class Pending(msgspec.Struct, frozen=True):
    """What the callback has to match, and where the person wants to be then."""

    state: str
    nonce: str
    verifier: str
    back: str
    began: int

    @classmethod
    def begin(cls, back: str, now: float) -> "Pending":
        """A new sign-in; `now` in seconds since 1970 UTC."""
        return cls(
            state=secrets.token_urlsafe(24),
            nonce=secrets.token_urlsafe(24),
            verifier=secrets.token_urlsafe(48),
            back=safe_path(back),
            began=int(now),
        )


class Seal:
    """Makes text of it that only we can make. All gateways of a house have the same key."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(b"laelo sign-in 1\0" + key).digest()

    def close(self, pending: Pending) -> str:
        """The text for the cookie."""
        body = base64.urlsafe_b64encode(msgspec.json.encode(pending))
        return f"{body.decode()}.{self._mac(body)}"

    def open(self, sealed: str, now: float) -> Pending | None:
        """What was sealed; None if it was not by us, or too long ago."""
        body, _, mac = sealed.partition(".")
        if not hmac.compare_digest(mac.encode(), self._mac(body.encode()).encode()):
            return None
        try:
            pending = msgspec.json.decode(base64.urlsafe_b64decode(body), type=Pending)
        except (msgspec.DecodeError, binascii.Error):
            return None
        return pending if 0 <= now - pending.began < SIGN_IN_SECONDS else None

    def _mac(self, body: bytes) -> str:
        return hmac.new(self._key, body, hashlib.sha256).hexdigest()


def safe_path(back: str) -> str:
    r"""A page of ours; the first one if it is none.

    Browsers take `//host` and `/\host` for other sites, and leave control characters out.
    """
    is_path = back.startswith("/") and not back.startswith(("//", *_OWN))
    is_plain = back.isascii() and back.isprintable() and not _ODD.intersection(back)
    return back if is_path and is_plain and len(back) <= LONGEST_BACK else "/"
