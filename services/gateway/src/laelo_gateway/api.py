"""`GET /api/tables/{code}`: a table as somebody sees it who may still decide to join."""

from typing import Final

import msgspec
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import server
from starlette.requests import Request
from starlette.responses import Response

from laelo_gateway.domain.peer import peer_of
from laelo_gateway.lookups import Lookups

_STATUS: Final = {
    Code.BAD_REQUEST: 400,
    Code.UNKNOWN_TABLE: 404,
    Code.TOO_FAST: 429,
    Code.TRY_LATER: 503,
}
_HEADERS: Final = {"cache-control": "no-store"}
_LATER: Final = {"retry-after": "5"}


class TablesByCode:
    """Who asks is known by the address alone."""

    def __init__(self, lookups: Lookups, proxies: int) -> None:
        self._lookups = lookups
        self._proxies = proxies

    async def answer(self, request: Request) -> Response:
        """`Found` as JSON, or `Refused` with the status that goes with it."""
        try:
            found = await self._lookups.find(request.path_params["code"], self._peer(request))
        except LaeloError as error:
            status = _STATUS.get(error.code, 500)
            headers = _HEADERS | (_LATER if status in (429, 503) else {})
            return _json(server.Refused(error.code, error.message), status, headers)
        return _json(found, 200, _HEADERS)

    def _peer(self, request: Request) -> str:
        host = request.client.host if request.client is not None else ""
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")) or None
        return peer_of(host, forwarded, self._proxies)


def _json(body: msgspec.Struct, status: int, headers: dict[str, str]) -> Response:
    return Response(msgspec.json.encode(body), status, headers, "application/json")
