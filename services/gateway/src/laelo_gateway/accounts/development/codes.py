"""Codes that an issuer has given out: each good once, soon, and for who began."""

import secrets
from typing import Final, NamedTuple

LIFE_SECONDS: Final = 60.0
MOST: Final = 10_000


class Grant(NamedTuple):
    """What a code stands for."""

    subject: str
    redirect_uri: str
    nonce: str
    challenge: str
    at: float


class Codes:
    """The codes that nobody has redeemed yet."""

    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}

    def give(self, grant: Grant) -> str:
        """A code for the grant."""
        code = secrets.token_urlsafe(24)
        self._grants[code] = grant
        if len(self._grants) > MOST:
            del self._grants[next(iter(self._grants))]
        return code

    def take(self, code: str, now: float) -> Grant | None:
        """What it stood for; None if it is unknown, used, or too old."""
        grant = self._grants.pop(code, None)
        return grant if grant is not None and now - grant.at <= LIFE_SECONDS else None
