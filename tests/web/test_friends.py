"""Four people at one table, by its code: one leaves, a bot plays on, the person comes back."""

import re
from collections.abc import Callable, Sequence

from playwright.sync_api import expect

from .conftest import Visits
from .page import Player
from .test_whole_match import play_a_turn

PHONE, SMALL_PHONE, TABLET, DESKTOP = (390, 844), (320, 568), (768, 1024), (1280, 800)


def four(visits: Visits) -> tuple[list[Player], str]:
    """Anna has opened a table, the others have come by its code; who sits in seat n is nth."""
    host = visits.new(DESKTOP)
    host.open()
    host.call_oneself("Anna")
    # Without a clock: nothing is played until somebody does it, however long that takes.
    code = host.open_table()
    assert re.fullmatch("[A-HJ-NP-Z2-9]{6}", code)
    others = [visits.new(SMALL_PHONE, "en-GB"), visits.new(PHONE, "es-AR"), visits.new(TABLET)]
    spellings = [code.lower(), f"{code[:3]}-{code[3:]}", f" {code[:2]} {code[2:].lower()}"]
    for seat, (player, spelling) in enumerate(zip(others, spellings, strict=True), 1):
        player.open()
        player.call_oneself(("Severino", "Maria", "Zé")[seat - 1])
        player.join(spelling, seat)
    return [host, *others], code


def play_until(players: Sequence[Player], reached: Callable[[], bool]) -> None:
    """Let everybody play who is asked, until something is reached."""
    first = players[0]
    while not reached():
        asked = [(player, what) for player in players if (what := player.asked())]
        for player, what in asked[:1]:
            play_a_turn(player, what)
        if not asked:
            first.page.wait_for_timeout(50)


def test_a_match_of_four_by_code(visits: Visits) -> None:
    players, _ = four(visits)
    host, _severino, maria, _ze = players
    expect(host.by("chair-2")).to_contain_text("Maria")
    for name, player in zip(("desktop", "small", "phone", "tablet"), players, strict=True):
        player.picture(f"friends-{name}-lobby")
    expect(host.by("start")).to_have_text("Começar a partida")
    host.by("start").click()
    for player in players:
        expect(player.page.locator(".hand-tile")).to_have_count(6)
    hands = [set(player.tiles_in_hand()) for player in players]
    assert len(set.union(*hands)) == 24

    address = maria.page.url
    maria.page.close()
    stand_in = host.by("stand-in-2")
    play_until(
        [player for player in players if player is not maria],
        lambda: stand_in.is_visible() or host.by("match-end").is_visible(),
    )
    host.picture("friends-desktop-gone")
    players[1].picture("friends-small-gone")
    stand_in.click()
    expect(host.by("seat-2")).to_contain_text("robô joga")
    players[1].picture("friends-small-stand-in")
    present = [players[0], players[1], players[3]]
    line = host.by("sheet").locator("li")
    before = line.count()
    play_until(present, lambda: line.count() > before or host.by("match-end").is_visible())

    maria.come_back(address)
    expect(host.by("seat-2")).not_to_contain_text("robô joga")
    for player in players:
        player.play_on()
    for player in players:
        player.await_match_end()
    for name, player in zip(("desktop", "small", "phone", "tablet"), players, strict=True):
        player.picture(f"friends-{name}-match-end")
    expect(maria.by("fair")).to_have_attribute("data-fair", "true")


def test_chairs_are_arranged_by_the_host(visits: Visits) -> None:
    players, _ = four(visits)
    host, severino, maria, ze = players
    host.by("partner-1").click()
    expect(host.by("chair-2")).to_contain_text("Severino")
    expect(maria.by("chair-1")).to_contain_text("Maria")
    expect(severino.by("partner-1")).to_have_count(0)
    host.by("kick-3").click()
    host.by("kick-yes-3").click()
    expect(ze.by("sit-3")).to_be_visible()
    ze.await_toast("não está mais sentado")
    host.by("sit-3").click()
    expect(host.by("sit-0")).to_be_visible()
    expect(host.by("start")).to_contain_text("Começar com 1 robô")
    host.by("start").click()
    expect(host.page.locator(".hand-tile")).to_have_count(6)
    expect(ze.by("board")).to_be_visible()
    assert not ze.tiles_in_hand()


def test_a_closed_table_says_so_to_all(visits: Visits) -> None:
    host, guest = visits.new(DESKTOP), visits.new(PHONE)
    host.open()
    code = host.open_table()
    guest.join(code, 2)
    host.by("menu").click()
    host.by("close-table").click()
    host.by("close-yes").click()
    for player in (host, guest):
        expect(player.by("closed")).to_be_visible()
    guest.picture("closed-phone")
    guest.by("closed").get_by_test_id("go-home").click()
    guest.by("join-link").fill(code)
    guest.by("join-go").click()
    expect(guest.by("unknown-code")).to_be_visible()


def test_a_code_that_nobody_has(visits: Visits) -> None:
    player = visits.new(PHONE)
    player.open("/m/zzz-zzz")
    expect(player.by("unknown-code")).to_contain_text("ZZZ ZZZ")
    player.picture("unknown-code-phone")
    player.by("join-link").fill("zzz")
    player.by("join-go").click()
    expect(player.page.get_by_text("sem O, I, zero e um")).to_be_visible()


def test_who_left_in_mid_match_may_sit_down_again(visits: Visits) -> None:
    host, guest = visits.new(DESKTOP), visits.new(PHONE)
    host.open()
    guest.join(host.open_table(), 2)
    host.by("start").click()
    expect(guest.page.locator(".hand-tile")).to_have_count(6)
    held, address = guest.tiles_in_hand(), guest.page.url
    guest.by("menu").click()
    guest.by("leave-table").click()
    guest.by("leave-yes").click()
    expect(guest.by("quick")).to_be_visible()
    expect(host.by("seat-2")).to_contain_text("robô")
    guest.page.goto(address)
    guest.by("take-seat").click()
    expect(guest.by("hand")).to_be_visible()
    assert set(guest.tiles_in_hand()) <= set(held)
