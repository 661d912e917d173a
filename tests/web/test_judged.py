"""A match is judged while one looks: a word for each move, the chance to win, and how well
everybody played.
"""

from typing import Any

from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .page import Player
from .stage import GUEST, TABLE, Stage

PHONE, DESKTOP = (390, 844), (1280, 800)
MATCH = f"/api/replays/{TABLE}/1"
WORDS = {"best": "Melhor jogada", "good": "Boa", "doubtful": "Duvidosa", "mistake": "Erro"}


def come(alone: Visits, size: tuple[int, int], judgement: dict[str, Any]) -> Player:
    """Somebody who looks at a match again."""
    player = alone.new(size)
    replay = {**views.replayed(), "table": TABLE}
    Stage(player.context, GUEST, {f"{MATCH}?hand=1": replay, f"{MATCH}/judgement": judgement})
    player.open(f"/partida/{TABLE}/1")
    expect(player.by("track")).to_be_visible()
    return player


def test_every_move_that_was_chosen_has_its_word(alone: Visits) -> None:
    judged = views.judged()
    player = come(alone, DESKTOP, judged)
    expect(player.by("chance")).to_have_count(0)
    player.by("judge").click()
    expect(player.by("accuracy").locator("li")).to_have_count(4)
    for one, line in zip(
        judged["accuracies"], player.by("accuracy").locator("li").all(), strict=True
    ):
        expect(line).to_contain_text(f"{round(100 * one['good'] / one['choices'])} %")
    first = [one for one in judged["verdicts"] if one["hand"] == 1]
    assert {one["word"] for one in first} == set(WORDS)
    for one in first:
        move = player.by(f"move-{one['move']}")
        expect(move).to_contain_text(WORDS[one["word"]])
        if one in first[:4]:
            move.click()
            expect(player.by("prompt")).to_contain_text(WORDS[one["word"]])
    words = player.by("moves").locator("em").all_inner_texts()
    assert len([word for word in words if word]) == len(first)


def test_the_chance_is_that_of_the_team_in_blue(alone: Visits) -> None:
    judged, replay = views.judged(), views.replayed()
    player = come(alone, PHONE, judged)
    player.by("menu").click()
    player.by("judge").click()
    expect(player.by("accuracy").locator("li")).to_have_count(4)
    player.page.keyboard.press("Escape")
    expect(player.by("accuracy")).to_have_count(0)
    asked = {one["move"]: one for one in judged["verdicts"] if one["hand"] == 1}
    shown = None
    for number, move in enumerate(replay["hands"][0]["moves"], 1):
        player.by("next").click()
        expect(player.by("where")).to_contain_text(f"{number}/")
        if number in asked:
            ours = move["seat"] % 2 == 0
            chance = asked[number]["equity"][1]
            shown = f"Chance de ganhar: {round(100 * (chance if ours else 1 - chance))} %"
        if shown is not None:
            expect(player.by("chance")).to_have_attribute("aria-label", shown)
    assert shown is not None


def test_what_is_found_is_told_while_it_is_looked_for(alone: Visits) -> None:
    whole = views.judged()
    growing = {"choices": whole["choices"], "verdicts": whole["verdicts"][:2]}
    player = come(alone, DESKTOP, growing)
    player.by("judge").click()
    expect(player.by("accuracy")).to_have_text(f"2/{whole['choices']}")
    growing |= whole
    expect(player.by("accuracy").locator("li")).to_have_count(4)


def test_who_cannot_be_judged_now_may_ask_again(alone: Visits) -> None:
    answer: dict[str, Any] = {"code": "TRY_LATER", "reason": "the bots are away"}
    player = come(alone, DESKTOP, answer)
    player.by("judge").click()
    expect(player.page.get_by_text("O arquivo das partidas")).to_be_visible()
    answer.clear()
    answer |= views.judged()
    player.by("judge").click()
    expect(player.by("accuracy").locator("li")).to_have_count(4)
