"""Which pages may open a WebSocket: those of this host, and listed ones."""

from collections.abc import Iterable
from urllib.parse import urlsplit


class Origins:
    """The list of settings; `*` allows every page."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(origin.rstrip("/").lower() for origin in allowed)

    def allow(self, origin: str | None, host: str) -> bool:
        """Whether a page of `origin` may connect to `host`. Programs send no origin."""
        return "*" in self._allowed or self.trust(origin, host)

    def trust(self, origin: str | None, host: str) -> bool:
        """Whether it may also act for the person whose cookies come with it: `*` is not enough."""
        if origin is None:
            return True
        return _is_of(origin.lower(), host.lower()) or origin.rstrip("/").lower() in self._allowed


def _is_of(origin: str, host: str) -> bool:
    """Whether this is the origin of a page of that host; programs may send any nonsense."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc == host and host != ""
