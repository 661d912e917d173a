"""What a person can rely on at the table: keyboard, settings, a lost connection, the link."""

import json
import re

from playwright.sync_api import Page, WebSocketRoute, expect

from .conftest import Visits
from .page import FITTING, Player
from .test_whole_match import play_a_turn

NOBODYS_TABLE = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


def play_until(player: Player, wanted: str) -> None:
    """Play on until the page asks for a certain thing."""
    while (what := player.await_something_to_do()) != wanted:
        assert what != "match-end"
        if what == "hand-end":
            player.await_next_hand()
        else:
            play_a_turn(player, what)


def test_confirming_every_play(visits: Visits) -> None:
    player = visits.new()
    player.play_bots()
    player.by("menu").click()
    player.by("set-confirm").check()
    player.by("sheet-close").click()
    play_until(player, "play")
    turn = player.turn()
    tile = player.page.locator(FITTING).first
    tile.click()
    expect(player.page.locator(".ghost").first).to_be_visible()
    assert tile.get_attribute("aria-pressed") == "true"
    player.page.keyboard.press("Escape")
    expect(player.page.locator(".ghost")).to_have_count(0)
    assert player.turn() == turn
    tile.click()
    player.page.locator(".ghost").first.click()
    player.await_next_turn(turn)


def test_without_dimming_no_tile_gives_itself_away(visits: Visits) -> None:
    player = visits.new()
    player.open()
    player.by("settings").click()
    player.by("set-dim").uncheck()
    player.by("sheet-close").click()
    player.by("play-bots").click()
    play_until(player, "play")
    expect(player.page.locator(".hand-tile.dimmed")).to_have_count(0)
    labels = player.page.locator(".hand-tile").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label') + one.getAttribute('aria-disabled'))"
    )
    assert not any("encaixa" in label or "true" in label for label in labels)


def test_a_lost_connection_is_said_and_mended(visits: Visits) -> None:
    player = visits.new()
    player.play_bots()
    play_until(player, "play")
    held = player.tiles_in_hand()
    turn = player.turn()
    player.context.set_offline(True)
    player.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(player.by("banner-down")).to_be_visible()
    player.picture("offline")
    player.page.locator(".hand-tile").first.click(force=True)
    assert player.tiles_in_hand() == held
    player.context.set_offline(False)
    expect(player.by("banner-down")).to_be_hidden()
    assert player.turn() == turn
    assert player.tiles_in_hand() == held
    play_a_turn(player, player.await_something_to_do())


def test_a_dead_line_is_loud_and_says_what_was_missed(visits: Visits) -> None:
    player, other = visits.new(), visits.new((390, 844))
    player.open()
    other.join(player.open_table("clock-60"), 1)
    player.by("start").click()
    expect(player.page.locator(".hand-tile").first).to_be_visible()
    player.context.set_offline(True)
    player.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(player.by("banner-down")).to_contain_text("Seu lugar está guardado")
    expect(player.page.locator(".digits")).to_have_text("?")
    expect(player.page.locator(".own.locked")).to_be_visible()
    player.picture("offline-clock")
    player.context.set_offline(False)
    player.await_toast("De volta!")
    expect(player.page.locator(".digits")).not_to_have_text("?")
    expect(player.page.locator(".own.locked")).to_have_count(0)


class LossyLine:
    """A connection on which one frame gets lost: the next that says whose turn it is here. Counts
    the pings that were sent since and answered before that frame was sent again.
    """

    def __init__(self, page: Page) -> None:
        self.lost: int | None = None
        self.answered = 0
        self.loses = False
        self._pings: set[object] = set()
        self._is_there = False
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        near.on_message(lambda text: self._there(far, str(text)))
        far.on_message(lambda text: self._back(near, str(text)))

    def _there(self, far: WebSocketRoute, text: str) -> None:
        frame = json.loads(text)
        if self.lost is not None and frame["t"] == "ping":
            self._pings.add(frame["d"]["client"])
        far.send(text)

    def _back(self, near: WebSocketRoute, text: str) -> None:
        frame = json.loads(text)
        events = frame["d"].get("events", ()) if frame["t"] == "event" else ()
        if self.loses and any(event.get("plays") for event in events):
            self.loses, self.lost = False, frame["seq"]
            return
        self._is_there = self._is_there or (self.lost is not None and frame.get("seq") == self.lost)
        if frame["t"] == "pong" and frame["d"]["client"] in self._pings and not self._is_there:
            self.answered += 1
        near.send(text)


def test_a_lost_last_frame_is_there_within_two_pings(visits: Visits) -> None:
    player = visits.new()
    line = LossyLine(player.page)
    player.play_bots()
    play_until(player, "play")
    line.loses = True
    while line.lost is None:
        what = player.asked()
        if what:
            play_a_turn(player, what)
        else:
            player.page.wait_for_timeout(50)
    expect(player.page.locator(f'.table-page[data-seq="{line.lost}"]')).to_be_visible()
    assert line.answered <= 2
    assert player.asked() == "play"


class BadLine:
    """A connection that loses some frames in either direction and breaks off now and then."""

    def __init__(self, page: Page) -> None:
        self.lost = 0
        self.broken = 0
        self._frames = 0
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        near.on_message(lambda text: self._carry(near, far, text))
        far.on_message(lambda text: self._carry(near, near, text))

    def _carry(self, near: WebSocketRoute, to: WebSocketRoute, text: str | bytes) -> None:
        self._frames += 1
        if self._frames % 23 == 0:
            self.broken += 1
            near.close(code=3000)
        elif self._frames % 9 == 0:
            self.lost += 1
        else:
            to.send(text)


def test_playing_over_a_bad_line(visits: Visits) -> None:
    player = visits.new()
    player.context.set_default_timeout(60_000)
    line = BadLine(player.page)
    player.play_bots()
    while not (line.lost and line.broken):
        what = player.await_something_to_do()
        assert what != "match-end"
        if what == "hand-end":
            player.await_next_hand()
        else:
            play_a_turn(player, what)
    assert player.await_something_to_do()


def test_a_reload_keeps_the_seat(visits: Visits) -> None:
    player = visits.new()
    player.play_bots()
    play_until(player, "play")
    held = player.tiles_in_hand()
    player.page.reload()
    assert player.await_something_to_do() == "play"
    assert player.tiles_in_hand() == held
    player.open()
    player.by("resume").click()
    assert player.await_something_to_do() == "play"


def test_a_wrong_link_says_so_and_leads_on(visits: Visits) -> None:
    player = visits.new()
    player.open(f"/t/{NOBODYS_TABLE}")
    expect(player.page.get_by_text("Essa mesa não existe")).to_be_visible()
    player.by("go-home").click()
    expect(player.by("play-bots")).to_be_visible()
    player.open("/t/nonsense")
    expect(player.page.get_by_text("Esta página não existe")).to_be_visible()
    player.open()
    player.by("join-link").fill("qualquer coisa")
    player.by("join-go").click()
    expect(player.page.get_by_text("sem O, I, zero e um")).to_be_visible()


def test_friends_sit_down_by_the_link(visits: Visits) -> None:
    host, friend = visits.new(), visits.new((390, 844), "es-AR")
    host.open()
    host.call_oneself("Anna")
    host.open_table()
    link = host.by("table-link").input_value()
    friend.page.goto(link)
    friend.by("sit-2").click()
    expect(host.by("chair-2").locator(".avatar")).to_be_visible()
    host.picture("lobby-desktop")
    host.by("bot-1").click()
    expect(friend.by("chair-1")).to_contain_text("robot")
    friend.by("unbot-1").click()
    expect(host.by("bot-1")).to_be_visible()
    friend.picture("lobby-phone")
    expect(host.by("start")).to_contain_text("Começar com 2 robôs")
    host.by("start").click()
    for player in (host, friend):
        expect(player.page.locator(".hand-tile")).to_have_count(6)
    expect(friend.by("seat-0")).to_contain_text("Anna")
    assert not set(host.tiles_in_hand()) & set(friend.tiles_in_hand())


def test_who_comes_late_sees_what_a_follower_sees(visits: Visits) -> None:
    player, follower = visits.new(), visits.new()
    player.play_bots()
    address = re.sub(r"^https?://[^/]+", "", player.page.url)
    follower.open(address)
    expect(follower.by("board")).to_be_visible()
    for _ in range(3):
        play_until(player, "play")
        play_a_turn(player, "play")
    play_until(player, "play")
    seq = player.page.locator(".table-page").get_attribute("data-seq")
    late = visits.new()
    late.open(address)
    for watcher in (follower, late):
        expect(watcher.page.locator(f'.table-page[data-seq="{seq}"]')).to_be_visible()
    seen = [watcher.page.locator(".camera").inner_html() for watcher in (follower, late)]
    assert seen[0] == seen[1]
    assert not follower.tiles_in_hand()


def test_a_language_chosen_by_hand_stays(visits: Visits) -> None:
    player = visits.new()
    player.open()
    player.by("lang-en").click()
    expect(player.by("play-bots")).to_contain_text("Play with three bots")
    player.page.reload()
    expect(player.by("play-bots")).to_contain_text("Play with three bots")
