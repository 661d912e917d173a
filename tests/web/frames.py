"""How smoothly tiles land: frames and long tasks in the built page, as a table.

    python -m tests.web.frames [--hands 3] [--size 390x844]

Run it from the root on a quiet machine after `make web`. It plays hands against three bots, once
as the machine is and once slowed down four times, and looks at the 400 ms after each tile came to
the table: its landing takes 180 ms of them, a step of the view 250. Frames are told by the clock on
the wall; tasks by both that and the time of the processor, which is less where others want it, too.
"""

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import quantiles

from laelo_tools.platform import Options
from playwright.sync_api import Browser, sync_playwright

from .conftest import ARGUMENTS, RESULTS, Background, chromium_path
from .page import Player

RATES = (1, 4)
OPTIONS = Options(port=0, pause_ms=700, bot_delay_ms="600", tables=1)
RECORD = """
window.frames = []; window.landings = [];
let before = performance.now();
const frame = (now) => {
    window.frames.push([now, now - before]);
    before = now;
    requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
new MutationObserver((changes) => {
    const laid = (node) => node.parentElement?.matches(".camera");
    if (!changes.some(({ addedNodes }) => [...addedNodes].some(laid))) return;
    window.landings.push(performance.now());
    performance.mark("laid");
}).observe(document, { childList: true, subtree: true });
"""
COUNT_HANDS = """
window.hands = 0;
let over = false;
setInterval(() => {
    const ends = document.querySelector(".hand-end, .match-end") !== null;
    if (ends && !over) window.hands += 1;
    over = ends;
}, 150);
"""
EVERY = 150
"""Looks for what it is asked so often, in milliseconds, from within the page: what a test's own
eyes and hands cost would be measured, too."""

WINDOW = 400.0
"""After a tile has come, in milliseconds."""


CATEGORIES = ["toplevel", "blink.user_timing", "disabled-by-default-devtools.timeline"]
LONG = 50.0
"""From here on a task is long, in milliseconds."""


@dataclass
class Task:
    """What ran in one go: how long it took by the wall's clock and of the processor."""

    wall: float
    processor: float


@dataclass
class Figures:
    """What was seen while tiles landed; times in milliseconds."""

    landings: int
    frames: list[float]
    tasks: list[Task]

    def row(self, rate: int) -> str:
        """A line of the table."""
        p50, p95 = (quantiles(self.frames, n=100)[at - 1] for at in (50, 95))
        both = zip(*((task.wall, task.processor) for task in self.tasks), strict=True)
        worst = [f"{sum(time > LONG for time in times):>7} {max(times):>7.0f}" for times in both]
        return (
            f"{rate:>4} {self.landings:>8} {len(self.frames):>7} {p50:>7.1f} {p95:>7.1f}"
            f" {max(self.frames):>7.1f} {' '.join(worst)}"
        )


def tasks_of(trace: bytes) -> list[Task]:
    """All tasks around a landing."""
    events = json.loads(trace)["traceEvents"]
    laid = [event for event in events if event["name"] == "laid" and "ts" in event]
    main = {(event["pid"], event["tid"]) for event in laid}
    moments = [event["ts"] for event in laid]
    tasks = [
        event
        for event in events
        if event["name"] == "RunTask" and "tdur" in event
        if (event["pid"], event["tid"]) in main
    ]
    return [
        Task(task["dur"] / 1000, task["tdur"] / 1000)
        for task in tasks
        if any(task["ts"] - WINDOW * 1000 <= at <= task["ts"] + task["dur"] for at in moments)
    ]


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


def measure(browser: Browser, url: str, rate: int, asked: argparse.Namespace) -> Figures:
    """Play with the processor slowed down so many times."""
    width, height = (int(side) for side in asked.size.split("x"))
    context = browser.new_context(viewport={"width": width, "height": height})
    player = Player(context, url, RESULTS)
    player.play_bots()
    player.await_something_to_do()
    context.new_cdp_session(player.page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    browser.start_tracing(page=player.page, categories=CATEGORIES)
    player.page.evaluate(f"() => {{ {RECORD} {COUNT_HANDS} }}")
    player.play_on(EVERY)
    done = f"() => window.hands >= {asked.hands} || document.querySelector('.match-end')"
    player.page.wait_for_function(done, polling=1_000, timeout=0)
    landings, frames = player.page.evaluate("[landings, frames]")
    tasks = tasks_of(browser.stop_tracing())
    context.close()
    seen = [
        length
        for moment, length in frames
        if any(start <= moment <= start + WINDOW for start in landings)
    ]
    return Figures(len(landings), seen, tasks)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3)
    parser.add_argument("--size", default="390x844")
    asked = parser.parse_args()
    path = chromium_path()
    if path is None:
        parser.error("no Chromium found: name it with LAELO_CHROMIUM")
    print(f"{'by the wall':>61} {'of the processor':>17}")
    print(" CPU landings  frames  median     p95     max" + " over 50   worst" * 2)
    with platform() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for rate in RATES:
            print(measure(browser, url, rate, asked).row(rate), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
