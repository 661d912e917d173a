"""A newer page: offered between hands, whole after one tap; a page that is too old mends itself."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from laelo_tools.platform import Options
from playwright.sync_api import Browser, WebSocketRoute, expect

from .conftest import ROOT, Background, Visits
from .lines import HeldLine
from .page import Player
from .test_at_the_table import play_until
from .test_offline import await_worker
from .test_whole_match import play_a_turn

TEXTS = {".js", ".html", ".css", ".json"}
HASHED = re.compile(r"-[\w-]{8}(?=\.(?:js|css)$)")
ENTRY = re.compile(r"/assets/index-([\w-]{8})\.js")
FINISHED = "() => performance.getEntriesByType('navigation')[0].type === 'reload'"


def build_of(page: str) -> str:
    """The name of the build, as the page's own script carries it."""
    found = ENTRY.search(page)
    assert found is not None
    return found[1]


def put_newer_build(dist: Path) -> str:
    """Another build in place of the one that is served, all its files by other names; its name."""
    for packed in [*dist.rglob("*.br"), *dist.rglob("*.gz")]:
        packed.unlink()
    hashes = {
        found[0] for path in (dist / "assets").iterdir() if (found := HASHED.search(path.name))
    }
    newer = {old: old[:-1] + ("0" if old[-1] != "0" else "1") for old in hashes}
    for file in [path for path in dist.rglob("*") if path.suffix in TEXTS]:
        text, name = file.read_text(), file.name
        for old, new in newer.items():
            # The name of the build is that of the entry, without the dash in front.
            text, name = text.replace(old[1:], new[1:]), name.replace(old, new)
        file.write_text(text)
        file.rename(file.with_name(name))
    return build_of((dist / "index.html").read_text())


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the page that may be replaced, again and again."""
    return shutil.copytree(ROOT / "web" / "dist", tmp_path_factory.mktemp("page") / "dist")


@pytest.fixture(scope="module")
def served(dist: Path) -> Iterator[str]:
    """Where a platform serves that copy."""
    background = Background()
    gateway = {"LAELO_GATEWAY_WEB_DIST": str(dist)}
    options = Options(port=0, pause_ms=700, bot_delay_ms="0", tables=1, env={"gateway": gateway})
    try:
        yield background.start(options)
    finally:
        background.stop()


@pytest.fixture
def visitors(browser: Browser, served: str) -> Iterator[Visits]:
    visits = Visits(browser, served)
    yield visits
    assert visits.close() == []


def hear_of_newer(player: Player, dist: Path) -> str:
    """Put a newer build there, and wait until the page was told; its name."""
    with player.page.expect_event("console", lambda message: message.text == "told"):
        return put_newer_build(dist)


LISTEN = """
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => {
      if (String(data).includes('"new_build"')) console.log('told');
    });
  }
};
"""


def test_it_is_offered_between_hands_and_taken_whole(visitors: Visits, dist: Path) -> None:
    player = visitors.new((390, 844))
    player.context.add_init_script(LISTEN)
    line = HeldLine(player.page)
    player.play_bots()
    await_worker(player)
    play_until(player, "play")
    old = build_of(player.page.content())
    newer = hear_of_newer(player, dist)
    assert newer != old
    assert player.asked() == "play"
    expect(player.by("update")).to_have_count(0)
    while (what := player.await_something_to_do()) != "hand-end":
        expect(player.by("update")).to_have_count(0)
        play_a_turn(player, what)
    expect(player.by("update")).to_be_visible()
    player.picture("update-offered")
    player.page.once("framenavigated", lambda _: line.forget())
    player.by("update").click()
    player.page.wait_for_function(
        "name => document.querySelector('script[src]')?.src.includes(name)", arg=newer
    )
    expect(player.page.locator(".table-page")).to_be_visible()
    expect(player.by("update")).to_have_count(0)
    player.await_promise(
        """async (name) => {
            const kept = await caches.keys();
            return kept.length === 1 && kept[0].endsWith(name);
        }""",
        newer,
    )
    assert player.await_something_to_do() in {"play", "pass", "choose", "hand-end"}


def test_an_open_page_still_finds_its_parts(visitors: Visits, dist: Path) -> None:
    """The server has them no more; the worker kept them."""
    player = visitors.new()
    player.context.add_init_script(LISTEN)
    player.open()
    await_worker(player)
    newer = hear_of_newer(player, dist)
    player.by("to-rules").click()
    expect(player.page.locator(".chapter")).to_have_count(15)
    assert newer not in player.page.content()


class Refusing:
    """A server that has become too new for this page, until it has not."""

    def __init__(self, player: Player) -> None:
        self.refuses = True
        self.refused = 0
        player.context.route_web_socket(re.compile("/ws$"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        if self.refuses:
            self.refused += 1
            near.close(code=4002, reason="too old")
            return
        far = near.connect_to_server()
        near.on_message(far.send)
        far.on_message(near.send)


def test_too_old_renews_itself_once_and_then_says_so(visits: Visits) -> None:
    player = visits.new((390, 844))
    server = Refusing(player)
    player.open()
    player.page.wait_for_function(FINISHED)
    expect(player.by("ended-too_old")).to_contain_text("versão antiga")
    player.picture("too-old")
    assert server.refused == 2
    server.refuses = False
    player.by("ended-action").click()
    expect(player.by("ended-too_old")).to_have_count(0)
    expect(player.by("quick")).to_be_visible()
    player.page.wait_for_function("() => history.state === null")
