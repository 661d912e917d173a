"""Commands to championships, and questions about them."""

from collections.abc import Iterable
from typing import Final

from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import is_id
from laelo_common.log import Aggregate, Kind, Recorded, Stale, append_once
from laelo_common.telemetry import current

from laelo_tournament.domain.commands import AnyCommand, Start
from laelo_tournament.domain.compose import Stamp, compose
from laelo_tournament.domain.decide import decide
from laelo_tournament.domain.outcome import Facts, Refusal
from laelo_tournament.domain.public import entries, public, without_matches
from laelo_tournament.domain.ranking import Row
from laelo_tournament.domain.weeks import begins_ms, week_of
from laelo_tournament.mirror import NOTHING, Folded, Mirror, fold, load
from laelo_tournament.ports import World

TRIES: Final = 3
"""How often a command is decided anew when others come first."""

MOST_LISTED: Final = 100
MOST_RANKED: Final = 1000
_LISTED: Final = 20
_RANKED: Final = 100


class Counts:
    """What happened here; read by observable instruments."""

    __slots__ = ("anew", "commits", "refused")

    def __init__(self) -> None:
        self.commits = 0
        self.refused = 0
        self.anew = 0


class Championships:
    """All championships as this replica serves them; what another one stores is as good."""

    def __init__(self, world: World, mirror: Mirror) -> None:
        self._world = world
        self._mirror = mirror
        self.counts = Counts()

    async def run(self, championship: str, command: AnyCommand) -> Refusal | None:
        """Do a command once, however often it comes; None if it was done.

        Raises LaeloError or LogError when it may or may not have been done.
        """
        folded = await self._before(championship, command)
        for _ in range(TRIES):
            result = await self._attempt(championship, folded, command)
            if not isinstance(result, Folded):
                return result
            folded = result
            self.counts.anew += 1
        raise LaeloError(Code.TRY_LATER, "others came first each time; it was not done")

    async def get(self, championship: str) -> tournament_pb2.GetResponse:
        """One championship. Raises LaeloError and LogError."""
        _check_id(championship)
        folded = self._mirror.get(championship) or await load(self._world.log, championship)
        state = folded.state
        if state.version:
            return tournament_pb2.GetResponse(championship=public(state), entries=entries(state))
        record = await self._world.records.championship(championship)
        if record is None:
            raise LaeloError(Code.UNKNOWN_CHAMPIONSHIP)
        return tournament_pb2.GetResponse(championship=record.championship, entries=record.entries)

    async def listed(
        self, request: tournament_pb2.ListRequest
    ) -> list[tournament_pb2.Championship]:
        """Championships, the newest first. Raises LaeloError."""
        limit = min(request.limit or _LISTED, MOST_LISTED)
        found = self._in_memory(request)
        if not request.running and len(found) < limit:
            older = await self._world.records.ended(limit, request.player, request.before_ms)
            found = {championship.id: championship for championship in older} | found
        order = sorted(found.values(), key=lambda one: (one.started_ms, one.id), reverse=True)
        return order[:limit]

    async def rank(self, request: tournament_pb2.RankRequest) -> tournament_pb2.RankResponse:
        """The ranking of a week. Raises LaeloError."""
        week = request.week or week_of(self._world.now_ms())
        if begins_ms(week) is None:
            raise LaeloError(Code.BAD_REQUEST, "a week is named by its Monday, as 2026-11-30")
        limit = min(request.limit or _RANKED, MOST_RANKED)
        standing = await self._world.records.standing(week, limit, request.player)
        return tournament_pb2.RankResponse(
            week=week,
            rows=[_rank(row) for row in standing.rows],
            own=None if standing.own is None else _rank(standing.own),
            weeks=standing.weeks,
        )

    async def _before(self, championship: str, command: AnyCommand) -> Folded:
        """What the command is decided by at first."""
        _check_id(championship)
        folded = self._mirror.get(championship)
        if folded is not None:
            return folded
        if isinstance(command, Start):
            return NOTHING  # if it is there all the same, the log will say so
        return await load(self._world.log, championship)

    async def _attempt(
        self, championship: str, before: Folded, command: AnyCommand
    ) -> Refusal | Folded | None:
        """Decide and append; the championship as it is now if others came first."""
        world = self._world
        seed = world.seed() if isinstance(command, Start) else b""
        facts = Facts(world.now_ms(), world.pause_ms, seed)
        decision = decide(before.state, command, facts)
        if isinstance(decision, Refusal):
            self.counts.refused += 1
            return decision
        if not decision:
            return None
        stamp = Stamp(championship, before.digest, facts.now_ms, current.get())
        data = compose(before.state, command, decision, stamp).SerializeToString()
        aggregate = Aggregate(Kind.CHAMPIONSHIP, championship)
        try:
            with world.telemetry.part("log.append", stream="TRN"):
                stored = await append_once(world.log, aggregate, data, before.sequence)
        except Stale as stale:
            return self._take_in(before, stale.tail)
        tail = stored.tail or [Recorded(stored.sequence, aggregate.subject, data, facts.now_ms)]
        self._take_in(before, tail)
        self.counts.commits += 1
        return None

    def _take_in(self, folded: Folded, tail: Iterable[Recorded]) -> Folded:
        for recorded in tail:
            folded = fold(folded, recorded)
            self._mirror.take_in(recorded)
        return folded

    def _in_memory(
        self, request: tournament_pb2.ListRequest
    ) -> dict[str, tournament_pb2.Championship]:
        mirror, player, before_ms = self._mirror, request.player, request.before_ms
        held = list(mirror.running.values())
        if not request.running:
            held += mirror.recent.values()
        states = [folded.state for folded in held]
        return {
            state.id: without_matches(state)
            for state in states
            if (not player or player in state.players)
            and (not before_ms or state.started_ms < before_ms)
        }


def _check_id(championship: str) -> None:
    if not is_id(championship):
        raise LaeloError(Code.BAD_REQUEST, "a championship's id is a ULID")


def _rank(row: Row) -> tournament_pb2.Rank:
    return tournament_pb2.Rank(
        rank=row.rank, player=row.player, points=row.points, championships=row.championships
    )
