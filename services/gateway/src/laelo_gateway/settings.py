"""What the gateway can be told."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from laelo_common.settings import Secret, ServiceSettings, setting

from laelo_gateway.accounts.id_token import GOOGLE


@dataclass(frozen=True, kw_only=True)
class GatewaySettings(ServiceSettings):
    """Read from `LAELO_GATEWAY_<NAME>`."""

    port: int = setting(
        0, low=0, high=65535, text="port of /livez, /readyz and /metrics, 0 = any free one"
    )
    http_port: int = setting(
        8080, low=0, high=65535, text="port of the page and of /ws, 0 = any free one"
    )
    table_addresses: tuple[str, ...] = setting(
        text="replicas of the table service, host:port; a host may stand for many replicas"
    )
    matchmaking_addresses: tuple[str, ...] = setting(
        (), text="replicas of the matchmaking service, host:port; none = no championships"
    )
    tournament_addresses: tuple[str, ...] = setting(
        (), text="replicas of the tournament service, host:port; none = no championships"
    )
    archive_addresses: tuple[str, ...] = setting(
        (), text="replicas of the archive service, host:port; none = no histories, no replays"
    )
    pg_dsn: Secret = setting(text="PostgreSQL for guests and sessions, postgresql://…")
    pg_connections: int = setting(8, low=1, high=200, text="most connections to PostgreSQL")
    web_dist: Path | None = setting(None, text="folder of the built client")
    origins: tuple[str, ...] = setting(
        (), text="pages of other hosts that may connect, such as https://example.org; * = all"
    )
    rpc: Literal["stream", "unary"] = setting(
        "stream", text="how tables are asked; unary only to measure"
    )
    proxies: int = setting(
        0, low=0, high=9, text="proxies of ours before it, whose X-Forwarded-For is believed"
    )
    rate: float = setting(200.0, low=1, text="frames a second that one person may send")
    burst: float = setting(400.0, low=1, text="frames that one person may send at once")
    guest_rate: float = setting(20.0, low=0.01, text="new guests a second from one address")
    guest_burst: float = setting(3000.0, low=1, text="new guests at once from one address")
    code_rate: float = setting(2.0, low=0.01, text="codes a second looked up from one address")
    code_burst: float = setting(300.0, low=1, text="codes at once looked up from one address")
    sign_in_rate: float = setting(2.0, low=0.01, text="steps of a sign-in a second by address")
    sign_in_burst: float = setting(300.0, low=1, text="steps of a sign-in at once by address")
    sockets: int = setting(20_000, low=1, text="sockets that may be open at once")
    address_sockets: int = setting(5_000, low=1, text="sockets of one address that may be open")
    google_client_id: str = setting(
        "",
        text="client of Google's that people sign in with; empty = the development provider"
        " where LOCAL, else no sign-in",
    )
    google_client_secret: Secret | None = setting(None, text="its secret")
    issuer: str = setting(GOOGLE, text="another OpenID issuer than Google, for tests")
    public_url: str = setting(
        "",
        text="how people reach the site, such as https://example.org; needed for Google, which"
        " has to know <PUBLIC_URL>/auth/callback",
    )
