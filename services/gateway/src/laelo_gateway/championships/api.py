"""`/api/championships`, `/api/brackets/{id}` and `/api/ranking`."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import msgspec
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import is_id
from laelo_common.wire import championship as shapes
from laelo_common.wire import http
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from laelo_gateway.answers import address_of, refused, told
from laelo_gateway.championships.assembly import Championships
from laelo_gateway.championships.domain.bracket import STAGES, TIERS, is_running
from laelo_gateway.championships.hall import NONE_HERE
from laelo_gateway.championships.ports import Identify

LISTED: Final = 30
ROWS: Final = 100
_WEEK: Final = re.compile(r"\d{4}-\d\d-\d\d")
RETRY_SECONDS: Final = 5

_log = logging.getLogger(__name__)

Answer = Callable[[Request], Awaitable[msgspec.Struct]]


class ChampionshipPages:
    """Anybody may read; who asks with a cookie is told of their own place too."""

    def __init__(self, parts: Championships, identify: Identify, proxies: int) -> None:
        self._parts = parts
        self._identify = identify
        self._proxies = proxies

    def routes(self) -> list[Route]:
        """What the HTTP server serves."""
        return [
            Route("/api/championships", self._serving(self.championships)),
            Route("/api/brackets/{id}", self._serving(self.bracket)),
            Route("/api/ranking", self._serving(self.ranking)),
        ]

    async def championships(self, _: Request) -> http.Championships:
        """Those that run, and the last that have ended. Raises LaeloError."""
        listed = {cup.championship.id: cup.championship for cup in self._parts.cups.running}
        for championship in await self._parts.tournament.list(LISTED):
            # What is followed is never older than what is read from a list.
            listed.setdefault(championship.id, championship)
        rows = sorted(listed.values(), key=lambda one: (-one.started_ms, one.id))
        return http.Championships(
            running=tuple(_listed(one) for one in rows if is_running(one)),
            ended=tuple(_listed(one) for one in rows if not is_running(one)),
        )

    async def bracket(self, request: Request) -> shapes.Bracket:
        """One championship, with `mine` for who is in it. Raises LaeloError."""
        name = request.path_params["id"]
        if not is_id(name):
            raise LaeloError(Code.UNKNOWN_CHAMPIONSHIP)
        cup = await self._parts.brackets.load(name)
        return self._parts.brackets.shown(cup, await self._player(request))

    async def ranking(self, request: Request) -> http.Ranking:
        """A week's ranking. Raises LaeloError."""
        week = request.query_params.get("week", "")
        if week and not _WEEK.fullmatch(week):
            raise LaeloError(Code.BAD_REQUEST, "a week is its Monday, such as 2026-11-30")
        player = await self._player(request)
        found = await self._parts.tournament.rank(week, ROWS, player)
        ranks = [*found.rows, *([found.own] if found.HasField("own") else [])]
        names = await self._parts.names.of(rank.player for rank in ranks)
        if any(rank.player not in names for rank in ranks):
            raise LaeloError(Code.TRY_LATER, "names are out of reach at the moment")
        return http.Ranking(
            week=found.week,
            weeks=tuple(found.weeks),
            rows=tuple(_row(rank, names, player) for rank in found.rows),
            own=_row(found.own, names, player) if player and found.HasField("own") else None,
        )

    async def _player(self, request: Request) -> str:
        """Who asks; "" = nobody in particular, or nobody can say so now: then what all may see
        is better than nothing.
        """
        try:
            person = await self._identify(request)
        except LaeloError as error:
            _log.debug("who asks is not known now: %s", error.code)
            return ""
        return "" if person is None or person.guest else person.id

    def _serving(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            try:
                self._parts.limits.take_read(address_of(request, self._proxies))
                if not self._parts.tournament.is_configured:
                    raise LaeloError(Code.TRY_LATER, NONE_HERE)
                body: msgspec.Struct = await answer(request)
            except LaeloError as error:
                return refused(error, RETRY_SECONDS)
            return told(body)

        return serve


def _listed(championship: tournament_pb2.Championship) -> http.Listed:
    return http.Listed(
        championship.id,
        TIERS[championship.tier],
        STAGES[championship.stage],
        championship.started_ms,
        championship.ended_ms or None,
    )


def _row(rank: tournament_pb2.Rank, names: Mapping[str, str], player: str) -> http.RankRow:
    name = names.get(rank.player, "")
    own = bool(player) and rank.player == player
    return http.RankRow(rank.rank, name, rank.points, rank.championships, own)
