"""A whole hand for somebody who sees nothing: played by what the live region says, by keyboard."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import WebSocket, expect

from .conftest import Visits
from .page import Player

LISTEN = """
window.heard = [];
new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
        for (const node of addedNodes) {
            if (node.nodeType !== 1) continue;
            const all = [node, ...node.querySelectorAll("p")];
            const lines = all.filter((one) => one.matches('[data-testid="live"] > p'));
            window.heard.push(...lines.map((line) => line.textContent));
        }
}).observe(document, { childList: true, subtree: true });
"""
"""Keeps what a screen reader would read out: each line that comes into the live region."""

NUMBERS = ["blank", "one", "two", "three", "four", "five", "six"]
NUMBER = "|".join(NUMBERS)
TILE = rf"(?:double (?:{NUMBER})|(?:{NUMBER})-(?:{NUMBER}))"
Tile = tuple[int, int]


def tile_of(words: str) -> Tile:
    """`five-three` or `double five`, low half first."""
    halves = re.findall(NUMBER, words)
    low, *_, high = sorted(
        NUMBERS.index(half) for half in (halves if len(halves) > 1 else halves * 2)
    )
    return low, high


@dataclass
class Move:
    """One move as it was told; seats count from one's own."""

    seat: int
    tile: Tile | None = None
    end: str | None = None


@dataclass
class Ears:
    """The table as far as the words that were heard tell of it."""

    seats: dict[str, int] = field(default_factory=lambda: {"You": 0})
    tiles: list[Tile] = field(default_factory=list)
    counts: list[int] = field(default_factory=lambda: [6] * 4)
    ends: tuple[int, int] | None = None
    moves: list[Move] = field(default_factory=list)
    openers: list[int] = field(default_factory=list)
    asked: str = ""
    must_open: Tile | None = None
    result: re.Match[str] | None = None
    match_over: bool = False

    def hear(self, line: str) -> None:
        """Take in one line of the live region."""
        self._seats(line)
        if hand := re.search(rf"Hand \d+\. Your tiles: ((?:{TILE}(?:, )?)+)\.", line):
            self._deal(hand[1])
        names = "|".join(map(re.escape, self.seats))
        moves = rf"({names}) (?:played ({TILE})(?:, on the (left|right))?|(passed|opens?))\."
        for name, tile, end, other in re.findall(moves, line):
            self._move(self.seats[name], tile, end, other)
        self._ask(line)
        self.result = self.result or re.search(
            rf"(?:({names}) won the hand\. .*?(\d+) points? for (us|them)|Nobody scores)\."
            r" Score: (\d+) to (\d+)\.",
            line,
        )
        self.match_over = self.match_over or "We won!" in line or "We lost." in line

    def _seats(self, line: str) -> None:
        places = {"plays after you": 1, "partner": 2, "plays before you": 3}
        if told := re.search(r"At the table: (.*?)\.", line):
            for name, place in re.findall(r"([^:;]+?)(?: \(bot\))?: ([^;]+)", told[1]):
                self.seats[name.strip()] = places[place]

    def _deal(self, names: str) -> None:
        self.tiles = [tile_of(name) for name in re.findall(TILE, names)]
        self.counts, self.ends, self.moves, self.openers = [6] * 4, None, [], []

    def _move(self, seat: int, tile: str, end: str, other: str) -> None:
        if other.startswith("open"):
            self.openers.append(seat)
        elif other == "passed":
            self.moves.append(Move(seat))
        else:
            self._played(Move(seat, tile_of(tile), end or None))

    def _played(self, move: Move) -> None:
        assert move.tile is not None
        self.moves.append(move)
        self.counts[move.seat] -= 1
        if move.seat == 0:
            self.tiles.remove(move.tile)
        if self.ends is None:
            self.ends = move.tile
            return
        left, right = self.ends
        open_now = left if move.end == "left" else right
        other = move.tile[1] if move.tile[0] == open_now else move.tile[0]
        self.ends = (other, right) if move.end == "left" else (left, other)

    def _ask(self, line: str) -> None:
        if opening := re.search(rf"You open with the ({TILE})\.", line):
            self.asked, self.must_open = "play", tile_of(opening[1])
        elif "Your turn. " in line:
            self.asked, self.must_open = "play", None
        elif "You must pass." in line:
            self.asked = "pass"
        elif "Who opens?" in line:
            self.asked = "choose"

    def choice(self) -> int:
        """Which of one's tiles to lay, as its place in the hand."""
        if self.must_open is not None:
            return self.tiles.index(self.must_open)
        if self.ends is None:
            return 0
        return next(i for i, tile in enumerate(self.tiles) if set(tile) & set(self.ends))

    def fits_both(self, tile: Tile) -> bool:
        """Whether the page will ask for the end."""
        return (
            self.ends is not None and self.ends[0] != self.ends[1] and set(self.ends) == set(tile)
        )


TRIES = 20
LONG = 15_000
"""After which somebody wonders why they hear nothing, in milliseconds."""


class Blind:
    """Plays by ear and by keyboard."""

    def __init__(self, player: Player) -> None:
        self.ears = Ears()
        self._asked = ""
        self._page = player.page
        self._page.add_init_script(LISTEN)

    def listen(self) -> None:
        """Wait for the next words; of the next hand nothing matters. Who hears nothing for long
        does again what was asked for: without a connection keys do nothing.
        """
        for _ in range(TRIES):
            if self._hears():
                break
            self.ears.asked = self._asked
            self.answer()
        else:
            pytest.fail("nothing is told any more")
        for line in self._page.evaluate("window.heard.splice(0)"):
            if self.ears.result is None:
                self.ears.hear(line)

    def _hears(self) -> bool:
        try:
            self._page.wait_for_function("() => window.heard.length > 0", timeout=LONG)
        except TooLate:
            return False
        return True

    def answer(self) -> None:
        """Do what was asked for."""
        ears, keyboard = self.ears, self._page.keyboard
        asked, ears.asked = ears.asked, ""
        self._asked = asked or self._asked
        if asked == "pass":
            keyboard.press("p")
        elif asked == "choose":
            self._tab_to("choose-me")
            keyboard.press("Enter")
        elif asked == "play":
            at = ears.choice()
            asks_end = ears.fits_both(ears.tiles[at])
            keyboard.press(str(at + 1))
            if asks_end:
                keyboard.press("ArrowRight")
                keyboard.press("Enter")

    def _tab_to(self, testid: str) -> None:
        for _ in range(40):
            if self._page.evaluate("document.activeElement.dataset.testid") == testid:
                return
            self._page.keyboard.press("Tab")
        pytest.fail(f"{testid} cannot be reached by Tab")


class Log:
    """What the server told this seat, to compare with."""

    def __init__(self, player: Player) -> None:
        self.me = 0
        self.events: list[dict[str, Any]] = []
        player.page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _frame(self, text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["t"] == "snapshot":
            self.me = frame["d"].get("me", self.me)
        if frame["t"] == "event":
            self.events += frame["d"]["events"]

    def hand(self) -> list[dict[str, Any]]:
        """The events of the first hand."""
        kinds = [event["k"] for event in self.events]
        return self.events[kinds.index("dealt") : kinds.index("hand_ended") + 1]

    def moves(self) -> list[Move]:
        """The moves of the hand."""
        told = [event for event in self.hand() if event["k"] in ("played", "passed")]
        return [self._move(event) for event in told]

    def _move(self, event: dict[str, Any]) -> Move:
        seat = (event["seat"] - self.me) % 4
        if event["k"] == "passed":
            return Move(seat)
        low, high = sorted(event["tile"])
        return Move(seat, (low, high), event.get("end"))


def follow_a_hand(visits: Visits, size: tuple[int, int]) -> tuple[Player, Blind, Log]:
    """Start a match and play its first hand without looking."""
    player = visits.new(size, "en-GB")
    blind, log = Blind(player), Log(player)
    player.open()
    player.by("play-bots").focus()
    player.page.keyboard.press("Enter")
    while blind.ears.result is None:
        blind.listen()
        blind.answer()
    return player, blind, log


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_whole_hand_by_ear(visits: Visits, size: tuple[int, int]) -> None:
    player, blind, log = follow_a_hand(visits, size)
    ears, end = blind.ears, log.hand()[-1]["end"]
    assert ears.moves == log.moves()
    played = [event for event in log.hand() if event["k"] == "played"]
    assert ears.ends is not None
    assert sorted(ears.ends) == sorted(played[-1]["ends"])
    held = [end["hands"][(log.me + step) % 4] for step in range(4)]
    assert ears.counts == [len(tiles) for tiles in held]
    assert sorted(ears.tiles) == sorted((min(tile), max(tile)) for tile in held[0])
    assert ears.result is not None
    winner, points, side, us, them = ears.result.groups()
    own = log.me % 2
    assert [int(us), int(them)] == [end["scores"][own], end["scores"][1 - own]]
    if end.get("winner") is None:
        assert winner is None
    else:
        assert ears.seats[winner] == (end["winner"] - log.me) % 4
        assert int(points) == end["points"]
        assert side == ("us" if end["team"] == own else "them")
    expect(player.page.locator(".table-page [aria-live]")).to_have_count(1)


def test_who_comes_back_hears_how_the_table_stands(visits: Visits) -> None:
    player = visits.new((1280, 800), "en-GB")
    blind = Blind(player)
    player.open()
    player.by("play-bots").click()
    while blind.ears.asked == "":
        blind.listen()
    known = blind.ears
    player.page.reload()
    back = Blind(player)
    while back.ears.asked == "":
        back.listen()
    assert (back.ears.seats, back.ears.tiles) == (known.seats, known.tiles)
    assert back.ears.asked == known.asked
