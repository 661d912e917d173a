"""Pictures of every screen, in all sizes and languages, by day and by night: `make screenshots`.

    python -m tests.web.screenshots [--only home,table] [--lang pt] [--size 390x844] [--look dark]

They go to .local/screenshots, with index.html as one sheet of them all.
"""

import argparse
import html
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Error, FloatRect, Page, sync_playwright

from .conftest import ARGUMENTS, ROOT, chromium_path
from .gallery import LANGUAGES, SIZES, Screen, Visit, person_at, screens
from .serving import serving

OUT = ROOT / ".local" / "screenshots"
LOOKS = ("light", "dark")
PHONE = (390, 844)
"""How large a window is when somebody comes."""
LONGEST = 3
"""How many windows high a picture of a long page may be."""
SHEET = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
body{{margin:1rem;font:14px system-ui;background:#777;color:#fff}}h2{{margin:1.5rem 0 .3rem}}
.row{{display:flex;gap:6px;align-items:start;overflow-x:auto;padding-bottom:6px}}
figure{{margin:0}}img{{height:300px;display:block}}figcaption{{font-size:11px}}
</style><h1>Screens</h1>{contents}{sections}</html>
"""

Size = tuple[int, int]


class Photographer:
    """Takes each screen once in each language, and turns the window from size to size."""

    def __init__(self, browser: Browser, url: str, asked: argparse.Namespace) -> None:
        self._browser = browser
        self._url = url
        self._asked = asked
        self.taken: dict[str, list[list[Path]]] = {}
        """The pictures of each screen, row by row."""

    def take(self, screen: Screen, language: str) -> None:
        """All pictures of a screen in a language."""
        context = person_at(self._browser, language, PHONE)
        try:
            visit = Visit(context, self._url, screen)
            visit.player.page.clock.install()
            visit.come()
            rows = self._looks(visit.player.page, f"{screen.name}-{language}")
            self.taken.setdefault(screen.name, []).extend(rows)
        finally:
            context.close()

    def _looks(self, page: Page, name: str) -> Iterator[list[Path]]:
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
        for look in self._asked.looks:
            page.emulate_media(color_scheme=look)
            yield [self._shoot(page, f"{name}-{look}", size) for size in self._asked.sizes]

    def _shoot(self, page: Page, name: str, size: Size) -> Path:
        width, height = size
        page.set_viewport_size({"width": width, "height": height})
        page.clock.run_for(50)
        page.evaluate("scrollTo(0, 0)")
        whole = page.evaluate("document.documentElement.scrollHeight")
        clip = FloatRect(x=0, y=0, width=width, height=min(whole, LONGEST * height))
        path = OUT / f"{name}-{width}x{height}.jpg"
        page.screenshot(path=path, type="jpeg", quality=85, full_page=True, clip=clip)
        return path


def sheet(taken: dict[str, list[list[Path]]]) -> str:
    """The page that shows all pictures."""
    links = " · ".join(f'<a href="#{name}">{name}</a>' for name in taken)
    parts = []
    for name, rows in taken.items():
        shown = "".join(f'<div class="row">{"".join(map(_figure, row))}</div>' for row in rows)
        parts.append(f'<section id="{name}"><h2>{name}</h2>{shown}</section>')
    return SHEET.format(contents=f"<p>{links}</p>", sections="".join(parts))


def _figure(path: Path) -> str:
    name = html.escape(path.name)
    caption = html.escape(path.stem)
    return (
        f'<figure><a href="{name}"><img loading="lazy" src="{name}" alt="{caption}"></a>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="names of screens, with commas between")
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--look", choices=LOOKS)
    parser.add_argument("--size", help="such as 390x844, with commas between")
    asked = parser.parse_args(given)
    asked.languages = [asked.lang] if asked.lang else list(LANGUAGES)
    asked.looks = [asked.look] if asked.look else list(LOOKS)
    sizes = [size.split("x") for size in asked.size.split(",")] if asked.size else []
    asked.sizes = [(int(width), int(height)) for width, height in sizes] or SIZES
    return asked


def _wanted(only: str | None) -> list[Screen]:
    known = screens()
    if only is None:
        return known
    named = only.split(",")
    if missing := set(named) - {screen.name for screen in known}:
        raise SystemExit(f"there is no screen {', '.join(sorted(missing))}")
    return [screen for screen in known if screen.name in named]


def main() -> int:
    """Take the pictures; fails if a screen could not be reached."""
    asked = _arguments()
    path = chromium_path()
    if path is None:
        raise SystemExit("no Chromium found: install one, or name it with LAELO_CHROMIUM")
    wanted = _wanted(asked.only)
    if not (asked.only or asked.lang or asked.look or asked.size):
        shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    began, failed = time.monotonic(), []
    with serving(ROOT / "web" / "dist") as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        photographer = Photographer(browser, url, asked)
        for screen in wanted:
            for language in asked.languages:
                try:
                    photographer.take(screen, language)
                except (Error, AssertionError, LookupError) as error:
                    failed.append(f"{screen.name} ({language}): {error}")
            print(f"{time.monotonic() - began:6.1f} s  {screen.name}", flush=True)
        browser.close()
    (OUT / "index.html").write_text(sheet(photographer.taken))
    print(f"{OUT}/index.html")
    print("\n".join(failed), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
