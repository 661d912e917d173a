"""From settings to everything that people with accounts need."""

import logging
import secrets
import time
from collections.abc import Callable
from typing import Final, NamedTuple
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
from laelo_gateway.settings import GatewaySettings

DEVELOPMENT: Final = "laelo-development"
_PREFIX: Final = "LAELO_GATEWAY_"

_log = logging.getLogger(__name__)


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


def doors_of(settings: GatewaySettings) -> Doors:
    """Google if we are its client; else, on one machine, the development provider; else none.
    Raises SetupError.
    """
    url = _public_url(settings)
    site = Site(url, settings.proxies)
    secret = settings.google_client_secret
    if settings.google_client_id:
        if secret is None or not secret.reveal() or not url:
            words = f"{_PREFIX}GOOGLE_CLIENT_ID needs {_PREFIX}GOOGLE_CLIENT_SECRET and"
            raise SetupError(f"{words} {_PREFIX}PUBLIC_URL, too")
        known_as = Registration(
            "google", _issuer(settings), settings.google_client_id, secret, settings.local
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


def _public_url(settings: GatewaySettings) -> str:
    """How the site's addresses begin, without a slash at the end. Raises SetupError."""
    url = settings.public_url.rstrip("/")
    parts = urlsplit(url)
    schemes = ("https", "http") if settings.local else ("https",)
    if url and (parts.scheme not in schemes or not parts.netloc or parts.path or parts.query):
        words = f"{_PREFIX}PUBLIC_URL is {settings.public_url!r}: it has to be like"
        more = "" if settings.local else f" (http needs {_PREFIX}LOCAL=true)"
        raise SetupError(f"{words} https://example.org{more}")
    return url.lower()


def _issuer(settings: GatewaySettings) -> str:
    if not settings.issuer.startswith("https://") and not settings.local:
        raise SetupError(f"{_PREFIX}ISSUER is {settings.issuer!r}: it has to begin with https://")
    return settings.issuer
