"""Lighthouse on a phone: three runs of six pages, as a table with the run in the middle.

    python -m tests.web.lighthouse [--only home,rules] [--folder FOLDER]

Run it from the root on a quiet machine after `make web`; it takes about five minutes. Lighthouse
itself is no part of the project: it is fetched by `npx`, or is that of the folder in which somebody
has installed it.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from laelo_tools.platform import Options
from playwright.sync_api import sync_playwright

from .conftest import ARGUMENTS, RESULTS, Background, chromium_path
from .page import Player

VERSION = "12.2.3"
RUNS = 3
PAGES = {
    "home": "/",
    "rules": "/regras",
    "history": "/historico",
    "replay": "",
    "ranking": "/ranking",
    "championship": "/campeonato",
}
"""The address of the replay is known once a match was played."""

OPTIONS = Options(
    port=0, bot_delay_ms="0", pause_ms=700, tables=1, tournaments=1, matchmaking=1, archives=1
)
OTHERS = ("accessibility", "best-practices", "seo")
TIMES = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
}

Report = dict[str, Any]


@contextmanager
def platform() -> Iterator[str]:
    """Where the page is served, with all that stands behind it."""
    background = Background()
    try:
        yield background.start(OPTIONS)
    finally:
        background.stop()


def play_a_match(url: str, chromium: str) -> str:
    """Play against bots; the address of the match, for everybody."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        player = Player(browser.new_context(locale="pt-BR"), url, RESULTS)
        player.play_bots()
        player.play_on()
        player.await_match_end()
        player.by("replay-match").click()
        player.await_replay()
        path = player.page.url.removeprefix(url).partition("?")[0]
        browser.close()
    return path


def run(address: str, chromium: str, folder: Path | None) -> Report:
    """One run, as it is set for phones by default."""
    program = ["npx", "--yes", f"lighthouse@{VERSION}"] if folder is None else ["npx", "lighthouse"]
    flags = " ".join(["--headless=new", *ARGUMENTS])
    answer = subprocess.run(
        [*program, address, "--quiet", "--output=json", f"--chrome-flags={flags}"],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**os.environ, "CHROME_PATH": chromium},
    )
    return dict(json.loads(answer.stdout))


def score(report: Report, category: str) -> int:
    """From 0 to 100."""
    return round(100 * float(report["categories"][category]["score"]))


def row(name: str, reports: list[Report]) -> str:
    """A line of the table: all runs, and what the one in the middle tells."""
    ordered = sorted(reports, key=lambda report: score(report, "performance"))
    middle = ordered[len(ordered) // 2]
    runs = ", ".join(str(score(report, "performance")) for report in ordered)
    least = "/".join(str(min(score(one, other) for one in reports)) for other in OTHERS)
    times = [
        middle["audits"][audit]["displayValue"].replace("\xa0", " ") for audit in TIMES.values()
    ]
    cells = [name, runs, str(score(middle, "performance")), least, *times]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="names of pages, with commas between")
    parser.add_argument("--folder", type=Path, help="where lighthouse is installed")
    asked = parser.parse_args()
    chromium = chromium_path()
    if chromium is None:
        parser.error("no Chromium found: name it with LAELO_CHROMIUM")
    names = asked.only.split(",") if asked.only else list(PAGES)
    if unknown := set(names) - set(PAGES):
        parser.error(f"no page {', '.join(sorted(unknown))}; there are {', '.join(PAGES)}")
    print(
        f"| | {RUNS} runs | middle | least {'/'.join(OTHERS)} | {' | '.join(TIMES)} |", flush=True
    )
    with platform() as url:
        pages = PAGES | ({"replay": play_a_match(url, chromium)} if "replay" in names else {})
        for name in names:
            reports = [run(url + pages[name], chromium, asked.folder) for _ in range(RUNS)]
            print(row(name, reports), flush=True)


if __name__ == "__main__":
    main()
