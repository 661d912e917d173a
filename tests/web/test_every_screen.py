"""What holds on every screen: it is in nobody's way, fits each window, and asks no other host.

Each screen is opened once in each language, and then turned from size to size and into the night.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from .gallery import DRAWN, LANGUAGES, SIZES, Screen, Visit, person_at, screens

PHONE, DESKTOP = (390, 844), (1280, 800)
RUN = "options => axe.run(options).then(({ violations }) => violations)"
ALL = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
"""By night nothing but the colours is different."""

REFUSED = """
addEventListener("securitypolicyviolation", ({ blockedURI }) => console.error(blockedURI));
"""
INLINE = ("data:", "blob:")
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@dataclass
class Tour:
    """What was seen of a screen, in all languages, sizes and colours."""

    violations: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    strange: set[str] = field(default_factory=set)
    sockets: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)


def told(where: str, violation: dict[str, Any]) -> str:
    """A violation in one line."""
    nodes = "; ".join(f"{node['target']} {node['failureSummary']}" for node in violation["nodes"])
    return f"{where}: {violation['id']}: {nodes}"


def look_through(page: Page, language: str, tour: Tour) -> None:
    """Turn the page into every size, and on a phone and a desktop run axe by day and by night."""
    page.evaluate(AXE_SCRIPT)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        where = f"{language} {width}x{height}"
        if page.evaluate(TOO_WIDE) > 0:
            tour.too_wide.append(where)
        if (width, height) not in (PHONE, DESKTOP):
            continue
        page.evaluate(DRAWN)
        tour.violations += [told(where, found) for found in page.evaluate(RUN, ALL)]
        page.emulate_media(color_scheme="dark")
        tour.violations += [told(f"{where} dark", found) for found in page.evaluate(RUN, COLOURS)]
        page.emulate_media(color_scheme="light")


def take_tour(browser: Browser, url: str, screen: Screen) -> Tour:
    """See all of a screen."""
    tour = Tour()
    for language in LANGUAGES:
        context = person_at(browser, language, PHONE)
        context.add_init_script(REFUSED)
        visit = Visit(context, url, screen)
        visit.come()
        look_through(visit.player.page, language, tour)
        assert visit.requests
        tour.strange |= {at for at in visit.requests if not at.startswith((f"{url}/", *INLINE))}
        tour.sockets |= set(visit.sockets)
        context.close()
        tour.errors += visit.player.errors
    return tour


@pytest.fixture(scope="module", params=screens(), ids=lambda screen: screen.name)
def tour(request: pytest.FixtureRequest, browser: Browser, page_url: str) -> Tour:
    return take_tour(browser, page_url, request.param)


def test_nothing_is_in_the_way_of_anybody(tour: Tour) -> None:
    assert tour.violations == []


def test_it_fits_each_window(tour: Tour) -> None:
    assert tour.too_wide == []


def test_no_other_host_is_asked(tour: Tour, page_url: str) -> None:
    assert tour.strange == set()
    assert tour.sockets == {page_url.replace("http:", "ws:") + "/ws"}
    assert tour.errors == []
