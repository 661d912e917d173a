"""Whom the page asks for anything: the host that it came from, nobody else."""

import pytest
from playwright.sync_api import Browser, Request

from .gallery import Screen, Visit, person_at, screens

REFUSED = """
addEventListener("securitypolicyviolation", ({ blockedURI }) => console.error(blockedURI));
"""
INLINE = ("data:", "blob:")


@pytest.mark.parametrize("screen", screens(), ids=lambda screen: screen.name)
def test_no_other_host_is_asked(browser: Browser, page_url: str, screen: Screen) -> None:
    context = person_at(browser, "pt", (390, 844))
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    context.on("request", note)
    context.add_init_script(REFUSED)
    visit = Visit(context, page_url, screen)
    visit.come()
    visit.player.page.set_viewport_size({"width": 1280, "height": 800})
    visit.player.page.wait_for_load_state("networkidle")
    strange = [url for url in asked if not url.startswith((f"{page_url}/", *INLINE))]
    assert asked
    assert strange == []
    assert set(visit.sockets) == {page_url.replace("http:", "ws:") + "/ws"}
    context.close()
    assert visit.player.errors == []
