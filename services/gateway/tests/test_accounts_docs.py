"""Settings, cookies and addresses stand in their pages."""

from pathlib import Path

from laelo_common.settings import variables
from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.sessions import CHECK_SECONDS
from laelo_gateway.accounts.store import IDLE_DAYS, LONGEST_DAYS
from laelo_gateway.settings import GatewaySettings
from laelo_gateway.testing.gateway import gateway_of
from starlette.routing import Route

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "services" / "gateway" / "README.md").read_text()
PAGE = (ROOT / "docs" / "accounts.md").read_text()
COMMON = ("REFLECTION",)
"""Of no use to a service without gRPC."""


def test_every_setting_is_in_the_readme_which_is_short() -> None:
    names = [v.name.removeprefix("LAELO_GATEWAY_") for v in variables(GatewaySettings, "gateway")]
    assert [name for name in names if f"`{name}`" not in README and name not in COMMON] == []
    assert len(README.splitlines()) <= 40


async def test_every_address_is_in_the_page() -> None:
    async with gateway_of([]) as gateway:
        routes = [route for route in gateway.accounts.routes if isinstance(route, Route)]
    assert len(routes) >= 7
    for route in routes:
        methods = (route.methods or set()) - {"HEAD"}
        assert all(f"`{method} {route.path}" in PAGE for method in methods), route.path


def test_cookies_and_their_times_are_in_the_page() -> None:
    cookies = Cookies(secure=False)
    assert f"`{cookies.session_name}`" in PAGE
    assert f"`{cookies.sign_in_name}`" in PAGE
    assert f"{IDLE_DAYS} days" in PAGE
    assert f"{LONGEST_DAYS} days" in PAGE
    assert f"within {CHECK_SECONDS:g} s" in PAGE
