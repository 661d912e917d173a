"""A person on their way through a championship: what they do at its tables, and what they see."""

import re

from playwright.sync_api import expect

from .house import NAMES, Ear, House
from .page import FITTING, Player

ASKED = '[data-mine]:not([data-mine=""]), [data-testid="match-end"]'
NOW = """fitting => {
    const { turn, mine } = document.querySelector(".table-page").dataset;
    if (mine === "play") return [turn, document.querySelector(fitting)?.dataset.index];
    if (mine === "choose") document.querySelector('[data-testid="choose-me"]')?.focus();
    return [turn, { pass: "p", choose: "Enter" }[mine]];
}"""
"""The open turn, and the key that answers it: none if the clock was faster."""

ANSWERED = """turn => {
    const now = document.querySelector(".table-page").dataset.turn;
    return now !== turn || document.querySelector(".ghost") !== null;
}"""
FOUND = """secrets => {
    const seen = location.href + document.documentElement.outerHTML;
    return secrets.filter((secret) => seen.includes(secret));
}"""


class Way:
    """The person's first window, what all of their windows hear, and the pictures in order."""

    def __init__(self, house: House, player: Player) -> None:
        self.house = house
        self.player = player
        self.ear = Ear(player.context)
        self._pictures = 0

    def picture(self, name: str, player: Player | None = None, whole: bool = False) -> None:
        """Keep what it looks like here."""
        self._pictures += 1
        (player or self.player).picture(f"way-{self._pictures:02}-{name}", whole)

    def nobody_is_known(self, player: Player) -> None:
        """No bot whose team still plays is named in the page or its address (R40)."""
        found = player.page.evaluate(FOUND, [*NAMES, *self.house.ids])
        assert set(found) <= self.ear.revealed()

    def answer(self) -> None:
        """From the call to the table, where there are only animals; the match begins by itself."""
        player = self.player
        table = self.ear.calls()[-1]["table"]
        player.by("call-ready").press("Enter")
        expect(player.page).to_have_url(re.compile(f"/t/{table}$"))
        expect(player.by("call")).to_have_count(0)
        expect(player.by("gathering").or_(player.by("board"))).to_be_visible()
        self.picture("gathering")
        self.nobody_is_known(player)
        expect(player.by("board")).to_be_visible()
        seats = self.ear.seats(table)
        assert len({seat["animal"] for seat in seats}) == 4
        assert not any(seat.get("name") for seat in seats)

    def play_a_match(self) -> str:
        """Play by keyboard to the end of the match; how the team stands then."""
        player = self.player
        player.page.locator(ASKED).first.wait_for()
        self.picture("match")
        while not player.by("match-end").is_visible():
            press(player)
            self.nobody_is_known(player)
            player.page.locator(ASKED).first.wait_for()
        after = player.by("after-match")
        expect(after).to_be_attached()
        self.picture("match-end")
        return after.get_attribute("data-standing") or ""


def press(player: Player) -> None:
    """Answer the turn that is open, if the clock has not done it yet."""
    turn, key = player.page.evaluate(NOW, FITTING)
    if key is None:
        return
    player.page.keyboard.press(key)
    player.page.wait_for_function(ANSWERED, arg=turn)
    if player.page.locator(".ghost").count():
        player.page.keyboard.press("ArrowRight")
        player.page.keyboard.press("Enter")
        player.await_next_turn(turn)
