"""The page over HTTP: files, caching, compressed copies, headers, probes."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from laelo_gateway.testing.gateway import gateway_of
from laelo_gateway.testing.tables import replicas

PAGE = {"accept-encoding": "identity"}


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>page")
    (folder / "sw.js").write_text("// worker")
    (folder / "app.webmanifest").write_text("{}")
    (folder / "icons").mkdir()
    (folder / "icons" / "icon-192.png").write_bytes(b"picture")
    (folder / "version.json").write_text('{"build": "b42"}')
    (folder / "assets" / "app-abc.js").write_text("plain")
    (folder / "assets" / "app-abc.js.br").write_bytes(b"brotli")
    (folder / "assets" / "app-abc.js.gz").write_bytes(b"gzip")
    (folder / ".secret").write_text("no")
    (tmp_path / "outside.txt").write_text("no")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    return folder


@pytest.fixture
async def web(dist: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        gateway_of([], dist=dist) as gateway,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{gateway.port}", headers=PAGE) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/", "/mesa/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/index.html", "/a/b"])
async def test_every_address_within_the_page_is_the_page(web: httpx.AsyncClient, path: str) -> None:
    answer = await web.get(path)
    assert (answer.status_code, answer.text) == (200, "<!doctype html>page")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


async def test_hashed_files_are_kept_for_ever(web: httpx.AsyncClient) -> None:
    answer = await web.get("/assets/app-abc.js")
    assert answer.text == "plain"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "accept-encoding"


@pytest.mark.parametrize(
    ("accepts", "encoding", "body"),
    [
        ("gzip, deflate, br", "br", b"brotli"),
        ("gzip", "gzip", b"gzip"),
        ("br;q=0, gzip", "gzip", b"gzip"),
        ("zstd", None, b"plain"),
    ],
)
async def test_copies_packed_at_build_time_are_used(
    web: httpx.AsyncClient, accepts: str, encoding: str | None, body: bytes
) -> None:
    request = web.build_request("GET", "/assets/app-abc.js", headers={"accept-encoding": accepts})
    answer = await web.send(request, stream=True)
    assert b"".join([chunk async for chunk in answer.aiter_raw()]) == body
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sw.js", "text/javascript"),
        ("/app.webmanifest", "application/manifest+json"),
        ("/icons/icon-192.png", "image/png"),
    ],
)
async def test_what_has_no_hash_in_its_name_is_asked_for_each_time(
    web: httpx.AsyncClient, path: str, kind: str
) -> None:
    first = await web.get(path)
    assert first.headers["content-type"].startswith(kind)
    assert first.headers["cache-control"] == "no-cache"
    again = await web.get(path, headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


@pytest.mark.parametrize(
    "path",
    [
        "/assets/gone.js",
        "/gone.png",
        "/.secret",
        "/link.txt",
        "/..%2foutside.txt",
        "/assets/..%2f..%2foutside.txt",
        "/%00.js",
    ],
)
async def test_what_is_not_there_or_not_inside_is_not_found(
    web: httpx.AsyncClient, path: str
) -> None:
    assert (await web.get(path)).status_code == 404


async def test_only_reading_is_allowed(web: httpx.AsyncClient) -> None:
    assert (await web.post("/")).status_code == 405
    assert (await web.head("/")).status_code == 200


@pytest.mark.parametrize("path", ["/", "/gone.png", "/assets/app-abc.js", "/livez"])
async def test_every_answer_has_the_strict_headers(web: httpx.AsyncClient, path: str) -> None:
    headers = (await web.get(path)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers


async def test_version_names_build_and_protocol(web: httpx.AsyncClient) -> None:
    answer = await web.get("/version.json")
    assert answer.json() == {"build": "b42", "proto": 1, "min_proto": 1}
    assert answer.headers["cache-control"] == "no-cache"


async def test_without_a_build_the_page_says_what_to_do() -> None:
    async with gateway_of([]) as gateway, httpx.AsyncClient() as client:
        answer = await client.get(f"http://127.0.0.1:{gateway.port}/")
        assert answer.status_code == 503
        assert "make web" in answer.text


async def test_ready_only_while_a_table_server_can_be_asked() -> None:
    async with httpx.AsyncClient() as client:
        async with gateway_of([]) as gateway:
            answer = await client.get(f"http://127.0.0.1:{gateway.port}/readyz")
            assert (answer.status_code, answer.text) == (503, "no table server answers\n")
            assert (await client.get(f"http://127.0.0.1:{gateway.port}/livez")).status_code == 200
        async with replicas(1) as started, gateway_of([started[0].address]) as gateway:
            assert (await client.get(f"http://127.0.0.1:{gateway.port}/readyz")).is_success
