"""`GET /api/tables/{code}`: a table as somebody sees it who may still decide to join."""

from typing import Final

from laelo_common.errors import LaeloError
from starlette.requests import Request
from starlette.responses import Response

from laelo_gateway.answers import address_of, refused, told
from laelo_gateway.lookups import Lookups

RETRY_SECONDS: Final = 5


class TablesByCode:
    """Who asks is known by the address alone."""

    def __init__(self, lookups: Lookups, proxies: int) -> None:
        self._lookups = lookups
        self._proxies = proxies

    async def answer(self, request: Request) -> Response:
        """`Found` as JSON, or `Refused` with the status that goes with it."""
        try:
            found = await self._lookups.find(
                request.path_params["code"], address_of(request, self._proxies)
            )
        except LaeloError as error:
            return refused(error, RETRY_SECONDS)
        return told(found)
