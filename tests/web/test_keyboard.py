"""The page without a pointer: a whole hand, the order of the focus, the keys and their switch."""

import pytest
from playwright.sync_api import expect

from .conftest import Visits
from .page import ENDS, FITTING, Player
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn

PHONE, DESKTOP = (390, 844), (1280, 800)
COUNT_POINTERS = """
window.pointers = 0;
addEventListener("pointerdown", () => (window.pointers += 1), true);
"""
FOCUSED = """() => {
    const at = document.activeElement;
    return at.dataset.testid ?? at.className ?? "";
}"""
FAR = 60


def tab_to(player: Player, testid: str) -> None:
    """Go there by Tab alone."""
    for _ in range(FAR):
        if player.page.evaluate(FOCUSED) == testid:
            return
        player.page.keyboard.press("Tab")
    pytest.fail(f"{testid} cannot be reached by Tab")


def press_a_turn(player: Player, what: str) -> None:
    """Do by keyboard alone what the page asks for."""
    keyboard = player.page.keyboard
    turn = player.turn()
    if what == "pass":
        keyboard.press("p")
    elif what == "choose":
        tab_to(player, "choose-partner")
        keyboard.press("Enter")
    else:
        index = player.page.locator(FITTING).first.get_attribute("data-index")
        keyboard.press(str(index))
        if player.turn() == turn and player.page.locator(".ghost").count():
            assert player.page.evaluate(FOCUSED) in {"ghost-left", "ghost-right"}
            keyboard.press("ArrowRight")
            keyboard.press("Enter")
    player.await_next_turn(turn)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_whole_hand_by_keyboard_alone(visits: Visits, size: tuple[int, int]) -> None:
    player = visits.new(size, "en-GB")
    player.page.add_init_script(COUNT_POINTERS)
    player.open()
    tab_to(player, "play-bots")
    player.page.keyboard.press("Enter")
    turns = 0
    while (what := player.await_something_to_do()) not in ENDS:
        press_a_turn(player, what)
        turns += 1
    assert turns >= 2
    assert player.page.evaluate("window.pointers") == 0


def lift_by_key(player: Player) -> None:
    """With every play confirmed: lift a tile, so that places for it are offered."""
    play_until(player, "play")
    index = player.page.locator(FITTING).first.get_attribute("data-index")
    player.page.keyboard.press(str(index))
    expect(player.page.locator(".ghost").first).to_be_focused()


def with_confirmation(visits: Visits, size: tuple[int, int] = DESKTOP) -> Player:
    """Somebody at a table who confirms every play."""
    player = visits.new(size, "en-GB")
    player.open()
    player.by("settings").click()
    player.by("set-confirm").check()
    player.by("sheet-close").click()
    player.by("play-bots").click()
    return player


def group_of(testid: str) -> str:
    """The part of the table to which something belongs."""
    for group in ("ghost", "tile", "stand-in"):
        if testid.startswith(group):
            return group
    return testid


def test_the_focus_goes_from_talk_to_pass(visits: Visits) -> None:
    player = with_confirmation(visits)
    lift_by_key(player)
    player.page.locator(".skip").focus()
    order: list[str] = []
    for _ in range(FAR):
        player.page.keyboard.press("Tab")
        group = group_of(player.page.evaluate(FOCUSED))
        if group == "skip":
            break
        if order[-1:] != [group]:
            order.append(group)
    parts = [group for group in order if group in {"talk", "ghost", "tile", "pass"}]
    assert parts == ["talk", "ghost", "tile", "pass"]


def test_escape_puts_the_tile_back_and_the_focus_on_it(visits: Visits) -> None:
    player = with_confirmation(visits, PHONE)
    lift_by_key(player)
    lifted = player.page.locator(".hand-tile[aria-pressed=true]").get_attribute("data-testid")
    turn = player.turn()
    player.page.keyboard.press("Escape")
    expect(player.page.locator(".ghost")).to_have_count(0)
    assert player.page.evaluate(FOCUSED) == lifted
    assert player.turn() == turn
    player.page.keyboard.press("ArrowRight")
    assert player.page.evaluate(FOCUSED) != lifted


LIFT_AT_ONCE = """([fitting, before]) => {
    new MutationObserver((_, observer) => {
        const { mine, turn } = document.querySelector(".table-page").dataset;
        if (mine !== "play" || turn === before) return;
        observer.disconnect();
        const key = document.querySelector(fitting).dataset.index;
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
}"""
"""Presses the key of a tile that fits in the moment in which it is one's next turn to play."""


def test_no_key_comes_too_early_in_a_turn(visits: Visits) -> None:
    player = with_confirmation(visits)
    play_until(player, "play")
    player.page.evaluate(LIFT_AT_ONCE, [FITTING, player.turn()])
    play_a_turn(player, "play")
    play_until(player, "play")
    expect(player.page.locator(".ghost").first).to_be_focused()


def test_keys_read_the_table(visits: Visits) -> None:
    player = visits.new(locale="en-GB")
    player.play_bots()
    play_until(player, "play")
    heard = player.by("live").locator("p").last
    player.page.keyboard.press("m")
    expect(heard).to_contain_text("Score: 0 to 0")
    expect(heard).to_contain_text("Your tiles:")
    player.page.keyboard.press("t")
    expect(heard).to_have_text("No clock.")
    player.page.keyboard.press("u")
    expect(heard).not_to_have_text("No clock.")


def test_the_keys_are_told_and_can_be_switched_off(visits: Visits) -> None:
    player = visits.new(locale="en-GB")
    player.play_bots()
    play_until(player, "play")
    player.page.keyboard.press("?")
    sheet = player.by("keys-sheet")
    for key in ("1–6", "← →", "Enter", "P", "Esc", "M", "U", "T", "F", "?"):
        expect(sheet.locator("kbd").get_by_text(key, exact=True)).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    player.by("menu").click()
    player.by("set-letters").uncheck()
    player.by("sheet-close").click()
    heard = player.by("live").locator("p").all_inner_texts()
    for key in ("m", "u", "t", "?", "f", "1"):
        player.page.keyboard.press(key)
    expect(player.page.locator("dialog[open]")).to_have_count(0)
    assert player.by("live").locator("p").all_inner_texts() == heard
    assert player.page.locator(".hand-tile[aria-pressed=true]").count() == 0
    fitting = player.page.locator(FITTING).first.get_attribute("data-testid") or ""
    turn = player.turn()
    tab_to(player, fitting)
    player.page.keyboard.press("Enter")
    if player.page.locator(".ghost").count():
        player.page.keyboard.press("Enter")
    player.await_next_turn(turn)
