"""The page as a person uses it: by what is on it, never by its insides."""

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

PATIENCE = 20_000
"""How long something may take that has to come, in milliseconds."""

FITTING = ".hand-tile:not(.dimmed)"
NEXT = '[data-mine]:not([data-mine=""]), [data-testid="hand-end"], [data-testid="match-end"]'
"""What a player waits for: something to do, or the end of a hand or of the match."""


class Player:
    """One person in one browser."""

    def __init__(self, context: BrowserContext, url: str, results: Path) -> None:
        context.set_default_timeout(PATIENCE)
        self.context = context
        self.errors: list[str] = []
        self._url = url
        self._results = results
        self.page: Page = self._new_page()

    def _new_page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        # The browser itself writes down what it could not load: without a connection that is
        # expected, and so is a platform that says it has no championships, or no such match.
        if message.type != "error" or "WebSocket" in message.text:
            return
        offline = "ERR_INTERNET_DISCONNECTED" in message.text
        absent = re.search(" (404|503) ", message.text) and "/api/" in message.location["url"]
        if not offline and not absent:
            self.errors.append(message.text)

    def by(self, testid: str) -> Locator:
        """The element that carries a test id."""
        return self.page.get_by_test_id(testid)

    def open(self, path: str = "/") -> None:
        """Go to an address of the page."""
        self.page.goto(self._url + path)

    def play_bots(self) -> None:
        """From the home page to a hand against three bots."""
        self.open()
        self.by("play-bots").click()
        expect(self.by("board")).to_be_visible()

    def come_back(self, address: str) -> None:
        """Open a new window, after the one before was closed."""
        self.page = self._new_page()
        self.page.goto(address)

    def beside(self, address: str) -> "Player":
        """The same person in a second window of the same browser."""
        other = Player(self.context, self._url, self._results)
        other.errors = self.errors
        other.page.goto(address)
        return other

    def call_oneself(self, name: str) -> None:
        """Take a nickname; the home page has to be open."""
        self.by("nickname").fill(name)
        self.by("nickname").press("Enter")

    def open_table(self, *choices: str) -> str:
        """From the home page to a lobby; its code. Choices are test ids of the options."""
        self.by("open-table").click()
        for choice in choices:
            self.by(choice).check()
        self.by("create-go").click()
        return self.by("code").inner_text().replace(" ", "").replace("\n", "")

    def join(self, code: str, seat: int) -> None:
        """From the home page to a seat, by the code."""
        self.open()
        self.by("join-link").fill(code)
        self.by("join-go").click()
        self.by(f"sit-{seat}").click()
        expect(self.by("get-up")).to_be_visible()

    def asked(self) -> str:
        """What the page asks for now: play, pass, choose, or nothing."""
        return self.page.locator(".table-page").get_attribute("data-mine") or ""

    def await_ask(self) -> None:
        """Wait until the page asks for something, or until a hand or the match is over."""
        self.page.locator(NEXT).first.wait_for()

    def picture(self, name: str, whole: bool = False) -> None:
        """Keep what is seen of the page now, or the whole of it."""
        self.page.screenshot(path=self._results / f"{name}.png", full_page=whole)

    def await_something_to_do(self) -> str:
        """Wait for one's turn or an end: play, pass, choose, hand-end or match-end."""
        self.page.locator(NEXT).first.wait_for()
        for end in ("match-end", "hand-end"):
            if self.by(end).is_visible():
                return end
        return self.page.locator(".table-page").get_attribute("data-mine") or ""

    def turn(self) -> str:
        """The turn that the page says is open."""
        return self.page.locator(".table-page").get_attribute("data-turn") or ""

    def await_next_turn(self, turn: str) -> None:
        """Wait until that turn is over."""
        self.page.wait_for_function(
            "turn => document.querySelector('.table-page')?.dataset.turn !== turn", arg=turn
        )

    def await_next_hand(self) -> None:
        """Wait until the end of a hand is no longer shown; it may be one's turn at once."""
        self.by("hand-end").wait_for(state="hidden")

    def lay(self, tile: Locator) -> None:
        """Lay a tile by pointer; if it asks for an end, the first one."""
        turn = self.turn()
        tile.click()
        ghost = self.page.locator(".ghost").first
        self.page.wait_for_function(
            """turn => {
                const { turn: now, mine } = document.querySelector('.table-page').dataset;
                return now !== turn || mine !== 'play' || document.querySelector('.ghost');
            }""",
            arg=turn,
        )
        if ghost.is_visible():
            ghost.click()

    def tiles_in_hand(self) -> list[str]:
        """The tiles that are held, as `low|high`."""
        found = self.page.locator(".hand-tile")
        ids = found.evaluate_all("all => all.map(one => one.dataset.testid)")
        return [re.sub("^tile-", "", name) for name in ids]
