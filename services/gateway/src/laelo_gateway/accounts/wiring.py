"""From settings to everything that people with accounts need."""

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import httpx
from laelo_common.runtime import SetupError
from laelo_common.settings import Secret
from starlette.requests import Request
from starlette.routing import BaseRoute

from laelo_gateway.accounts.api import AccountApi, Office, Ties
from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.development import Client, DevelopmentIssuer
from laelo_gateway.accounts.pages import Desk, SignInPages
from laelo_gateway.accounts.pending import Seal
from laelo_gateway.accounts.provider import Provider, Registration
from laelo_gateway.accounts.sessions import Sessions
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.store import AccountStore
from laelo_gateway.limits import Limiters

DEVELOPMENT: Final = "laelo-development"
GATEWAY: Final = "LAELO_GATEWAY_"

_log = logging.getLogger(__name__)


class SignInSettings(Protocol):
    """What has to be known to let people sign in at a site."""

    @property
    def local(self) -> bool:
        """Whether all of it is on one machine."""

    @property
    def proxies(self) -> int:
        """Proxies of ours before it."""

    @property
    def public_url(self) -> str:
        """How people reach the site."""

    @property
    def issuer(self) -> str:
        """Who vouches for them."""

    @property
    def google_client_id(self) -> str:
        """What the issuer knows us by."""

    @property
    def google_client_secret(self) -> Secret | None:
        """What it knows that we are who we say."""


class Doors(NamedTuple):
    """How people come in: with whom they sign in, and the issuer if that is our own."""

    site: Site
    provider: Provider | None
    seal: Seal
    issuer: DevelopmentIssuer | None = None
    clock: Callable[[], float] = time.time


class Accounts(NamedTuple):
    """What the rest of the gateway needs of people with accounts."""

    sessions: Sessions
    api: AccountApi
    """`person_of(request)` says who asks."""
    routes: list[BaseRoute]


def doors_of(settings: SignInSettings, prefix: str = GATEWAY) -> Doors:
    """Google if we are its client; else, on one machine, the development provider; else none.
    Raises SetupError, naming settings that begin with `prefix`.
    """
    url = _public_url(settings, prefix)
    site = Site(url, settings.proxies)
    secret = settings.google_client_secret
    if settings.google_client_id:
        if secret is None or not secret.reveal() or not url:
            words = f"{prefix}GOOGLE_CLIENT_ID needs {prefix}GOOGLE_CLIENT_SECRET and"
            raise SetupError(f"{words} {prefix}PUBLIC_URL, too")
        known_as = Registration(
            "google", _issuer(settings, prefix), settings.google_client_id, secret, settings.local
        )
        # An issuer on this machine is reached past the proxy of the house.
        http = httpx.AsyncClient(trust_env=known_as.issuer.startswith("https://"))
        return Doors(site, Provider(known_as, http), Seal(secret.reveal().encode()))
    if not settings.local:
        return Doors(site, None, Seal(secrets.token_bytes(32)))
    _log.warning("local mode: whoever reaches this gateway may sign in as anybody")
    return development(site)


def development(site: Site, kind: type[DevelopmentIssuer] = DevelopmentIssuer) -> Doors:
    """The same flow with an issuer of our own, that believes whatever people say."""
    secret = secrets.token_urlsafe(32)

    def redirects(address: str, request: Request) -> bool:
        return address == site.callback(request)

    issuer = kind(Client(DEVELOPMENT, secret, redirects))
    known_as = Registration("development", issuer.name, DEVELOPMENT, Secret(secret), local=True)
    provider = Provider(known_as, issuer.http(), issuer.clock)
    return Doors(site, provider, Seal(secrets.token_bytes(32)), issuer, issuer.clock)


def accounts_of(doors: Doors, store: AccountStore, limits: Limiters, ties: Ties) -> Accounts:
    """All parts, and where they are served."""
    cookies = Cookies(secure=doors.site.is_secure)
    sessions = Sessions(store, cookies)
    provider = doors.provider
    desk = Desk(provider, sessions, cookies, doors.seal, doors.site, limits.sign_ins, doors.clock)
    kind = provider.kind if provider is not None else None
    office = Office(sessions, store, cookies, doors.site, limits.accounts, kind, ties)
    api = AccountApi(office)
    routes = [*SignInPages(desk).routes(), *api.routes()]
    if doors.issuer is not None:
        routes.append(doors.issuer.mount())
    return Accounts(sessions, api, routes)


def _public_url(settings: SignInSettings, prefix: str) -> str:
    """How the site's addresses begin, without a slash at the end. Raises SetupError."""
    url = settings.public_url.rstrip("/")
    if url and not _is_site(url, ("https", "http") if settings.local else ("https",)):
        words = f"{prefix}PUBLIC_URL is {settings.public_url!r}: it has to be like"
        more = "" if settings.local else f" (http needs {prefix}LOCAL=true)"
        raise SetupError(f"{words} https://example.org{more}")
    return url.lower()


def _is_site(url: str, schemes: Sequence[str]) -> bool:
    """Whether this is how addresses of a site begin."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in schemes and parts.netloc != "" and not (parts.path or parts.query)


def _issuer(settings: SignInSettings, prefix: str) -> str:
    if not settings.issuer.startswith("https://") and not settings.local:
        raise SetupError(f"{prefix}ISSUER is {settings.issuer!r}: it has to begin with https://")
    return settings.issuer
