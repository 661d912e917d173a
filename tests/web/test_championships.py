"""Queue, call, bracket and ranking as the page shows them, frame by frame."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Visits
from .page import Player
from .stage import (
    ANNA,
    CHAMPIONSHIP,
    GUEST,
    TABLE,
    Answers,
    Matches,
    Stage,
    bracket,
    called,
    queue,
    table,
)

PHONE, DESKTOP = (390, 844), (1280, 800)
Staged = Callable[..., tuple[Player, Stage]]


@pytest.fixture
def staged(alone: Visits) -> Staged:
    """A person at the built page, whose gateway is the test."""

    def make(size: tuple[int, int], me: Answers, **answers: object) -> tuple[Player, Stage]:
        player = alone.new(size)
        named = {f"/api/{name}": answer for name, answer in answers.items()}
        return player, Stage(player.context, me, named)

    return make


RANKING: Answers = {
    "week": "2026-11-30",
    "weeks": ["2026-11-30", "2026-11-23"],
    "rows": [
        {"rank": rank, "name": name, "points": points, "championships": 1}
        for rank, name, points in [(1, "Lia", 128), (2, "Zé", 64), (2, "Biu", 64), (4, "", 1)]
    ],
    "own": {"rank": 57, "name": "Anna", "points": 1, "championships": 1, "own": True},
}


def test_the_card_shows_the_queue_and_the_best_of_the_week(staged: Staged) -> None:
    player, stage = staged(PHONE, GUEST, ranking=RANKING)
    stage.on["queue.watch"] = [queue(9, next={"tier": "bronze", "ms": 95_000})]
    player.open()
    card = player.by("cup")
    expect(card.get_by_test_id("queue-count")).to_have_attribute("data-count", "9")
    expect(card.get_by_test_id("queue-clock")).to_have_text(
        re.compile(r"Carroça de Bronze começa em\s1:[0-3]\d")
    )
    expect(card).to_contain_text("Faltam 7 para Lá-e-Lô de Prata")
    expect(card.get_by_test_id("top").locator("li")).to_have_count(3)
    expect(card.get_by_test_id("sign-in")).to_have_attribute(
        "href", "/auth/sign-in?back=%2Fcampeonato"
    )
    stage.tell(queue(0))
    expect(card).to_contain_text("Ninguém na fila")


def test_somebody_joins_waits_and_leaves(staged: Staged) -> None:
    player, stage = staged(DESKTOP, ANNA)
    stage.on["queue.watch"] = [queue(4)]
    stage.on["queue.join"] = [queue(5, ahead=4)]
    stage.on["queue.leave"] = [queue(4)]
    player.open("/campeonato")
    player.by("queue-join").click()
    joined = player.by("queue-joined")
    expect(joined).to_have_attribute("data-ahead", "4")
    player.picture("championship-lobby-desktop")
    stage.tell(queue(8, ahead=2, next={"tier": "bronze", "ms": 180_000}))
    expect(joined).to_contain_text("Lugar 3")
    expect(player.by("queue-next")).to_have_attribute("data-tier", "bronze")
    stage.tell(queue(7, left="gone"))
    expect(player.by("taken-out")).to_contain_text("sem conexão por mais de um minuto")
    player.by("queue-join").click()
    expect(player.by("taken-out")).to_have_count(0)
    player.by("queue-leave").click()
    expect(player.by("queue-join")).to_be_visible()
    assert stage.types().count("queue.join") == 2
    assert stage.types().count("queue.leave") == 1


def test_who_waits_is_told_of_the_queue_after_a_reconnect(staged: Staged) -> None:
    player, stage = staged(DESKTOP, ANNA)
    stage.on["queue.watch"] = [queue(4)]
    player.open("/campeonato")
    expect(player.by("queue-count")).to_have_attribute("data-count", "4")
    stage.on["queue.watch"] = [queue(6)]
    player.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(player.by("queue-count")).to_have_attribute("data-count", "6")


def test_a_call_is_loud_in_all_tabs_until_one_answers(staged: Staged) -> None:
    player, stage = staged(DESKTOP, ANNA)
    stage.on["queue.watch"] = [queue(7, ahead=6)]
    player.open()
    other = player.beside(player.page.url)
    expect(player.by("cup-waiting")).to_be_visible()
    expect(other.by("cup-waiting")).to_be_visible()
    stage.tell(called())
    for tab in (player, other):
        call = tab.by("call")
        expect(call).to_be_visible()
        expect(call).to_contain_text("Você é o bode")
        expect(tab.by("call-ready")).to_be_focused()
        expect(call.locator(".digits")).to_have_text(re.compile(r"^\d+$"))
        expect(tab.page).to_have_title(re.compile("Sua partida"))
        icon = tab.page.locator('link[rel="icon"]')
        expect(icon).to_have_attribute("href", "/icon-call.svg")
    other.picture("call-desktop")

    player.page.keyboard.press("Enter")
    expect(player.page).to_have_url(re.compile(f"/t/{TABLE}$"))
    expect(player.by("call")).to_have_count(0)
    expect(other.by("call")).to_have_count(0)
    expect(other.by("call-strip")).to_be_visible()
    expect(other.page).not_to_have_title(re.compile("Sua partida"))

    stage.tell(called(ms=0))
    expect(other.by("call-strip")).to_be_visible()
    expect(other.by("call")).to_have_count(0)
    over = {"teams": [1, 2], "table": TABLE, "winner": 2, "scores": [3, 6]}
    stage.tell(bracket({"W1-1": over}, mine={"team": 1, "animal": "bode"}))
    expect(other.by("call-strip")).to_have_count(0)
    stage.tell(called("L1-1"))
    expect(other.by("call")).to_have_attribute("data-match", "L1-1")


def test_escape_only_stops_the_noise(staged: Staged) -> None:
    player, stage = staged(PHONE, ANNA)
    stage.on["queue.watch"] = [queue(7, ahead=6)]
    player.open()
    expect(player.by("cup-waiting")).to_be_visible()
    stage.tell(called())
    expect(player.by("call")).to_be_visible()
    player.picture("call-phone")
    player.page.keyboard.press("Escape")
    expect(player.by("call")).to_have_count(0)
    player.by("call-go").click()
    expect(player.page).to_have_url(re.compile(f"/t/{TABLE}$"))


PRACTICE = "01J00000000000000000000BTS"
BOTS = [{"kind": "person", "name": "Anna"}, *[{"kind": "bot", "level": "simple"}] * 3]
HAND = [[0, 1], [2, 2], [3, 5]]
ANIMALS = [{"kind": "person", "animal": name} for name in ("bode", "galo", "siri", "asa-branca")]
OFFICIAL = {
    "championship": CHAMPIONSHIP,
    "official": "W1-1",
    "options": {"move_seconds": 15},
    "next_ms": 15_000,
}


def test_a_call_comes_into_the_midst_of_practice(staged: Staged) -> None:
    player, stage = staged(PHONE, ANNA)
    playing = {"phase": "play", "tiles": HAND, "counts": [3, 6, 6, 6], "match": 1, "hand": 1}
    stage.on["watch"] = [table(PRACTICE, BOTS, **playing)]
    player.open(f"/t/{PRACTICE}")
    expect(player.by("hand")).to_be_visible()
    stage.tell(called())
    expect(player.by("call")).to_contain_text("O treino fica para depois.")
    stage.on["watch"] = [table(TABLE, ANIMALS, **OFFICIAL)]
    player.by("call-ready").click()
    expect(player.by("gathering")).to_be_visible()
    expect(player.by("toast")).to_be_empty()


def test_a_championships_table_knows_animals_only(staged: Staged) -> None:
    player, stage = staged(PHONE, ANNA)
    stage.on["watch"] = [table(TABLE, ANIMALS, **OFFICIAL)]
    stage.on["bracket.watch"] = [bracket({}, mine={"team": 1, "animal": "bode"})]
    player.open(f"/t/{TABLE}")
    expect(player.by("starts-in")).to_have_text(re.compile(r"Começa em \d+ segundos?"))
    for seat, name in enumerate(("Bode", "Galo", "Siri", "Asa-branca")):
        expect(player.by(f"guest-{seat}")).to_contain_text(name)
    assert "Anna" not in player.page.locator("body").inner_text()
    player.picture("championship-gathering-phone")
    player.by("menu").click()
    for gone in ("leave-table", "close-table", "invite", "table-link"):
        expect(player.by(gone)).to_have_count(0)
    player.by("look-away").click()
    expect(player.by("resume")).to_be_visible()
    assert "table.leave" not in stage.types()
    player.page.go_back()
    player.by("to-bracket").click()
    expect(player.by("bracket")).to_be_visible()


MINE = {"team": 2, "animal": "galo"}
PLAYED: Matches = {
    "W1-1": {"teams": [1, 2], "table": TABLE, "winner": 1, "scores": [6, 4]},
    "W1-2": {"teams": [3, 4], "table": TABLE},
    "W2-1": {"teams": [1, None]},
    "L1-1": {"teams": [2, None]},
}
OUT = {"place": [4, 4], "points": 1, "names": ["Lia", ""]}
LATER = PLAYED | {
    "W1-2": {"teams": [3, 4], "table": TABLE, "winner": 4, "scores": [2, 6]},
    "W2-1": {"teams": [1, 4], "table": TABLE, "ms": 15_000},
    "L1-1": {"teams": [2, 3], "table": TABLE, "winner": 3, "scores": [1, 6]},
}


def test_a_phone_shows_ones_own_path_first(staged: Staged) -> None:
    player, stage = staged(PHONE, ANNA)
    stage.on["bracket.watch"] = [bracket(PLAYED, mine=MINE)]
    player.open(f"/campeonato/{CHAMPIONSHIP}")
    expect(player.by("own-animals")).to_have_text("Você é o galo e joga com a asa-branca.")
    expect(player.by("own-team")).to_have_attribute("data-standing", "waits")
    path = player.by("path").locator("li")
    expect(path).to_have_count(2)
    expect(path.nth(0)).to_contain_text("perdeu 4 : 6")
    expect(path.nth(1)).to_contain_text("quem perder: Invictos 1, jogo 2")
    expect(player.by("tree")).to_have_count(0)
    player.picture("bracket-phone-path")
    player.by("tab-path").press("ArrowRight")
    expect(player.by("tab-F")).to_be_focused()
    player.by("tab-W1").click()
    expect(player.by("round-W1").locator("li")).to_have_count(2)
    expect(player.by("watch-W1-2")).to_have_attribute("href", f"/t/{TABLE}")
    expect(player.by("watch-W1-1")).to_have_count(0)

    stage.tell(bracket(LATER, mine=MINE, version=9, placed={2: OUT}))
    expect(player.by("own-team")).to_have_attribute("data-standing", "out")
    expect(player.by("own-team")).to_contain_text("4º lugar · 1 ponto")
    expect(player.by("placed-2")).to_contain_text("O galo era Lia")
    expect(player.by("placed-2")).to_contain_text("A asa-branca era conta apagada")
    expect(player.by("live")).to_contain_text("Repescagem 1, jogo 1")
    stage.tell(bracket(PLAYED, mine=MINE))
    expect(player.by("own-team")).to_have_attribute("data-standing", "out")


def test_a_desktop_shows_the_whole_tree(staged: Staged) -> None:
    player, stage = staged(DESKTOP, ANNA)
    stage.on["bracket.watch"] = [bracket(LATER, mine=MINE, placed={2: OUT})]
    player.open(f"/campeonato/{CHAMPIONSHIP}")
    tree = player.by("tree")
    expect(tree.locator("article")).to_have_count(6)
    expect(tree.locator("article.mine")).to_have_count(2)
    expect(tree.get_by_role("heading", name="Repescagem 2")).to_be_visible()
    boxes = [found.bounding_box() for found in tree.locator("article").all()]
    places = [(box["x"], box["y"]) for box in boxes if box is not None]
    assert len(set(places)) == 6
    first, final = tree.get_by_test_id("match-W1-1"), tree.get_by_test_id("match-F1")
    expect(first).to_have_accessible_name(
        "Invictos 1, jogo 1: O bode e o siri contra o galo e a asa-branca."
        " O bode e o siri ganharam por 6 : 4 (sua dupla)"
    )
    expect(final).to_contain_text("Invictos 2, jogo 1")
    player.picture("bracket-desktop")


def test_a_cancelled_championship_says_why(staged: Staged) -> None:
    player, stage = staged(PHONE, ANNA)
    stage.on["bracket.watch"] = [
        bracket(PLAYED, mine=MINE, stage="cancelled", reason="Faltou luz.")
    ]
    player.open(f"/campeonato/{CHAMPIONSHIP}")
    expect(player.by("cancelled")).to_contain_text("Motivo: Faltou luz.")
    player.by("rejoin").click()
    expect(player.page).to_have_url(re.compile("/campeonato$"))
    player.page.go_back()
    expect(player.by("cancelled")).to_be_visible()


def test_the_ranking_keeps_ones_own_row_in_view(staged: Staged) -> None:
    row = {"rank": 1, "name": "Lia", "points": 128, "championships": 1}
    past = {"week": "2026-11-23", "weeks": ["2026-11-23"], "rows": [row]}
    answers = {"ranking": RANKING, "ranking?week=2026-11-23": past}
    player, _ = staged(PHONE, ANNA, **answers)
    player.open("/ranking")
    rows = player.by("ranking").locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(3)).to_contain_text("conta apagada")
    expect(player.by("own-row")).to_be_in_viewport()
    expect(player.by("own-row")).to_contain_text("57")
    player.picture("ranking-phone")
    player.by("week").select_option("2026-11-23")
    expect(player.page).to_have_url(re.compile("/ranking/2026-11-23$"))
    expect(rows).to_have_count(1)
    expect(player.by("own-row")).to_have_count(0)
    player.page.go_back()
    expect(rows).to_have_count(4)


def test_a_nickname_is_chosen_before_anything_else(staged: Staged) -> None:
    player, stage = staged(PHONE, {**ANNA, "name": "", "nameless": True})
    stage.on["queue.watch"] = [queue(3)]
    player.open("/campeonato")
    player.by("cup-name").click()
    player.by("account-name").fill("x")
    player.by("account-name-save").click()
    expect(player.page.get_by_text("Pelo menos duas letras")).to_be_visible()
    expect(player.by("account-name")).to_have_attribute("aria-invalid", "true")
