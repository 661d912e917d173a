"""The notice board in memory, for tests."""

import asyncio

from laelo_common.log.port import Unavailable, token


class MemoryBoard:
    """One board that all replicas in a process share; set `reachable` to False for an outage."""

    def __init__(self) -> None:
        self._notices: dict[str, bytes] = {}
        self.reachable = True

    def post(self, key: str, data: bytes) -> None:
        """Put a notice up, in place of the one under that key."""
        self.withdraw(key)
        if self.reachable:
            self._notices[token(key)] = data

    def withdraw(self, key: str) -> None:
        """Take a notice down."""
        if self.reachable:
            self._notices.pop(token(key), None)

    async def notices(self, limit: int) -> list[bytes]:
        """The notices that are up, the one that has been there longest first."""
        await asyncio.sleep(0)
        if not self.reachable:
            raise Unavailable("out of reach")
        return list(self._notices.values())[:limit]
