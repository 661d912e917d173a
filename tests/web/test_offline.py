"""Installable, and a shell without a connection; the server's own answers are never kept."""

import pytest
from playwright.sync_api import Response, expect

from .conftest import Visits
from .page import Player


def await_worker(player: Player) -> None:
    """Wait until the service worker has kept the page and serves it."""
    player.page.wait_for_function("() => navigator.serviceWorker.controller !== null")


@pytest.mark.parametrize("language", ["pt-BR", "es-AR", "en-GB"])
def test_the_shell_is_there_without_a_connection(visits: Visits, language: str) -> None:
    player = visits.new((390, 844), language)
    player.open()
    await_worker(player)
    player.context.set_offline(True)
    player.page.reload()
    expect(player.by("quick")).to_be_visible()
    expect(player.by("banner-down")).to_be_visible()
    player.picture(f"shell-offline-{language[:2]}")
    player.context.set_offline(False)
    expect(player.by("banner-down")).to_have_count(0)


def test_rules_can_be_read_without_a_connection(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open()
    await_worker(player)
    player.context.set_offline(True)
    player.by("to-rules").click()
    expect(player.page.locator(".chapter")).to_have_count(15)
    player.page.reload()
    expect(player.page.locator(".chapter")).to_have_count(15)
    player.context.set_offline(False)


def test_only_the_page_itself_is_kept(visits: Visits) -> None:
    player = visits.new()
    player.open()
    await_worker(player)
    seen: list[Response] = []

    def see(response: Response) -> None:
        seen.append(response)

    player.page.on("response", see)
    player.page.reload()
    expect(player.by("cup")).to_be_visible()
    player.page.evaluate("fetch('/version.json').then(answer => answer.text())")
    player.page.evaluate("fetch('/api/account').then(answer => answer.text())")
    kept = {response.url for response in seen if response.from_service_worker}
    assert any("/assets/" in url for url in kept)
    assert not [url for url in kept if "/api/" in url or url.endswith("/version.json")]
    stored = player.page.evaluate(
        """async () => {
            const found = [];
            for (const name of await caches.keys())
                for (const request of await (await caches.open(name)).keys())
                    found.push(new URL(request.url).pathname);
            return found;
        }"""
    )
    assert "/" in stored
    assert all(path == "/" or path.startswith("/assets/") for path in stored)


def test_sign_in_is_left_to_the_server(visits: Visits) -> None:
    player = visits.new()
    player.open()
    await_worker(player)
    navigated = player.page.goto(player.page.url + "auth/sign-in?back=/")
    assert navigated is not None
    assert not navigated.from_service_worker
    player.errors.clear()


def test_it_can_be_installed(visits: Visits) -> None:
    player = visits.new()
    player.open()
    manifest = player.page.evaluate(
        """async () => {
            const link = document.querySelector('link[rel=manifest]');
            const manifest = await (await fetch(link.href)).json();
            const icons = await Promise.all(manifest.icons.map(async (icon) => {
                const answer = await fetch(icon.src);
                const image = await createImageBitmap(await answer.blob()).catch(() => null);
                return { ...icon, served: answer.headers.get('content-type'),
                         size: image && `${image.width}x${image.height}` };
            }));
            return { ...manifest, icons };
        }"""
    )
    assert manifest["display"] == "standalone"
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
    pictures = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in pictures} >= {"192x192", "512x512"}
    assert all((icon["size"], icon["served"]) == (icon["sizes"], icon["type"]) for icon in pictures)
    assert any(icon.get("purpose") == "maskable" for icon in pictures)


def test_a_language_that_cannot_be_had_is_not_taken(alone: Visits) -> None:
    player = alone.new((390, 844))
    player.context.add_init_script("delete Navigator.prototype.serviceWorker")
    player.context.route("**/assets/es-*.js", lambda route: route.abort())
    player.open()
    player.by("lang-es").click()
    player.await_toast("não veio")
    expect(player.by("lang-pt")).to_be_checked()
    player.context.unroute("**/assets/es-*.js")
    player.by("lang-en").click()
    expect(player.by("play-bots")).to_contain_text("Play with three bots")
    player.errors[:] = [error for error in player.errors if "ERR_FAILED" not in error]
