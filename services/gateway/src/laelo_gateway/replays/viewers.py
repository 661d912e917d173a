"""Who asks over HTTP: by the session's cookie, or by a guest's token."""

from typing import Final

from starlette.requests import Request

from laelo_gateway.domain.commands import NOBODY, Person
from laelo_gateway.replays.ports import Guests, Identify

LONGEST_TOKEN: Final = 128
_BEARER: Final = "bearer "


class Viewers:
    """The cookie goes before the token, as when a socket says hello."""

    def __init__(self, identify: Identify, guests: Guests) -> None:
        self._identify = identify
        self._guests = guests

    async def of(self, request: Request) -> Person:
        """Who asks; NOBODY if neither tells. Raises LaeloError."""
        person = await self._identify(request)
        token = _token(request.headers.get("authorization", ""))
        if person is None and token:
            person = await self._guests.find(token)
        return person or NOBODY


def _token(header: str) -> str:
    if not header.lower().startswith(_BEARER):
        return ""
    token = header[len(_BEARER) :].strip()
    return token if len(token) <= LONGEST_TOKEN else ""
