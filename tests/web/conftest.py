"""A real platform and a real browser for the tests of the page.

The platform is started once with short pauses and quick bots, or is the running one that
LAELO_URL names. The browser is that of LAELO_CHROMIUM, else the first Chromium on the PATH.
Pictures are kept in the folder that LAELO_PICTURES names, else in web/test-results.
"""

import asyncio
import os
import shutil
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from laelo_tools.platform import Options, Platform
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from .page import PATIENCE, Player
from .serving import serving

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(os.environ.get("LAELO_PICTURES", ROOT / "web" / "test-results"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""A browser of its own that talks to nobody but the page."""

GONE_AFTER = {"LAELO_TABLE_BOT_AFTER_SECONDS": "3"}
OPTIONS = Options(
    port=0,
    pause_ms=700,
    bot_delay_ms="0",
    tables=1,
    archives=1,
    consoles=1,
    env={"table": GONE_AFTER},
)


expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium_path() -> str | None:
    """The browser to test with, if there is one."""
    named = os.environ.get("LAELO_CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


T = TypeVar("T")


class Background:
    """A platform on an event loop of its own, beside the browser's."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="platform")
        self._platform: Platform | None = None

    @property
    def platform(self) -> Platform:
        """What was started."""
        assert self._platform is not None
        return self._platform

    def start(self, options: Options) -> str:
        """Start it; where it is found."""

        async def begin() -> Platform:
            return await Platform(options).__aenter__()

        self._thread.start()
        self._platform = self.do(begin())
        return self._platform.url

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something there, and wait for what comes of it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self) -> None:
        """Stop it and the loop, whatever of it was started."""
        if self._platform is not None:
            self.do(self._platform.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform | None]:
    """The platform, unless another one is named that runs already."""
    if os.environ.get("LAELO_URL"):
        yield None
        return
    if not (ROOT / "web" / "dist" / "index.html").is_file():
        pytest.skip("the page is not built: run `make web`")
    background = Background()
    try:
        background.start(OPTIONS)
        yield background.platform
    finally:
        background.stop()


@pytest.fixture(scope="session")
def url(platform: Platform | None) -> str:
    """Where the page is."""
    return os.environ["LAELO_URL"] if platform is None else platform.url


@pytest.fixture(scope="session")
def page_url() -> Iterator[str]:
    """Where the page is with nothing behind it, for tests that are its gateway themselves."""
    if not (ROOT / "web" / "dist" / "index.html").is_file():
        pytest.skip("the page is not built: run `make web`")
    with serving(ROOT / "web" / "dist") as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    chromium = chromium_path()
    if chromium is None:
        pytest.skip(
            "no Chromium found: install one (Debian, Ubuntu: apt-get install chromium)"
            " or name it with LAELO_CHROMIUM"
        )
    browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
    yield browser
    browser.close()


class Visits:
    """Makes players, each in a browser context of its own, and checks that none met an error."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._players: list[Player] = []

    def new(self, size: tuple[int, int] = (1280, 800), locale: str = "pt-BR") -> Player:
        """A person who has just opened a browser."""
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            has_touch=width < 900,
            reduced_motion="reduce",
        )
        player = Player(context, self._url, RESULTS)
        self._players.append(player)
        return player

    def close(self) -> list[str]:
        """Ends all visits; what went wrong in them."""
        errors = [error for player in self._players for error in player.errors]
        for player in self._players:
            player.context.close()
        return errors


@pytest.fixture
def visits(browser: Browser, url: str) -> Iterator[Visits]:
    RESULTS.mkdir(parents=True, exist_ok=True)
    visits = Visits(browser, url)
    yield visits
    assert visits.close() == []


@pytest.fixture
def alone(browser: Browser, page_url: str) -> Iterator[Visits]:
    """The same at a page with nothing behind it: the test itself is its gateway."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    visits = Visits(browser, page_url)
    yield visits
    assert visits.close() == []
