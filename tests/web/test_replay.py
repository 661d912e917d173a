"""A match again, move by move: what is shown is what the table told while it was played."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, StorageState, WebSocket, expect

from .conftest import RESULTS, Visits
from .lines import HeldLine
from .page import Player
from .test_whole_match import play_a_turn

Tile = tuple[int, int]
NOWHERE = "/partida/01ARZ3NDEKTSV4RRFFQ69G5FAV/1?mao=1"


@dataclass
class Hand:
    """A hand as the table told it."""

    moves: list[dict[str, Any]] = field(default_factory=list)
    left: list[list[Tile]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)

    def held(self, seat: int, move: int) -> list[Tile]:
        """What somebody held after so many moves."""
        later = [m["tile"] for m in self.moves[move:] if m["seat"] == seat and m["k"] == "played"]
        return sorted(tuple(tile) for tile in [*self.left[seat], *later])

    def lying(self, move: int) -> list[Tile]:
        """What lay on the table after so many moves."""
        return [tuple(m["tile"]) for m in self.moves[:move] if m["k"] == "played"]


class Record:
    """Listens to the table while a match is played."""

    def __init__(self, page: Page) -> None:
        self.hands: list[Hand] = []
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, text: str | bytes) -> None:
        frame = json.loads(text)
        for event in frame["d"]["events"] if frame["t"] == "event" else ():
            if event["k"] == "dealt":
                self.hands.append(Hand())
            elif event["k"] in ("played", "passed"):
                self.hands[-1].moves.append(event)
            elif event["k"] == "hand_ended":
                self.hands[-1].left = event["end"]["hands"]
                self.hands[-1].scores = event["end"]["scores"]


@dataclass
class Played:
    """A match that is over: where it is, what was told of it, and whose browser it was."""

    path: str
    hands: list[Hand]
    owner: StorageState


@pytest.fixture(scope="module")
def played(browser: Browser, url: str) -> Iterator[Played]:
    RESULTS.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="pt-BR")
    player = Player(context, url, RESULTS)
    record = Record(player.page)
    player.play_bots()
    player.play_on()
    player.await_match_end()
    player.by("replay-match").click()
    player.await_replay()
    path = player.page.url.removeprefix(url).partition("?")[0]
    yield Played(path, record.hands, context.storage_state())
    context.close()
    assert player.errors == []


def open_at(visits: Visits, played: Played, hand: int, move: int, **options: Any) -> Player:
    """Who has played it looks at a moment."""
    player = visits.new(**options)
    player.context.add_init_script(_own(played.owner))
    player.open(f"{played.path}?mao={hand}&lance={move}")
    expect(player.by("track")).to_be_visible()
    return player


def _own(state: StorageState) -> str:
    """Puts what a browser has kept into another one."""
    kept = state["origins"][0]["localStorage"]
    pairs = json.dumps([[item["name"], item["value"]] for item in kept])
    return f"for (const [name, value] of {pairs}) localStorage.setItem(name, value)"


def theatre(player: Player) -> Locator:
    return player.page.locator(".replay")


def expect_at(player: Player, hand: int, move: int) -> None:
    expect(theatre(player)).to_have_attribute("data-hand", str(hand))
    expect(theatre(player)).to_have_attribute("data-move", str(move))


def pips_on_the_table(player: Player) -> int:
    """How many pips lie there: all of a half are one shape, and each begins with an M."""
    shapes = player.page.locator(".camera .pips")
    drawn = shapes.evaluate_all("all => all.map(one => one.getAttribute('d'))")
    return "".join(drawn).count("M")


def tiles_of(player: Player, seat: int) -> list[Tile]:
    """The tiles that lie open in somebody's hand."""
    names = (
        player.by(f"held-{seat}")
        .locator("li")
        .evaluate_all("all => all.map(one => one.dataset.tile)")
    )
    return sorted((int(name[0]), int(name[2])) for name in names)


def test_every_move_is_as_it_was_played(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 1, 0)
    hand = played.hands[0]
    for move in range(len(hand.moves) + 1):
        expect_at(player, 1, move)
        for seat in range(4):
            assert tiles_of(player, seat) == hand.held(seat, move)
        lying = hand.lying(move)
        expect(player.page.locator(".camera .tile")).to_have_count(len(lying))
        assert pips_on_the_table(player) == sum(sum(tile) for tile in lying)
        if move < len(hand.moves):
            player.by("next").click()
    expect(player.by("score-us")).to_have_text(str(hand.scores[0]))
    expect(player.by("score-them")).to_have_text(str(hand.scores[1]))
    player.picture("replay-end-of-hand")


def test_all_hands_are_there_and_end_as_they_did(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 1, 0)
    expect(player.by("pick-hand").locator("option")).to_have_count(len(played.hands))
    for number, hand in enumerate(played.hands, 1):
        player.by("pick-hand").select_option(str(number))
        expect_at(player, number, 0)
        player.by("last").click()
        expect_at(player, number, len(hand.moves))
        for seat in range(4):
            assert tiles_of(player, seat) == hand.held(seat, len(hand.moves))
        expect(player.by("fair")).to_have_attribute("data-fair", "true")
    expect(player.by("live")).to_contain_text("ganharam a partida")


def test_a_link_leads_to_its_moment(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 2, 5, size=(390, 844))
    expect_at(player, 2, 5)
    player.by("next").click()
    player.page.wait_for_url(re.compile(r"\?mao=2&lance=6$"))
    player.by("menu").click()
    expect(player.by("moment-link")).to_have_value(player.page.url)
    player.by("move-3").click()
    player.by("sheet-close").click()
    expect_at(player, 2, 3)
    player.page.wait_for_url(re.compile(r"\?mao=2&lance=3$"))
    player.page.reload()
    expect_at(player, 2, 3)
    player.open(f"{played.path}?mao=99&lance=999")
    expect_at(player, len(played.hands), len(played.hands[-1].moves))


def test_it_is_played_by_keys_alone(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 1, 2)
    end = len(played.hands[0].moves)
    keys = player.page.keyboard
    for key, at in {
        "ArrowRight": (1, 3),
        "ArrowLeft": (1, 2),
        "End": (1, end),
        "Home": (1, 0),
        "PageDown": (2, 0),
        "PageUp": (1, 0),
    }.items():
        keys.press(key)
        expect_at(player, *at)
    for _ in range(3):
        keys.press("ArrowRight")
    keys.press("ArrowLeft")
    expect_at(player, 1, 2)
    player.by("track").focus()
    keys.press("ArrowRight")
    expect_at(player, 1, 3)


PRESS_TWICE_AT_ONCE = """
new MutationObserver((_, observer) => {
    const shown = document.querySelector(".replay");
    if (shown === null) return;
    observer.disconnect();
    for (let n = 0; n < 2; n += 1)
        shown.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
}).observe(document, { childList: true, subtree: true });
"""


def test_no_key_comes_too_early(visits: Visits, played: Played) -> None:
    player = visits.new()
    player.context.add_init_script(_own(played.owner))
    player.context.add_init_script(PRESS_TWICE_AT_ONCE)
    player.open(f"{played.path}?mao=1&lance=4")
    expect_at(player, 1, 6)


def test_it_runs_by_itself_as_fast_as_wanted(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 1, 0)
    player.by("speed").select_option("4")
    player.by("run").click()
    expect(player.by("run")).to_have_attribute("aria-label", "Parar")
    expect(theatre(player)).to_have_attribute("data-hand", "2")
    player.page.keyboard.press("ArrowLeft")
    expect(player.by("run")).not_to_have_attribute("aria-label", "Parar")
    player.by("pick-hand").select_option(str(len(played.hands)))
    player.by("last").click()
    player.by("back").click()
    player.by("run").click()
    expect_at(player, len(played.hands), len(played.hands[-1].moves))
    expect(player.by("run")).not_to_have_attribute("aria-label", "Parar")


def test_only_ones_own_hand_if_one_likes(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 1, 0)
    player.by("open-hands").uncheck()
    for seat in range(1, 4):
        expect(player.by(f"held-{seat}").locator("[data-tile]")).to_have_count(0)
        expect(player.by(f"held-{seat}").locator(".tile-back")).to_have_count(6)
    assert tiles_of(player, 0) == played.hands[0].held(0, 0)


def test_anybody_may_see_what_could_be_watched(visits: Visits, played: Played) -> None:
    stranger = visits.new((844, 390))
    stranger.open(f"{played.path}?mao=1&lance=4")
    expect_at(stranger, 1, 4)
    for seat in range(4):
        assert tiles_of(stranger, seat) == played.hands[0].held(seat, 4)
    stranger.by("menu").click()
    expect(stranger.by("moves")).to_be_visible()
    expect(stranger.by("open-hands")).to_have_count(0)
    expect(theatre(stranger)).not_to_contain_text("Você")


def test_a_picture_and_the_text_of_a_hand(visits: Visits, played: Played) -> None:
    player = open_at(visits, played, 1, 6)
    player.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with player.page.expect_download() as download:
        player.by("share-picture").click()
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1200, 1200)
    download.value.save_as(RESULTS / "replay-picture.png")
    player.by("share-text").click()
    player.await_toast("Texto copiado")
    text = player.page.evaluate("navigator.clipboard.readText()")
    assert text.rstrip().endswith(player.by("moment-link").input_value())
    for number, move in enumerate(played.hands[0].moves, 1):
        tile = " {}|{} ·".format(*move["tile"]) if move["k"] == "played" else " ·"
        assert re.search(rf"(?m)^ *{number}\. .*{re.escape(tile)}", text)
    assert "Você" not in text, "somebody else will read it"
    player.by("copy-link").click()
    player.await_toast("Link copiado")


def test_where_nothing_can_be_copied_the_text_is_shown(visits: Visits, played: Played) -> None:
    player = visits.new()
    player.context.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { get: () => undefined })"
    )
    player.open(played.path)
    player.by("share-text").click()
    expect(player.by("hand-text")).to_have_value(re.compile(r"\n *1\. "))


@pytest.mark.parametrize("language", ["es-AR", "en-GB"])
def test_in_other_languages(visits: Visits, played: Played, language: str) -> None:
    player = open_at(visits, played, 1, 5, size=(360, 640), locale=language)
    expect_at(player, 1, 5)
    expect(player.by("live")).to_have_text(re.compile(r"\w+ .*\w"))
    player.by("menu").click()
    assert "{" not in player.page.locator("body").inner_text()


def test_a_dead_link_says_so_and_leads_on(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open(NOWHERE)
    expect(player.by("replay-lost")).to_contain_text("não existe")
    player.by("to-history").click()
    expect(player.by("none")).to_be_visible()


def test_a_hand_again_while_the_match_goes_on(visits: Visits) -> None:
    player = visits.new()
    line = HeldLine(player.page)
    player.play_bots()
    while (what := player.await_something_to_do()) not in {"hand-end", "match-end"}:
        play_a_turn(player, what)
    address = player.by("replay-hand").get_attribute("href") or ""
    with player.context.expect_page() as opened:
        player.by("replay-hand").click()
    again = player.at(opened.value)
    again.await_replay()
    expect(theatre(again)).to_have_attribute("data-hand", "1")
    assert again.page.url.endswith(address)
    line.let_go()
    player.await_next_turn("pause")
    assert player.await_something_to_do() in {"play", "pass", "choose", "hand-end"}
    expect(player.page.get_by_text("outra janela")).to_have_count(0)
