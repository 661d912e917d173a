"""How smoothly tiles land: frames and long tasks in the built page, as a table.

    python -m tests.web.frames [--hands 3] [--size 390x844]

Run it from the root on a quiet machine after `make web`. It plays hands against three bots, once
as the machine is and once slowed down four times, and looks at the 400 ms after each tile came to
the table: its landing takes 180 ms of them, a step of the view 250.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import quantiles

from laelo_tools.platform import Options
from playwright.sync_api import Browser, sync_playwright

from .conftest import ARGUMENTS, RESULTS, Background, chromium_path
from .page import Player
from .test_whole_match import play_a_turn

RATES = (1, 4)
OPTIONS = Options(port=0, pause_ms=700, bot_delay_ms="600", tables=1)
RECORD = """
window.frames = []; window.tasks = []; window.landings = [];
let before = performance.now();
const frame = (now) => {
    window.frames.push([now, now - before]);
    before = now;
    requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
new MutationObserver((changes) => {
    const laid = (node) => node.parentElement?.matches(".camera");
    if (changes.some(({ addedNodes }) => [...addedNodes].some(laid)))
        window.landings.push(performance.now());
}).observe(document, { childList: true, subtree: true });
"""
WINDOW = 400.0
"""After a tile has come, in milliseconds."""


@dataclass
class Figures:
    """What was seen while tiles landed; times in milliseconds."""

    landings: int
    frames: list[float]
    tasks: list[float]

    def row(self, rate: int) -> str:
        """A line of the table."""
        p50, p95 = (quantiles(self.frames, n=100)[at - 1] for at in (50, 95))
        worst = max(self.tasks, default=0.0)
        return (
            f"{rate:>4} {self.landings:>8} {len(self.frames):>7} {p50:>7.1f} {p95:>7.1f}"
            f" {max(self.frames):>7.1f} {len(self.tasks):>10} {worst:>9.0f}"
        )


@contextmanager
def platform() -> Iterator[str]:
    """A platform whose bots play at the pace of people in a hurry, or the one that is named."""
    running = os.environ.get("LAELO_URL")
    if running:
        yield running
        return
    background = Background()
    try:
        yield background.start(OPTIONS)
    finally:
        background.stop()


def play_hands(player: Player, hands: int) -> None:
    """Play on to the end of so many hands."""
    while hands:
        what = player.await_something_to_do()
        if what == "match-end":
            return
        if what == "hand-end":
            hands -= 1
            player.await_next_turn(player.turn())
        else:
            play_a_turn(player, what)


def measure(browser: Browser, url: str, rate: int, asked: argparse.Namespace) -> Figures:
    """Play with the processor slowed down so many times."""
    width, height = (int(side) for side in asked.size.split("x"))
    context = browser.new_context(viewport={"width": width, "height": height})
    player = Player(context, url, RESULTS)
    player.play_bots()
    player.await_something_to_do()
    context.new_cdp_session(player.page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    player.page.evaluate(f"() => {{ {RECORD} }}")
    play_hands(player, asked.hands)
    landings, frames, tasks = player.page.evaluate("[landings, frames, tasks]")
    context.close()

    def landing(moment: float) -> bool:
        return any(start <= moment <= start + WINDOW for start in landings)

    return Figures(
        len(landings),
        [length for moment, length in frames if landing(moment)],
        [length for moment, length in tasks if landing(moment + length)],
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3)
    parser.add_argument("--size", default="390x844")
    asked = parser.parse_args()
    path = chromium_path()
    if path is None:
        parser.error("no Chromium found: name it with LAELO_CHROMIUM")
    print(" CPU landings  frames  median     p95     max long tasks  worst ms")
    with platform() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for rate in RATES:
            print(measure(browser, url, rate, asked).row(rate), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
