"""What the page looks like for those who see, touch or move less: stillness, size, night."""

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Visits
from .gallery import DRAWN, SIZES
from .page import ENDS, FITTING, Player
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn

COUNT_MOTION = """
window.moved = 0;
window.names = new Set();
const look = () => {
    const moving = document.getAnimations().filter(({ playState }) => playState === "running");
    window.moved += moving.length;
    for (const { animationName, transitionProperty } of moving)
        window.names.add(animationName ?? transitionProperty ?? "script");
    requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


NOTE_SIZES = """() => {
    window.sizes = new Set();
    const note = ([{ contentRect }]) => sizes.add(`${contentRect.width}x${contentRect.height}`);
    new ResizeObserver(note).observe(document.querySelector('[data-testid="board"]'));
}"""


def play_with_a_clock(player: Player) -> None:
    """A table with a clock of 15 s and three bots."""
    player.open()
    player.open_table("clock-15")
    player.by("start").click()


def play_a_hand(player: Player) -> None:
    """To the end of a hand, whatever is asked."""
    while (what := player.await_something_to_do()) not in ENDS:
        play_a_turn(player, what)


def test_the_board_keeps_its_size_through_a_hand(visits: Visits) -> None:
    player = visits.new((360, 640))
    player.play_bots()
    player.page.evaluate(NOTE_SIZES)
    play_a_hand(player)
    assert player.page.evaluate("sizes.size") == 1


@pytest.mark.parametrize("by", ["system", "setting"])
def test_nothing_moves_where_motion_is_not_wanted(visits: Visits, by: str) -> None:
    player = visits.new((390, 844))
    player.page.add_init_script(COUNT_MOTION)
    if by == "setting":
        player.page.emulate_media(reduced_motion="no-preference")
        player.open()
        player.by("settings").click()
        player.by("set-motion").uncheck()
        player.by("sheet-close").click()
        player.page.reload()
    play_with_a_clock(player)
    play_a_hand(player)
    assert player.page.evaluate("[window.moved, ...window.names]") == [0]


def test_things_move_otherwise(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.page.add_init_script(COUNT_MOTION)
    player.page.emulate_media(reduced_motion="no-preference")
    play_with_a_clock(player)
    play_until(player, "play")
    play_a_turn(player, "play")
    player.page.wait_for_function("() => window.moved > 0")


LESS_THAN_WHOLE = """() => {
    const offset = document.querySelector(".self .wipe")?.style.strokeDashoffset || "0";
    const left = document.querySelector(".self .digits")?.textContent;
    return parseFloat(offset) <= -1 && left !== "0" && left;
}"""
"""The seconds that are left of one's turn, once a gore is gone."""


def test_the_ring_loses_gores_even_where_nothing_moves(visits: Visits) -> None:
    player = visits.new((390, 844))
    play_with_a_clock(player)
    play_until(player, "play")
    left = int(str(player.page.wait_for_function(LESS_THAN_WHOLE).json_value()))
    assert 0 < left < 15


TARGETS = """() => {
    const operated = "button, a[href], input, select, [role=button]";
    const seen = [...document.querySelectorAll(operated)].filter((one) => one.checkVisibility());
    const top = document.querySelector("dialog[open]") ?? document;
    return seen.filter((one) => top.contains(one) && !one.matches(".skip")).map((one) => {
        const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
        return [one.dataset.testid ?? one.className, Math.round(width), Math.round(height)];
    });
}"""


PHONES = [size for size in SIZES if size[0] < 900]
DESKTOPS = [size for size in SIZES if size[0] >= 900]


class Ruler:
    """Turns a window from size to size and measures what can be pressed in it."""

    def __init__(self, player: Player, sizes: list[tuple[int, int]]) -> None:
        self._player = player
        self._sizes = sizes

    def small(self, least: int) -> list[Any]:
        """What is smaller than that in any direction and size of the window, with its size."""
        return [target for target in self._targets() if min(target[2:]) < least]

    def small_beside_tiles(self) -> list[Any]:
        """The same for 44 px, where tiles of the hand may be as narrow as 40."""
        return [one for one in self.small(44) if not (one[1].startswith("tile-") and one[2] >= 40)]

    def _targets(self) -> list[Any]:
        return [[size, *target] for size in self._sizes for target in self._at(size)]

    def _at(self, size: tuple[int, int]) -> list[Any]:
        page = self._player.page
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(DRAWN)
        found = page.evaluate(TARGETS)
        assert found
        return list(found)


@pytest.mark.parametrize("sizes", [PHONES, DESKTOPS], ids=["phones", "desktops"])
def test_targets_are_large_enough(visits: Visits, sizes: list[tuple[int, int]]) -> None:
    player = visits.new(sizes[0])
    ruler = Ruler(player, sizes)
    player.open()
    expect(player.by("play-bots")).to_be_visible()
    assert ruler.small(40) == []
    player.by("settings").click()
    player.by("set-confirm").check()
    assert ruler.small(40) == []
    player.by("sheet-close").click()
    player.by("play-bots").click()
    play_until(player, "play")
    player.page.locator(FITTING).first.click()
    expect(player.page.locator(".ghost").first).to_be_visible()
    assert ruler.small_beside_tiles() == []
    player.by("menu").click()
    expect(player.by("menu-sheet")).to_be_visible()
    assert ruler.small(40) == []
    player.by("set-tiles-small").check()
    player.by("sheet-close").click()
    expect(player.by("menu-sheet")).to_be_hidden()
    assert ruler.small(24) == []


LOST = """() => {
    const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
    const told = "button, .prompt b, .prompt span, .score b, .name b, h1, h2";
    const shown = [...document.querySelectorAll(told)]
        .filter((one) => one.checkVisibility() && !one.closest(".unseen, dialog:not([open])"));
    const scrolls = (one) => {
        if (one === null) return false;
        const may = /auto|scroll/.test(getComputedStyle(one).overflowY);
        return (may && one.scrollHeight > one.clientHeight) || scrolls(one.parentElement);
    };
    const longPage = document.documentElement.scrollHeight > clientHeight;
    const lost = shown.filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const outside = top < -1 || bottom > clientHeight + 1;
        return left < -1 || right > clientWidth + 1 || (outside && !longPage && !scrolls(one));
    });
    const names = lost.map((one) => one.dataset.testid ?? one.textContent);
    return scrollWidth > clientWidth ? [...names, "the page is too wide"] : names;
}"""
"""What is told or operated and cannot be seen, nor be scrolled to."""


def enlarge_text(player: Player) -> None:
    """As by the browser's own setting: every text twice as large."""
    session = player.context.new_cdp_session(player.page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)])
def test_text_twice_as_large_loses_nothing(visits: Visits, size: tuple[int, int]) -> None:
    player = visits.new(size)
    enlarge_text(player)
    player.open()
    assert player.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    expect(player.by("play-bots")).to_be_visible()
    player.picture(f"large-{size[0]}-home")
    assert player.page.evaluate(LOST) == []
    player.by("play-bots").click()
    play_until(player, "play")
    player.picture(f"large-{size[0]}-table")
    assert player.page.evaluate(LOST) == []
    play_a_turn(player, "play")
    player.by("menu").click()
    player.picture(f"large-{size[0]}-menu")
    assert player.page.evaluate(LOST) == []


def test_the_night_is_dark(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.page.emulate_media(color_scheme="dark")
    player.play_bots()
    play_until(player, "play")
    player.picture("night")
    page = player.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page == "rgb(22, 26, 48)"
    faces = player.page.locator(".hand-tile:not(.dimmed) .face")
    fills = faces.evaluate_all("all => all.map(one => getComputedStyle(one).fill)")
    assert set(fills) == {"rgb(255, 250, 236)"}
