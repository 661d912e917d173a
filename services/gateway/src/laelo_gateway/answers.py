"""What the gateway's questions over HTTP have in common: who asks, JSON, refusals."""

from collections.abc import Mapping
from typing import Final

import msgspec
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import server
from starlette.requests import Request
from starlette.responses import Response

from laelo_gateway.domain.peer import peer_of

STATUS: Final = {
    Code.BAD_REQUEST: 400,
    Code.BAD_NICKNAME: 400,
    Code.SIGN_IN: 401,
    Code.NOT_SEATED: 403,
    Code.UNKNOWN_TABLE: 404,
    Code.UNKNOWN_MATCH: 404,
    Code.UNKNOWN_CHAMPIONSHIP: 404,
    Code.NAME_TAKEN: 409,
    Code.IN_CHAMPIONSHIP: 409,
    Code.TOO_FAST: 429,
    Code.TRY_LATER: 503,
    Code.OVERLOADED: 503,
}
"""With which a refusal is answered; what is not here is a fault of ours."""
_HEADERS: Final = {"cache-control": "no-store"}
"""Most of them tell who asks something of their own, so no cache may keep any."""
_LATER: Final = (429, 503)


def told(body: msgspec.Struct) -> Response:
    """An answer as JSON."""
    return _json(body, 200, _HEADERS)


def refused(error: LaeloError, retry_seconds: int) -> Response:
    """`Refused` as JSON, with the status that goes with it and, perhaps, when to ask again."""
    status = STATUS.get(error.code, 500)
    later = {"retry-after": str(retry_seconds)} if status in _LATER else {}
    return _json(server.Refused(error.code, error.message), status, _HEADERS | later)


def worded(body: server.Refused, status: int, headers: Mapping[str, str] = {}) -> Response:
    """A refusal by HTTP itself, under a status of its own."""
    return _json(body, status, _HEADERS | dict(headers))


def address_of(request: Request, proxies: int) -> str:
    """The address that asks, behind so many proxies of ours."""
    host = request.client.host if request.client is not None else ""
    forwarded = ",".join(request.headers.getlist("x-forwarded-for")) or None
    return peer_of(host, forwarded, proxies)


def _json(body: msgspec.Struct, status: int, headers: dict[str, str]) -> Response:
    return Response(msgspec.json.encode(body), status, headers, "application/json")
