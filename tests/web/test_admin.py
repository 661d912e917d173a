"""The operators' console as an operator uses it, and what players see of it."""

import os
import subprocess
import sys

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from laelo_tools.platform import Platform
from playwright.sync_api import Browser, Page, expect

from .conftest import Visits
from .house import Ear
from .page import PATIENCE, Player
from .test_account import name_oneself
from .test_every_screen import ALL, COLOURS, DESKTOP, PHONE, RUN, TOO_WIDE, told
from .test_settings import sign_in


class Clerk:
    """An operator at the console. Each page that is opened is looked at by day, by night, on a
    phone and on a desktop.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.faults: list[str] = []

    def sign_in(self, subject: str) -> None:
        """Come in by the development provider."""
        self.page.goto(self.url)
        self.page.get_by_role("link", name="Sign in").click()
        self.page.locator('[name="subject"]').fill(subject)
        self.page.get_by_role("button", name="Sign in").click()

    def open(self, path: str, heading: str) -> None:
        """Go to a page and look at all of it."""
        self.page.goto(self.url + path)
        expect(self.page.get_by_role("heading", level=1)).to_have_text(heading)
        self.look()

    def look(self) -> None:
        """Look for what is in anybody's way."""
        self.page.evaluate(AXE_SCRIPT)
        for width, height in (PHONE, DESKTOP):
            self.page.set_viewport_size({"width": width, "height": height})
            if self.page.evaluate(TOO_WIDE) > 0:
                self.faults.append(f"{self.page.url} is wider than {width}")
            for scheme, rules in (("light", ALL), ("dark", COLOURS)):
                self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                where = f"{self.page.url} {width} {scheme}"
                self.faults += [told(where, found) for found in self.page.evaluate(RUN, rules)]

    def find(self, wanted: str) -> None:
        """Look for anything, from the first page."""
        self.page.goto(self.url)
        self.page.get_by_label("Find").fill(wanted)
        self.page.get_by_role("button", name="Find").click()

    def do(self, button: str, done: str, **fields: str) -> None:
        """Fill in the form of a button, and send it."""
        form = self.page.locator("form", has=self.page.get_by_role("button", name=button))
        for name, value in fields.items():
            form.locator(f'input[name="{name}"]').fill(value)
        form.get_by_role("button", name=button).click()
        expect(self.page.get_by_role("status")).to_have_text(done)


@pytest.fixture
def house(platform: Platform | None) -> Platform:
    """A platform whose database can be asked."""
    if platform is None:
        pytest.skip("operators are made in the database of a platform of one's own")
    return platform


def grant(house: Platform, account: str) -> None:
    """What `laelo admin grant` does."""
    subprocess.run(
        [sys.executable, "-m", "laelo_gateway.console.shell", "grant", account],
        env={**os.environ, "LAELO_GATEWAY_PG_DSN": house.pg_dsn},
        check=True,
    )


def is_let_in(player: Player) -> bool:
    """Come anew: whether one is welcome now."""
    ear = Ear(player.context)
    player.page.reload()
    while not (answers := [frame for frame in ear.frames if frame["t"] in ("welcome", "nack")]):
        player.page.wait_for_timeout(50)
    return bool(answers[0]["t"] == "welcome")


def test_an_operator_announces_closes_and_bans(
    visits: Visits, browser: Browser, house: Platform
) -> None:
    url = f"http://{house.addresses['console-1']}"
    maria, olga = visits.new((390, 844)), visits.new()
    sign_in(olga, "olga of the house")
    name_oneself(olga, "Olga da Casa")
    sign_in(maria, "maria of the admin")
    name_oneself(maria, "Maria Chata")
    maria.open()
    code = maria.open_table()

    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE)
    clerk = Clerk(context.new_page(), url)
    clerk.sign_in("olga of the house")
    expect(clerk.page.get_by_text("this account is no operator's")).to_be_visible()
    grant(house, "Olga da Casa")
    clerk.sign_in("olga of the house")
    expect(clerk.page.get_by_role("heading", level=1)).to_have_text("The house")
    clerk.look()

    clerk.open("/announcements", "Announcements")
    texts = {"pt": "Paramos às 22 horas.", "es": "Paramos a las 22.", "en": "We stop at ten."}
    clerk.do(
        "Announce to everybody", "Everybody is told within seconds.", **texts, reason="upgrade"
    )
    clerk.look()
    expect(maria.by("told")).to_contain_text("Paramos às 22 horas.")
    maria.picture("admin-told")
    expect(olga.by("told")).to_be_visible()
    maria.by("told-close").click()
    expect(maria.by("told")).to_have_count(0)
    maria.page.reload()
    expect(maria.by("code")).to_be_visible()
    expect(maria.by("told")).to_have_count(0)
    olga.page.reload()
    expect(olga.by("told")).to_be_visible()
    clerk.do("End it now", "It is told no more.", reason="it is over")
    expect(olga.by("told")).to_have_count(0)

    clerk.find(code)
    expect(clerk.page.get_by_role("heading", level=1)).to_have_text("A table")
    story = clerk.page.locator(".story")
    expect(story).to_contain_text("the table is opened")
    expect(story.get_by_role("link", name="Maria Chata").first).to_be_visible()
    clerk.look()
    clerk.do("Close the table", "The table is closed.", reason="nobody plays")
    expect(maria.by("closed")).to_contain_text("A casa fechou a mesa.")

    clerk.find("maria chata")
    expect(clerk.page.get_by_role("heading", level=1)).to_have_text("Maria Chata")
    clerk.look()
    words = "They are shut out: their windows close within seconds."
    clerk.do("Shut out", words, reason="insultos")
    ended = maria.by("ended-shut_out")
    expect(ended).to_contain_text("Motivo: insultos")
    maria.picture("admin-shut-out")
    maria.by("ended-action").click()
    expect(ended).to_be_visible()
    clerk.do("Let in again", "They are let in again.", reason="a mistake")
    # The order reaches the gateway within seconds; before that the person is turned away again.
    assert any(is_let_in(maria) for _ in range(100))
    expect(ended).to_have_count(0)

    clerk.open("/audit", "Audit log")
    for deed in ("grant", "sign in", "announce", "close", "ban", "let in"):
        expect(clerk.page.get_by_role("cell", name=deed, exact=True).first).to_be_visible()
    clerk.page.get_by_role("button", name="Sign out").click()
    expect(clerk.page.get_by_role("heading", level=1)).to_have_text("Sign in")
    clerk.look()
    context.close()
    assert clerk.faults == []
