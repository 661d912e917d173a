"""What a request says of where it comes from and of the address that we are known by."""

import asyncio
import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from laelo_common.errors import Code, LaeloError
from starlette.requests import Request

from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.peer import limited_as, peer_of
from laelo_gateway.origin import Origins

CALLBACK: Final = "/auth/callback"

_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_OWN_PAGE: Final = ("same-origin", "none")


class Site(NamedTuple):
    """`public_url` is empty only on one machine, where we are whatever we are asked as."""

    public_url: str = ""
    proxies: int = 0

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by https."""
        return self.public_url.startswith("https://")

    def base(self, request: Request) -> str:
        """How the site's addresses begin. Raises LaeloError."""
        if self.public_url:
            return self.public_url
        host = request.headers.get("host", "")
        if not _HOST.fullmatch(host):
            raise LaeloError(Code.BAD_REQUEST, "the request does not say which host it is for")
        return f"{request.url.scheme}://{host}"

    def callback(self, request: Request) -> str:
        """Where the issuer sends people back to."""
        return self.base(request) + CALLBACK

    def is_own_page(self, request: Request) -> bool:
        """Whether a page of this very site asks, which only browsers can vouch for."""
        origin = request.headers.get("origin")
        if origin is not None:
            host = urlsplit(self.public_url).netloc or request.headers.get("host", "")
            return Origins().allow(origin, host)
        return request.headers.get("sec-fetch-site") in _OWN_PAGE

    def peer(self, request: Request) -> str:
        """The address that the request comes from."""
        client = request.client.host if request.client is not None else ""
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")) or None
        return peer_of(client, forwarded, self.proxies)

    def limit(self, request: Request, buckets: Buckets) -> None:
        """Count one more from this address. Raises LaeloError with TOO_FAST."""
        peer = limited_as(self.peer(request))
        if not buckets.take(peer, asyncio.get_running_loop().time()):
            words = "too many requests come from this address: try again in a moment"
            raise LaeloError(Code.TOO_FAST, words)
