"""Every screen of the page, and how to come to it without any server.

For what has to hold on all of them: `screenshots` and `test_every_screen` go through it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Request, expect

from services.table.tests.kit import Game

from . import views
from .conftest import RESULTS
from .page import Player
from .stage import ANNA, CHAMPIONSHIP, GUEST, TABLE, Answers, Stage, called, queue

LANGUAGES = {"pt": "pt-BR", "es": "es-AR", "en": "en-GB"}
SIZES = [
    (320, 568),
    (360, 640),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1280, 800),
    (1920, 1080),
]
NOTHING = "01J00000000000000000000000"
"""A table that is not there."""

TOO_OLD = 4002
"""A page that is too old loads itself anew, once."""

DRAWN = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""
"""Until what has come is drawn, and has asked for what it needs itself."""

Act = Callable[[Player], None]
Frames = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Screen:
    """A screen: who comes to which address, what the gateway says there, what the person does
    then, and the test id of what shows that it has come.
    """

    name: str
    path: str
    shows: str
    me: Answers = field(default_factory=lambda: GUEST)
    says: Frames = field(default_factory=dict)
    answers: Mapping[str, object] = field(default_factory=dict)
    refuses: Mapping[str, str] = field(default_factory=dict)
    unanswered: frozenset[str] = frozenset()
    stored: Mapping[str, str] = field(default_factory=dict)
    """What the browser tab remembers."""
    acts: tuple[Act, ...] = ()
    closes: int | None = None
    """The code with which all connections are closed in the end."""


def press(testid: str) -> Act:
    """Press what carries that test id."""

    def act(player: Player) -> None:
        player.by(testid).first.click()

    return act


def see(testid: str) -> Act:
    """Wait until what carries that test id is seen."""

    def act(player: Player) -> None:
        expect(player.by(testid)).to_be_visible()

    return act


def lift_for_both_ends(player: Player) -> None:
    """Lift the tile that may lie at both ends."""
    low, high = views.tile_for_both_ends(views.game(views.either_end))
    player.by(f"tile-{low}|{high}").click()
    expect(player.page.locator(".ghost")).to_have_count(2)


def ask_for_keys(player: Player) -> None:
    """By the key that tells them."""
    player.page.keyboard.press("?")


def await_chapters(player: Player) -> None:
    """The rules are drawn a few chapters at a time."""
    expect(player.page.locator(".chapter")).to_have_count(15)


def to_the_middle(player: Player) -> None:
    """Some way into a hand of the past."""
    for _ in range(9):
        player.by("next").click()


NAMELESS: Answers = {**ANNA, "name": "", "nameless": True}
SIGNED_OUT = {"/api/account": {"signed_in": False, "name": "", "provider": "google"}}
WEEK = {"week": "2026-11-30", "weeks": ["2026-11-30", "2026-11-23", "2026-11-16"]}
ROWS = [
    {"rank": rank, "name": name, "points": points, "championships": 1 + points // 16}
    for rank, (name, points) in enumerate(
        zip(views.NICKNAMES, (128, 65, 64, 33, 32, 16, 9, 8, 4, 4, 2, 1, 1), strict=False), 1
    )
]
OWN = {"rank": 57, "name": "Anna", "points": 1, "championships": 1, "own": True}
RANKING: Answers = {"/api/ranking": {**WEEK, "rows": ROWS, "own": OWN}}
NEXT = {"tier": "bronze", "ms": 95_000}
QUEUE: Frames = {"queue.watch": [queue(9, next=NEXT)]}
WAITING: Frames = {"queue.watch": [queue(13, ahead=4, next={"tier": "bronze", "ms": 95_000})]}
RUNNING = {"id": CHAMPIONSHIP, "tier": "gold", "stage": "running", "started": 1_764_499_000_000}
ENDED = {**RUNNING, "tier": "bronze", "stage": "over", "ended": 1_764_400_000_000}
CUPS: Answers = {"/api/championships": {"running": [RUNNING], "ended": [ENDED]}}
AT_TABLE = f"/t/{TABLE}"


def home(name: str, shows: str, *acts: Act, **more: Any) -> Screen:
    """What is shown at home."""
    return Screen(name, "/", shows, says=QUEUE, answers=RANKING, acts=acts, **more)


def at_table(name: str, found: Game, shows: str, *acts: Act, **more: Any) -> Screen:
    """What is shown at a table."""
    seat = more.pop("seat", 0)
    frames: Frames = {"watch": [views.seen(found, TABLE, seat)]}
    stored = {"seat": TABLE, **more.pop("stored", {})} if seat < 4 else {}
    return Screen(name, AT_TABLE, shows, says=frames, acts=acts, stored=stored, **more)


def at_cup(name: str, frame: dict[str, Any], shows: str, *acts: Act) -> Screen:
    """What is shown of a championship."""
    path = f"/campeonato/{frame['d']['id']}"
    return Screen(name, path, shows, me=ANNA, says={"bracket.watch": [frame]}, acts=acts)


def refused(name: str, code: str, shows: str) -> Screen:
    """A table that may not be seen."""
    return Screen(name, f"/t/{NOTHING}", shows, refuses={"watch": code})


def screens() -> list[Screen]:
    """All of them."""
    return [*_doors(), *_championships(), *_tables(), *_past(), *_edges()]


def _doors() -> list[Screen]:
    return [
        home("home", "learn"),
        home("home-search", "quick-stop", press("quick"), unanswered=frozenset({"table.quick"})),
        home("home-create", "create-go", press("open-table")),
        home("settings", "settings-sheet", press("settings")),
        Screen("rules", "/regras", "learn", acts=(await_chapters,)),
        Screen("sign-in", "/conta", "sign-in", answers=SIGNED_OUT),
        Screen("nickname", "/conta", "account-name", me=NAMELESS),
        Screen("account", "/conta", "sign-out", me=ANNA),
        Screen("ranking", "/ranking", "own-row", me=ANNA, answers=RANKING),
    ]


def _championships() -> list[Screen]:
    gathering = Game().open_match()
    story = views.championship(32, 21)
    out = next(team.number for team in story.state.teams if team.place is not None)
    inside = next(team.number for team in story.state.teams if team.place is None)
    summoned: Frames = {"queue.watch": [*WAITING["queue.watch"], called()]}
    return [
        Screen("championships", "/campeonato", "queue-join", me=ANNA, says=QUEUE, answers=CUPS),
        Screen("queue", "/campeonato", "queue-joined", me=ANNA, says=WAITING, answers=CUPS),
        Screen("called", "/campeonato", "call", me=ANNA, says=summoned),
        at_table("gathering", gathering, "starts-in", me=ANNA),
        at_table("official-table", views.official(views.playing), "hand", me=ANNA),
        at_cup("bracket", views.bracket(story, inside), "own-team"),
        at_cup("bracket-out", views.bracket(story, out), f"placed-{out}"),
        at_cup("bracket-over", views.bracket(views.championship(16), 2), "draw"),
        at_cup("bracket-bronze", views.bracket(views.championship(8, 3)), "bracket"),
    ]


def _tables() -> list[Screen]:
    playing = views.game(views.playing)
    return [
        at_table("lobby", views.lobby(2), "start"),
        at_table("lobby-visitor", views.lobby(3), "sit-3", seat=4),
        at_table("invite", views.lobby(2), "invite-sheet", press("invite")),
        at_table("table", playing, "hand"),
        at_table("table-ends", views.game(views.either_end), "ghost-left", lift_for_both_ends),
        at_table("table-knock", views.game(views.knocking), "pass"),
        at_table("table-gone", views.with_somebody_gone(playing), "stand-in-1"),
        at_table("table-bots", views.game(views.playing, people=1, clock=0), "hand"),
        at_table("table-watched", playing, "board", seat=4),
        at_table("menu", playing, "menu-sheet", press("menu")),
        at_table("say", playing, "say-sheet", press("say")),
        at_table("keys", playing, "keys-sheet", see("hand"), ask_for_keys),
        at_table("lesson", playing, "lesson-card", stored={"lesson": TABLE}),
        at_table("choose", views.game(views.choosing), "choose-me"),
        at_table("hand-end", views.game(views.hand_won), "hand-end"),
        at_table("hand-blocked", views.game(views.hand_blocked), "hand-end"),
        at_table("match-won", views.game(views.match_won), "match-end"),
        at_table("match-lost", views.game(views.match_to_nothing), "match-end"),
    ]


def _past() -> list[Screen]:
    past, history = views.replayed(), views.remembered()
    here = f"/api/replays/{NOTHING}/1?hand="
    told: Answers = {f"{here}{hand}": {**past, "table": NOTHING} for hand in range(3)}
    nobody: Answers = {f"{here}1": {"code": "UNKNOWN_MATCH"}}
    path = f"/partida/{NOTHING}/1"
    return [
        Screen("history", "/historico", "matches", answers={"/api/history": history}),
        Screen("history-empty", "/historico", "none", answers={"/api/history": {"rows": []}}),
        Screen("replay", f"{path}?mao=1", "prompt", answers=told, acts=(to_the_middle,)),
        Screen("replay-end", f"{path}?mao=1", "prompt", answers=told, acts=(press("last"),)),
        Screen("replay-lost", path, "replay-lost", answers=nobody),
    ]


def _edges() -> list[Screen]:
    playing = views.game(views.playing)
    closed = views.seen(views.lobby(2), TABLE)
    closed["d"]["closed"] = "old"
    return [
        Screen("not-found", "/no/such/page", "go-home"),
        Screen("dead-link", "/m/ABC234", "join-link", refuses={"table.find": "UNKNOWN_TABLE"}),
        refused("no-table", "UNKNOWN_TABLE", "open-another"),
        refused("seats-only", "NOT_SEATED", "seats-only"),
        Screen("closed", AT_TABLE, "closed", says={"watch": [closed]}, stored={"seat": TABLE}),
        at_table("taken", playing, "ended-taken", closes=4003),
        at_table("too-old", playing, "ended-too_old", closes=4002),
        at_table("signed-out", playing, "ended-signed_out", me=ANNA, closes=4001),
        at_table("offline-table", playing, "banner-down", closes=1012),
        home("offline", "banner-down", see("queue-count"), closes=1012),
    ]


class Visit:
    """One person at one screen."""

    def __init__(self, context: BrowserContext, url: str, screen: Screen) -> None:
        self.player = Player(context, url, RESULTS)
        self.requests: list[str] = []
        """Where the page has asked for something."""
        self._screen = screen
        self._pending: set[Request] = set()
        self._stage = Stage(context, screen.me, screen.answers)
        self.sockets = self._stage.sockets
        self._stage.on.update(screen.says)
        self._stage.refused.update(screen.refuses)
        self._stage.unanswered.update(screen.unanswered)
        context.on("request", self._asked)
        context.on("requestfinished", self._answered)
        context.on("requestfailed", self._answered)

    def come(self) -> Locator:
        """Go there, do what is to be done, and wait for what has to show."""
        for key, value in self._screen.stored.items():
            script = f"sessionStorage.setItem('laelo.{key}', '{value}')"
            self.player.context.add_init_script(script)
        self.player.open(self._screen.path)
        for act in self._screen.acts:
            act(self.player)
        expect(self.player.page.locator("main:not(.loading)")).to_be_visible()
        if self._screen.closes is not None:
            self._settle()
            self._close(self._screen.closes)
        shown = self.player.by(self._screen.shows).first
        expect(shown).to_be_visible()
        self._settle()
        return shown

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        self._pending.add(request)

    def _answered(self, request: Request) -> None:
        self._pending.discard(request)

    def _settle(self) -> None:
        """Wait until all parts have been loaded."""
        self.player.page.evaluate(DRAWN)
        while self._pending:
            self.player.page.evaluate(DRAWN)

    def _close(self, code: int) -> None:
        if code != TOO_OLD:
            self._stage.close(code)
            return
        with self.player.page.expect_event("load"):
            self._stage.close(code)


def person_at(browser: Browser, language: str, size: tuple[int, int]) -> BrowserContext:
    """A browser of a person's own, in which nothing moves and no worker keeps files."""
    width, height = size
    return browser.new_context(
        viewport={"width": width, "height": height},
        locale=LANGUAGES[language],
        reduced_motion="reduce",
        service_workers="block",
    )
