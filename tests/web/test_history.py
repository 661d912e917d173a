"""One's own matches: which are listed, how they are found, and where they lead."""

import re
from typing import Any

from playwright.sync_api import expect

from .conftest import Visits
from .page import Player
from .stage import ANNA, CHAMPIONSHIP, NOW, TABLE, Stage

BETO = "01J0000000000000000000BET0"
ARCHIVED = """async ([begun, ended]) => {
    const authorization = `Bearer ${localStorage.getItem("laelo.token")}`;
    const told = await fetch("/api/history", { headers: { authorization } });
    const { rows = [] } = await told.json();
    return rows.length === begun && rows.filter((row) => "ended" in row).length >= ended;
}"""


def await_archived(player: Player, begun: int, ended: int = 0) -> None:
    """Wait until the archive has heard of so many of one's matches; it follows a little behind."""
    player.await_promise(ARCHIVED, [begun, ended])


def a_match(number: int, **parts: Any) -> dict[str, Any]:
    """A row as the gateway tells it: a match that was won, with bots around a table."""
    seats = [
        {"kind": "person", "name": "Anna"},
        {"kind": "bot", "level": "simple"},
        {"kind": "person", "name": "Beto", "guest": True},
        {"kind": "bot", "level": "simple"},
    ]
    row = {"table": TABLE, "match": number, "started": NOW - number * 1000, "ended": NOW}
    row |= {"hands": 4, "seats": seats, "me": 0, "scores": [6, 2], "winner": 0, "partner": BETO}
    return {name: value for name, value in (row | parts).items() if value is not None}


OFFICIAL = {
    "championship": CHAMPIONSHIP,
    "official": "W1-1",
    "seats": [{"kind": "person", "animal": name} for name in ("bode", "siri", "galo", "cutia")],
    "partner": "",
    "winner": 1,
    "scores": [0, 6],
    "buchuda": True,
}


def test_who_has_not_played_is_told_how_to(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open()
    player.by("to-history").click()
    expect(player.by("none")).to_be_visible()
    player.picture("history-none")
    player.by("play").click()
    expect(player.by("play-bots")).to_be_visible()


def test_a_match_is_listed_and_found_again(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.play_bots()
    player.play_on()
    player.await_match_end()
    await_archived(player, 1, ended=1)
    player.open("/historico")
    rows = player.by("past-match")
    expect(rows).to_have_count(1)
    assert rows.get_attribute("data-outcome") in {"won", "lost"}
    player.by("kind-championship").check()
    expect(player.by("none")).to_be_visible()
    player.page.wait_for_url(re.compile(r"\?tipo=championship$"))
    player.by("show-all").click()
    expect(rows).to_have_count(1)
    weeks = player.by("week").locator("option").evaluate_all("all => all.map(one => one.value)")
    player.by("week").select_option(weeks[2])
    expect(player.by("none")).to_be_visible()
    player.by("week").select_option(weeks[1])
    expect(rows).to_have_count(1)
    player.picture("history")
    player.by("see-match").click()
    expect(player.by("track")).to_be_visible()
    player.page.go_back()
    expect(player.by("week")).to_have_value(weeks[1])
    expect(rows).to_have_count(1)


def test_matches_with_a_partner_are_told_apart(visits: Visits) -> None:
    anna, beto = visits.new(), visits.new()
    anna.open()
    anna.call_oneself("Anna")
    anna.by("play-bots").click()
    expect(anna.by("board")).to_be_visible()
    anna.open()
    code = anna.open_table()
    beto.open()
    beto.call_oneself("Beto")
    beto.join(code, 2)
    anna.by("start").click()
    expect(beto.by("board")).to_be_visible()
    await_archived(anna, 2)
    looking = anna.beside(anna.page.url.partition("/t/")[0] + "/historico")
    expect(looking.by("past-match")).to_have_count(2)
    expect(looking.by("past-match").first).to_have_attribute("data-outcome", "runs")
    looking.by("partner").select_option(label="Beto")
    expect(looking.by("past-match")).to_have_count(1)
    expect(looking.by("past-match")).to_contain_text("com Beto")
    looking.page.wait_for_url(re.compile(r"\?parceiro=[0-9A-Z]{26}$"))


def test_championships_show_animals_and_older_ones_follow(visits: Visits) -> None:
    player = visits.new()
    first = {"rows": [a_match(1), a_match(2, **OFFICIAL)], "next": "older"}
    later = {"rows": [a_match(3, ended=None, winner=None), a_match(4, winner=None)]}
    Stage(player.context, ANNA, {"/api/history": first, "/api/history?before=older": later})
    player.open("/historico")
    rows = player.by("past-match")
    expect(rows.nth(1)).to_contain_text("com Galo, contra Siri e Cutia")
    expect(rows.nth(1)).to_contain_text("Buchuda")
    expect(rows.nth(1)).not_to_contain_text("Anna")
    player.by("more").click()
    expect(rows).to_have_count(4)
    outcomes = rows.evaluate_all("all => all.map(one => one.dataset.outcome)")
    assert outcomes == ["won", "lost", "runs", "cut"]
    expect(player.by("more")).to_have_count(0)
    player.picture("history-championship")


def test_what_cannot_be_read_now_is_said(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.context.route("**/api/history*", lambda route: route.abort())
    player.open("/historico")
    expect(player.page.get_by_role("alert")).to_contain_text("O arquivo das partidas")
    player.context.unroute("**/api/history*")
    player.by("again").click()
    expect(player.by("none")).to_be_visible()
    player.errors[:] = [error for error in player.errors if "ERR_FAILED" not in error]
