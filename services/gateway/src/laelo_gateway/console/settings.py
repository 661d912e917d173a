"""What the console can be told."""

from dataclasses import dataclass

from laelo_common.settings import Secret, ServiceSettings, setting

from laelo_gateway.accounts.id_token import GOOGLE


@dataclass(frozen=True, kw_only=True)
class ConsoleSettings(ServiceSettings):
    """Read from `LAELO_CONSOLE_<NAME>`."""

    port: int = setting(
        0, low=0, high=65535, text="port of /livez, /readyz and /metrics, 0 = any free one"
    )
    http_port: int = setting(
        8090, low=0, high=65535, text="port of the console, 0 = any free one; never the players'"
    )
    pg_dsn: Secret = setting(
        text="the gateway's database, as the role `console`: postgresql://console:…"
    )
    pg_connections: int = setting(4, low=1, high=50, text="most connections to PostgreSQL")
    table_addresses: tuple[str, ...] = setting(text="replicas of the table service, host:port")
    tournament_addresses: tuple[str, ...] = setting(
        (), text="replicas of the tournament service, host:port; none = no championships"
    )
    archive_addresses: tuple[str, ...] = setting(
        (), text="replicas of the archive, host:port; none = no stories of tables"
    )
    proxies: int = setting(
        0, low=0, high=9, text="proxies of ours before it, whose X-Forwarded-For is believed"
    )
    google_client_id: str = setting(
        "",
        text="client of Google's that operators sign in with; empty = the development provider"
        " where LOCAL, else no sign-in",
    )
    google_client_secret: Secret | None = setting(None, text="its secret")
    issuer: str = setting(GOOGLE, text="another OpenID issuer than Google, for tests")
    public_url: str = setting(
        "",
        text="how operators reach it, such as https://console.example.org; needed for Google,"
        " which has to know <PUBLIC_URL>/auth/callback",
    )
