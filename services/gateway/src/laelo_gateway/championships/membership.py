"""What accounts have to know of championships: before one is deleted, and to hand out its data."""

from typing import Any, Final

from laelo.matchmaking.v1 import matchmaking_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.championships.cups import Cups
from laelo_gateway.championships.domain.bracket import STAGES, TIERS, is_placed
from laelo_gateway.championships.names import Names
from laelo_gateway.championships.ports import Matchmaking, Tournament

UNSURE: Final = "it cannot be said now whether you are in a championship: try again in a moment"


class Membership:
    """Every method raises LaeloError, with TRY_LATER while it cannot be said for sure."""

    def __init__(
        self, matchmaking: Matchmaking, tournament: Tournament, cups: Cups, names: Names
    ) -> None:
        self._matchmaking = matchmaking
        self._tournament = tournament
        self._cups = cups
        self._names = names

    async def in_championship(self, player: str) -> bool:
        """Whether the player is in a championship that their team is not yet out of (R34)."""
        if not self._tournament.is_configured:
            return False
        if self._is_in(player):
            return True
        # Between the call and the draw only the queue's log knows who is in it.
        pending = await self._matchmaking.pending()
        if not self._tournament.is_live or any(self._cups.find(name) is None for name in pending):
            raise LaeloError(Code.TRY_LATER, UNSURE)
        return self._is_in(player)

    async def leave_queue(self, player: str) -> None:
        """Take out of the queue whose account is going to be deleted."""
        if self._tournament.is_configured:
            why = matchmaking_pb2.LEAVING_ERASED
            await self._matchmaking.leave(player, f"{player}-{new_id()}", why)

    async def send_away(self, player: str) -> None:
        """Take out of the queue who is shut out."""
        if self._tournament.is_configured:
            why = matchmaking_pb2.LEAVING_WISH
            await self._matchmaking.leave(player, f"{player}-{new_id()}", why)

    async def history(self, player: str) -> list[dict[str, Any]]:
        """The player's championships as JSON. While one runs, who the player is in it is told on
        its own page, and the place only once there is one.
        """
        if not self._tournament.is_configured:
            return []
        found = await self._tournament.history(player)
        return [_row(championship, player) for championship in found]

    def forget_name(self, player: str) -> None:
        """Show the old name no more, other gateways within a minute."""
        self._names.forget(player)

    def _is_in(self, player: str) -> bool:
        return any(cup.is_in(player) for cup in self._cups.running)


def _row(championship: Any, player: str) -> dict[str, Any]:
    row = {
        "id": championship.id,
        "tier": TIERS[championship.tier],
        "stage": STAGES[championship.stage],
        "started": championship.started_ms,
        "ended": championship.ended_ms or None,
    }
    for team in championship.teams:
        if is_placed(team) and player in team.players:
            row["place"] = [team.best, team.worst]
            row["points"] = team.points
            row["animal"] = dict(zip(team.players, team.animals, strict=False))[player]
    return row
