"""Which pages may open a WebSocket: those of this host, and listed ones."""

from collections.abc import Iterable
from urllib.parse import urlsplit


class Origins:
    """The list of settings; `*` allows every page."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(origin.rstrip("/").lower() for origin in allowed)

    def allow(self, origin: str | None, host: str) -> bool:
        """Whether a page of `origin` may connect to `host`. Programs send no origin."""
        if origin is None or "*" in self._allowed:
            return True
        parts = urlsplit(origin.lower())
        if parts.scheme in ("http", "https") and parts.netloc == host.lower() and host:
            return True
        return origin.rstrip("/").lower() in self._allowed
