"""`GET /api/history`, `GET /api/replays/{table}/{match}` and, below that, `judgement`."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from laelo.archive.v1 import archive_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import is_id
from laelo_common.wire import replay as shapes
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from laelo_gateway.answers import address_of, refused, told
from laelo_gateway.domain.commands import NOBODY
from laelo_gateway.replays.counts import ReplayCounts
from laelo_gateway.replays.domain import judged, shown, spell
from laelo_gateway.replays.limits import ReplayLimits
from laelo_gateway.replays.ports import Archive, NamesByPerson
from laelo_gateway.replays.viewers import Viewers

ROWS: Final = 20
NONE_HERE: Final = "nothing is kept here of what is played"
SIGN_IN: Final = "whose matches? Sign in, or send a guest's token"
NOT_YET: Final = "this hand is not over, or it is not written down yet"
_WEEK: Final = re.compile(r"\d{4}-\d\d-\d\d")
_BEFORE: Final = re.compile(r"[0-9A-Za-z_-]{0,120}")
_NUMBER: Final = re.compile(r"[1-9]\d{0,5}")
RETRY_SECONDS: Final = 2

_log = logging.getLogger(__name__)

Answer = Callable[[Request], Awaitable[msgspec.Struct]]


class ReplayPages:
    """Anybody may read a match that could be watched; a history is for its own person."""

    def __init__(
        self, archive: Archive, names: NamesByPerson, viewers: Viewers, proxies: int
    ) -> None:
        self._archive = archive
        self._names = names
        self._viewers = viewers
        self._proxies = proxies
        self._limits = ReplayLimits()
        self.counts = ReplayCounts()

    def routes(self) -> list[Route]:
        """What the HTTP server serves."""
        return [
            Route("/api/history", self._serving(self.history)),
            Route("/api/replays/{table}/{match}", self._serving(self.replay)),
            Route(
                "/api/replays/{table}/{match}/judgement",
                self._serving(self.judgement),
                methods=["GET", "POST"],
            ),
        ]

    async def history(self, request: Request) -> shapes.History:
        """Matches of who asks, and of nobody else. Raises LaeloError."""
        wanted = _history_wanted(request)
        viewer = await self._viewers.of(request)
        if viewer is NOBODY:
            raise LaeloError(Code.SIGN_IN, SIGN_IN)
        self._limits.take_history(viewer.id)
        wanted.player = viewer.id
        answer = await self._archive.history(wanted)
        names = await self._names.of(shown.wanted_in_history(answer))
        self.counts.histories += 1
        return shown.history(answer, viewer.id, names)

    async def replay(self, request: Request) -> shapes.Replay:
        """A match; with `hand`, not before that hand is there. Raises LaeloError."""
        wanted = _replay_wanted(request)
        hand = int(_read(request, "hand", _NUMBER) or 0)
        unsaid = None
        try:
            wanted.viewer = (await self._viewers.of(request)).id
        except LaeloError as error:
            unsaid = error
            _log.debug("who asks is not known now: %s", error.code)
        try:
            answer = await self._archive.replay(wanted)
        except LaeloError as error:
            if unsaid is not None and error.code == Code.NOT_SEATED:
                raise unsaid from error
            raise
        if not answer.ended_ms and len(answer.hands) < hand:
            raise LaeloError(Code.TRY_LATER, NOT_YET)
        names = await self._names.of(shown.wanted_in_replay(answer))
        self.counts.replays += 1
        return shown.replay(answer, wanted.viewer, names)

    async def judgement(self, request: Request) -> shapes.Judgement:
        """What is known of the play in a match; POST lets it be judged. Raises LaeloError."""
        match = _replay_wanted(request)
        start = request.method == "POST"
        if start:
            self._limits.take_judgement(address_of(request, self._proxies))
        viewer = (await self._viewers.of(request)).id
        answer = await self._archive.judgement(
            archive_pb2.JudgementRequest(
                table=match.table, match=match.match, viewer=viewer, start=start
            )
        )
        names = await self._names.of(judged.wanted(answer))
        self.counts.judgements += 1
        return judged.judgement(answer, viewer, names)

    def _serving(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            try:
                self._limits.take_read(address_of(request, self._proxies))
                if not self._archive.is_configured:
                    raise LaeloError(Code.TRY_LATER, NONE_HERE)
                body: msgspec.Struct = await answer(request)
            except LaeloError as error:
                return refused(error, RETRY_SECONDS)
            return told(body)

        return serve


def _history_wanted(request: Request) -> archive_pb2.HistoryRequest:
    """What is asked for, whoever asks. Raises LaeloError."""
    query = request.query_params
    kind, partner = query.get("kind", ""), query.get("partner", "")
    if kind and kind not in spell.KINDS:
        raise LaeloError(Code.BAD_REQUEST, f"`kind` is one of {', '.join(spell.KINDS)}")
    if partner and not is_id(partner):
        raise LaeloError(Code.BAD_REQUEST, "`partner` is the one of a row")
    return archive_pb2.HistoryRequest(
        partner=partner,
        kind=spell.KINDS.get(kind, archive_pb2.KIND_UNSPECIFIED),
        week=_read(request, "week", _WEEK),
        before=_read(request, "before", _BEFORE),
        limit=ROWS,
    )


def _replay_wanted(request: Request) -> archive_pb2.ReplayRequest:
    """Which match is asked for. Raises LaeloError."""
    table, match = request.path_params["table"], request.path_params["match"]
    if not is_id(table) or not _NUMBER.fullmatch(match):
        raise LaeloError(Code.UNKNOWN_MATCH)
    return archive_pb2.ReplayRequest(table=table, match=int(match))


def _read(request: Request, name: str, form: re.Pattern[str]) -> str:
    """A parameter of this form, or none. Raises LaeloError."""
    text = request.query_params.get(name, "")
    if text and not form.fullmatch(text):
        raise LaeloError(Code.BAD_REQUEST, f"`{name}` is not of the documented form")
    return text
