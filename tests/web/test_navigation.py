"""From screen to screen and back: each has an address, begins at its top, and is found again."""

import re

import pytest
from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .gallery import CUPS, RANKING
from .page import Player
from .stage import ANNA, CHAMPIONSHIP, TABLE, Stage, bracket, queue

WAY = [
    ("cup-open", "/campeonato", "to-ranking"),
    (f"played-{CHAMPIONSHIP}", f"/campeonato/{CHAMPIONSHIP}", "own-team"),
    ("again-W1-1", f"/partida/{TABLE}/1", "track"),
    ("to-home", "/", "quick"),
    ("cup-account", "/conta", "sign-out"),
    ("to-championships", "/campeonato", "to-ranking"),
    ("to-ranking", "/ranking", "own-row"),
    ("to-home", "/", "quick"),
    ("to-rules", "/regras", "learn"),
    ("to-home", "/", "quick"),
    ("to-history", "/historico", "past-match"),
    ("see-match", f"/partida/{TABLE}/1", "track"),
]
"""What is pressed, where it leads, and what shows that one is there."""

AT_TOP = "() => window.scrollY === 0"
DOWN = "() => window.scrollTo(0, document.documentElement.scrollHeight)"
SMALL = (360, 640)


@pytest.fixture
def player(alone: Visits) -> Player:
    """Somebody with an account who has played, in a window in which one has to scroll."""
    player = alone.new(SMALL)
    told = {**views.replayed(), "table": TABLE}
    [row, *_] = views.remembered()["rows"]
    answers: dict[str, object] = {
        **CUPS,
        **RANKING,
        "/api/history": {"rows": [{**row, "table": TABLE, "match": 1}]},
        f"/api/replays/{TABLE}/1?hand=1": told,
    }
    over = {"W1-1": {"teams": [1, 2], "table": TABLE, "winner": 1, "scores": [6, 4]}}
    stage = Stage(player.context, ANNA, answers)
    stage.on["queue.watch"] = [queue(9)]
    stage.on["bracket.watch"] = [bracket(over, mine={"team": 1, "animal": "bode"})]
    return player


def expect_at(player: Player, path: str, shows: str) -> None:
    """The address, without what is looked for there, and the screen."""
    expect(player.page).to_have_url(re.compile(rf"^[^/]+//[^/]+{re.escape(path)}(\?|$)"))
    expect(player.by(shows).first).to_be_visible()


def test_there_and_back_again(player: Player) -> None:
    player.open()
    expect_at(player, "/", "quick")
    way = [("", "/", "quick")]
    for step in WAY:
        testid, path, shows = step
        player.by(testid).first.focus()
        player.page.evaluate(DOWN)
        player.page.keyboard.press("Enter")
        expect_at(player, path, shows)
        player.page.wait_for_function(AT_TOP)
        way.append(step)
    while way.pop() and way:
        player.page.go_back()
        expect_at(player, *way[-1][1:])
