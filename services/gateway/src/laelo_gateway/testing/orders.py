"""Orders of operators in memory."""

from laelo_common.errors import Code, LaeloError

from laelo_gateway.orders.store import Announcement, Ban, Holding


class MemoryOrders:
    """An `OrderStore` that can be away."""

    def __init__(self) -> None:
        self.bans: dict[str, Ban] = {}
        self.announced: Announcement | None = None
        self.is_away = False
        self._changes = 0

    def ban(self, person: str, ban: Ban | None) -> None:
        """Shut somebody out, or let them in again."""
        self.bans.pop(person, None)
        if ban is not None:
            self.bans[person] = ban
        self._changes += 1

    def announce(self, announcement: Announcement | None) -> None:
        """Tell everybody this from now on."""
        self.announced = announcement
        self._changes += 1

    async def changes(self) -> int:
        """How often orders have changed."""
        self._check()
        return self._changes

    async def in_force(self) -> Holding:
        """All that holds."""
        self._check()
        return Holding(dict(self.bans), self.announced)

    def _check(self) -> None:
        if self.is_away:
            raise LaeloError(Code.TRY_LATER, "away")
