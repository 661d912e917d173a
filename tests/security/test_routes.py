"""Every route of the gateway, one by one: its headers, and what pages of other sites may do."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.wiring import development
from laelo_gateway.openapi import OPERATIONS, Operation
from laelo_gateway.pages import ALWAYS_HTTPS, SECURITY
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import PROXIES, Gateway, Signing, gateway_of

ADDRESSES = [
    ("get", "/"),
    ("get", "/assets/nothing.js"),
    ("get", "/api"),
    ("get", "/api/nothing"),
    ("patch", "/api/account"),
    ("get", "/auth/nothing"),
    ("get", "/dev/issuer/authorize"),
    ("post", "/dev/issuer/token"),
    *((one.method, one.path) for one in OPERATIONS),
]
CHANGING = [one for one in OPERATIONS if one.method != "get" and one.who[-1] == "session"]
"""What is done for who has a session, and may be asked for by one's own page only."""
TOLD_BY_TOKEN = {"/api/replays/{table}/{match}/judgement"}
"""Changes nothing of anybody's: it has a match judged, as programs may, too."""
PLACES = {"{code}": "ABCDEF", "{id}": "0" * 26, "{table}": "0" * 26, "{match}": "1"}
EVIL = "https://evil.example"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def gateway() -> AsyncIterator[Gateway]:
    async with gateway_of([]) as made:
        yield made


pytestmark = pytest.mark.asyncio(loop_scope="module")


def filled(path: str) -> str:
    for name, value in PLACES.items():
        path = path.replace(name, value)
    return path


def client(gateway: Gateway) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{gateway.port}", trust_env=False)


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
async def test_every_answer_has_the_strict_headers(
    gateway: Gateway, method: str, path: str
) -> None:
    async with client(gateway) as http:
        answer = await http.request(method, filled(path))
    assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    if path.startswith(("/api", "/auth")) and not path.endswith(".css"):
        assert answer.headers["cache-control"] == "no-store"
    assert "strict-transport-security" not in answer.headers


async def test_every_route_that_changes_anything_is_among_them() -> None:
    others = {one.path for one in OPERATIONS if one.method != "get" and one not in CHANGING}
    assert others == TOLD_BY_TOKEN
    assert len(CHANGING) == 5


@pytest.mark.parametrize("one", CHANGING, ids=lambda one: f"{one.method} {one.path}")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": EVIL},
        {"origin": "null"},
        {"origin": f"{EVIL}/127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"referer": "http://127.0.0.1/"},
    ],
    ids=str,
)
async def test_a_page_of_another_site_changes_nothing(
    gateway: Gateway, one: Operation, headers: dict[str, str]
) -> None:
    ana = Browser(f"http://127.0.0.1:{gateway.port}")
    await ana.sign_in("ana")
    body = b"name=Robo" if one.form else b"{}"
    kind = "application/x-www-form-urlencoded" if one.form else "application/json"
    sent = {"content-type": kind, **headers}
    answer = await ana.http.request(one.method, one.path, content=body, headers=sent)
    assert answer.status_code == (400 if one.form else 403), answer.text
    assert (await ana.http.get("/api/account")).json()["signed_in"] is True
    await ana.close()


async def test_over_https_browsers_are_told_to_stay_there(tmp_path: Path) -> None:
    site = Site("https://dominoes.example", PROXIES)
    async with (
        gateway_of([], signing=Signing(development(site))) as gateway,
        client(gateway) as http,
    ):
        answer = await http.get("/livez")
    assert answer.headers["strict-transport-security"] == ALWAYS_HTTPS["strict-transport-security"]


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd",
        "/assets/..%5c..%5c..%5cpyproject.toml", "/assets/%2e%2e/%2e%2e/%2e%2e/pyproject.toml",
        "//etc/passwd", "/%2fetc/passwd", "/.git/config", "/assets/.hidden", "/index.html%00.png",
        "/" + "a" * 300, "/%ff%fe.js", "/con.js", "/assets/" + "x/" * 3000 + "y.js",
    ],
)  # fmt: skip
async def test_no_file_outside_the_page_is_served(tmp_path: Path, path: str) -> None:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("the page")
    (dist / "assets/.hidden").write_text("hidden")
    (tmp_path / "pyproject.toml").write_text("outside")
    async with gateway_of([], dist=dist) as gateway, client(gateway) as http:
        answer = await http.get(path)
    assert answer.status_code in (200, 404)
    assert answer.status_code == 404 or answer.text == "the page"


@pytest.mark.parametrize(
    "path",
    [
        "/auth/sign-in?back=/%0d%0aSet-Cookie:%20laelo_session=x",
        "/auth/sign-in?back=/x%0aLocation:%20https://evil.example",
        "/auth/callback?error=x%0d%0aX-Evil:%201",
        "/api/tables/%0d%0aX-Evil:%201",
        "/%0d%0aX-Evil:%201",
    ],
)
async def test_nobody_writes_our_headers(gateway: Gateway, path: str) -> None:
    async with client(gateway) as http:
        answer = await http.get(path)
    assert "x-evil" not in answer.headers
    assert "evil.example" not in answer.headers.get("location", "")
    cookies = answer.headers.get_list("set-cookie")
    assert not any("laelo_session=x" in cookie for cookie in cookies)
