"""The page as a person uses it: by what is on it, never by its insides."""

import re
from copy import copy
from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

PATIENCE = 60_000
"""How long something may take that has to come, in milliseconds: against a test that hangs, not
against a machine that is slow.
"""

FITTING = ".hand-tile:not(.dimmed)"
ENDS = {"hand-end", "match-end"}
"""A hand's end is shown for a moment only, and may be over before a test looks."""

ASKED = """() => {
    for (const end of ["match-end", "hand-end"])
        if (document.querySelector(`[data-testid="${end}"]`)?.checkVisibility()) return end;
    return document.querySelector(".table-page")?.dataset.mine;
}"""
"""What a player waits for: something to do, or the end of a hand or of the match. It is looked for
and read at once, since bots and the next hand wait for nobody.
"""

KEEP_TOASTS = """
window.toasts = [];
new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
        for (const node of addedNodes)
            if (node.nodeType === 1 && node.closest('[data-testid="toast"]'))
                window.toasts.push(node.textContent);
}).observe(document, { childList: true, subtree: true });
"""
"""Short messages go by themselves, perhaps before a test looks."""

PLAYS_ON = """({ fitting, every }) => {
    const press = (what) => document.querySelector(what)?.click();
    const answers = {
        pass: () => press('[data-testid="pass"]'),
        choose: () => press('[data-testid="choose-me"]'),
        play: () => press(document.querySelector(".ghost") ? ".ghost" : fitting),
    };
    const timer = setInterval(() => {
        if (document.querySelector('[data-testid="match-end"]')) clearInterval(timer);
        else if (document.querySelector(".tile.pending")) return;
        else answers[document.querySelector(".table-page")?.dataset.mine]?.();
    }, every);
}"""
"""Answers whatever the table asks for, from within the page and thus without a detour."""

KEEPS_ASKING = """async (script, [arg, patience]) => {
    const end = performance.now() + patience;
    while (!(await script(arg))) {
        if (performance.now() > end) throw new Error(`never true: ${script}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
}"""
"""Not more often than a gateway lets one person ask."""

OFTEN = 40
"""How often it looks, in milliseconds."""

WHOLE_MATCH = 600_000
"""How long a match may take that plays by itself, in milliseconds."""


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
        page.add_init_script(KEEP_TOASTS)
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

    def at(self, page: Page) -> "Player":
        """The same person in a window that the page has opened."""
        other = copy(self)
        other.page = page
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

    def picture(self, name: str, whole: bool = False) -> None:
        """Keep what is seen of the page now, or the whole of it."""
        self.page.screenshot(path=self._results / f"{name}.png", full_page=whole)

    def await_something_to_do(self) -> str:
        """Wait for one's turn or an end: play, pass, choose, hand-end or match-end."""
        return str(self.page.wait_for_function(ASKED).json_value())

    def await_promise(self, script: str, arg: object = None) -> None:
        """Wait until what a script promises is true; `wait_for_function` would be content with
        the promise.
        """
        self.page.evaluate(f"given => ({KEEPS_ASKING})({script}, given)", [arg, PATIENCE])

    def await_toast(self, words: str) -> None:
        """Wait until a short message with these words was shown, also if it is gone by now."""
        self.page.wait_for_function(
            "words => window.toasts.some((toast) => toast.includes(words))", arg=words
        )

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

    def play_on(self, every: int = OFTEN) -> None:
        """Play by itself to the end of the match, for tests to which the moves are all the same."""
        self.page.evaluate(PLAYS_ON, {"fitting": FITTING, "every": every})

    def await_replay(self) -> None:
        """Wait for a match of the past; one that has just been played may be archived later."""
        track, lost = self.by("track"), self.by("replay-lost")
        expect(track.or_(lost)).to_be_visible()
        while lost.is_visible():
            self.page.reload()
            expect(track.or_(lost)).to_be_visible()

    def await_match_end(self) -> None:
        """Wait until a match that plays by itself is over."""
        expect(self.by("match-end")).to_be_visible(timeout=WHOLE_MATCH)

    def tiles_in_hand(self) -> list[str]:
        """The tiles that are held, as `low|high`."""
        found = self.page.locator(".hand-tile")
        ids = found.evaluate_all("all => all.map(one => one.dataset.testid)")
        return [re.sub("^tile-", "", name) for name in ids]
