"""What belongs to a person with an account: from the first sign-in until it is deleted."""

import json
import re

from playwright.sync_api import expect

from .conftest import Visits
from .page import Player
from .test_settings import sign_in


def name_oneself(player: Player, name: str) -> None:
    """Ask for a nickname on the page of the account."""
    player.by("account-name").fill(name)
    player.by("account-name-save").click()


def test_an_account_from_its_first_day_to_its_last(visits: Visits) -> None:
    player, other = visits.new((390, 844)), visits.new()
    sign_in(player, "maria of the account")
    name_oneself(player, "Maria da Conta")
    expect(player.page).to_have_url(re.compile("/campeonato$"))
    sign_in(other, "lia of the account")
    name_oneself(other, "MARIA da Conta")
    hint = other.page.locator("#account-name-hint")
    expect(hint).to_have_attribute("role", "alert")
    name_oneself(other, "Lia")
    expect(other.page).to_have_url(re.compile("/campeonato$"))
    # The browser itself writes down that the first nickname was refused.
    other.errors[:] = [error for error in other.errors if "409" not in error]

    player.open("/conta")
    expect(player.by("account-name")).to_have_value("Maria da Conta")
    with player.page.expect_download() as download:
        player.by("export").click()
    kept = json.loads(download.value.path().read_text())
    assert kept["account"]["name"] == "Maria da Conta"
    player.by("sign-out").click()
    expect(player.by("sign-in")).to_be_visible()
    sign_in(player, "maria of the account")
    player.by("delete").click()
    player.by("delete-no").click()
    player.by("delete").click()
    player.by("delete-yes").click()
    expect(player.by("sign-in")).to_be_visible()
    other.open("/conta")
    name_oneself(other, "MARIA da Conta")
    other.await_toast("Apelido")
