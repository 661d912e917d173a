"""What axe can find, on every screen: nothing, by day and by night, on phone and desktop."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from .gallery import Screen, Visit, person_at, screens

PHONE, DESKTOP = (390, 844), (1280, 800)
Look = tuple[tuple[int, int], Literal["light", "dark"]]
LOOKS: list[Look] = [(PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")]
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}


def look_through(
    browser: Browser, url: str, screen: Screen, language: str, looks: list[Look]
) -> None:
    """Run axe on a screen in each of the sizes and colours."""
    context = person_at(browser, language, PHONE)
    visit = Visit(context, url, screen)
    visit.come()
    page, found = visit.player.page, {}
    for (width, height), colours in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")
        results = Axe().run(page, options=OPTIONS)
        if results.violations_count:
            found[f"{width}x{height} {colours}"] = results.generate_report()
    context.close()
    assert found == {}, "\n".join(found.values())
    assert visit.player.errors == []


@pytest.mark.parametrize("screen", screens(), ids=lambda screen: screen.name)
def test_nothing_is_in_the_way_of_anybody(browser: Browser, page_url: str, screen: Screen) -> None:
    look_through(browser, page_url, screen, "pt", LOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("screen", screens(), ids=lambda screen: screen.name)
def test_nor_in_the_other_languages(
    browser: Browser, page_url: str, screen: Screen, language: str
) -> None:
    """Other words have other names and lengths, but the same colours."""
    look_through(browser, page_url, screen, language, LOOKS[:1])
