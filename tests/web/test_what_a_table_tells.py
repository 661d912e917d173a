"""What stands on the table, at the end of a hand and at that of a match, is what the frame says."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .page import Player
from .stage import GUEST, TABLE, Stage

PHONE, DESKTOP = (390, 844), (1280, 800)
REASONS = {
    "domino_simple": "Dominó",
    "domino_double": "Dominó de carroça",
    "la_e_lo": "Lá e lô",
    "cruzada": "Cruzada",
    "count": "Tranque, na contagem",
    "tie": "Tranque, empatou",
}
AWAKE = 24
"""Tiles that are dealt; the others sleep (R2)."""

Show = Callable[..., tuple[Player, Stage]]


@pytest.fixture
def show(alone: Visits) -> Show:
    """Somebody in the first seat sees what a frame tells."""

    def frame(told: views.Frame, size: tuple[int, int] = PHONE) -> tuple[Player, Stage]:
        player = alone.new(size)
        player.context.grant_permissions(["clipboard-read", "clipboard-write"])
        nothing_kept = {f"/api/replays/{TABLE}/1?hand=1": {"code": "UNKNOWN_MATCH"}}
        stage = Stage(player.context, GUEST, nothing_kept)
        stage.on["watch"] = [told]
        player.open(f"/t/{TABLE}")
        return player, stage

    return frame


def again(stage: Stage, told: views.Frame, **parts: Any) -> None:
    """The same table, one commit later, with some parts of the view as the test wants them."""
    told["seq"] += 1
    told["d"].update(parts)
    stage.tell(told)


def test_seats_tell_who_what_and_whose_turn(show: Show) -> None:
    told = views.seen(views.game(views.playing, people=1, clock=0), TABLE)
    view = told["d"]
    player, stage = show(told)
    for seat in (1, 2, 3):
        badge = player.by(f"seat-{seat}")
        expect(badge.locator(".tag")).to_have_text("robô")
        expect(badge.locator(".tag svg")).to_be_visible()
        count = str(view["counts"][seat])
        expect(player.by(f"count-{seat}")).to_have_attribute("data-count", count)
    expect(player.by("pass")).to_have_attribute("aria-disabled", "true")
    expect(player.by("multiplier")).to_have_count(0)
    again(stage, told, multiplier=2, counts=[view["counts"][0], 1, 3, 4])
    expect(player.by("multiplier")).to_have_text("vale 2")
    expect(player.by("seat-1").locator(".backs.last")).to_be_visible()
    expect(player.by("seat-2").locator(".backs.last")).to_have_count(0)
    turn = {"turn": view["turn"]["turn"] + 1, "seat": 2, "ms": 15_000}
    again(stage, told, turn=turn, options={**view["options"], "move_seconds": 15})
    expect(player.by("seat-2")).to_have_class(re.compile("on-turn"))
    expect(player.by("seat-2").locator(".digits")).to_have_text(re.compile(r"^\d+$"))
    expect(player.by("seat-2")).to_have_accessible_name(re.compile("parceiro, 3 pedras, na vez"))


def test_one_may_pass_only_with_nothing_to_lay(show: Show) -> None:
    player, stage = show(views.seen(views.game(views.knocking), TABLE))
    expect(player.page.locator(".hand-tile:not(.dimmed)")).to_have_count(0)
    player.page.locator(".hand-tile").first.click(force=True)
    assert "play" not in stage.types()
    player.by("pass").click()
    expect(player.page.locator(".table-page")).to_have_attribute("data-mine", "")
    assert stage.types().count("pass") == 1


def test_the_winner_chooses_who_opens_within_a_time(show: Show) -> None:
    told = views.seen(views.game(views.choosing), TABLE)
    player, stage = show(told)
    expect(player.by("hand").locator("button")).to_have_count(6)
    expect(player.page.locator(".self .digits")).to_have_text(re.compile(r"^\d+$"))
    player.by("choose-partner").click()
    expect(player.by("choose")).to_have_count(0)
    [chosen] = [frame for frame in stage.asked if frame["t"] == "choose_opener"]
    assert chosen["d"]["opener"] == 2


def test_the_end_of_a_hand_in_all_its_kinds(show: Show) -> None:
    told = views.seen(views.game(views.hand_won), TABLE)
    end = told["d"]["hand_end"]
    player, stage = show(told)
    for reason, words in REASONS.items():
        again(stage, told, hand_end={**end, "reason": reason, "points": 6, "multiplier": 2})
        expect(player.by("hand-end-reason")).to_have_text(words)
        expect(player.by("hand-end")).to_contain_text("3 × 2 = 6 pontos para nós")
    expect(player.by("next-deal")).to_contain_text("Próxima mão em")
    hand = told["d"]["hand"]
    href = f"/partida/{TABLE}/1?mao={hand}"
    expect(player.by("replay-hand")).to_have_attribute("href", href)
    for seat, tiles in enumerate(end["hands"]):
        expect(player.by(f"open-hand-{seat}").locator(".tiles > *")).to_have_count(len(tiles))
    assert sum(map(len, end["hands"])) + len(told["d"]["chain"]) == AWAKE


def test_a_blocked_hand_shows_what_was_counted(show: Show) -> None:
    told = views.seen(views.game(views.hand_blocked), TABLE)
    end = told["d"]["hand_end"]
    player, _ = show(told, DESKTOP)
    expect(player.by("hand-end-reason")).to_have_text(REASONS["count"])
    for seat, tiles in enumerate(end["hands"]):
        counted = sum(map(sum, tiles))
        assert counted == end["counts"][seat]
        expect(player.by(f"open-hand-{seat}")).to_contain_text(f"soma {counted}")


def test_the_end_of_a_match_has_three_scenes(show: Show) -> None:
    told = views.seen(views.game(views.match_won), TABLE)
    end = {"team": 0, "scores": [6, 2]}
    told["d"]["match_end"] = end
    player, stage = show(told)
    expect(player.by("match-end-title")).to_have_text("Ganhamos!")
    expect(player.page.locator(".stamp")).to_have_count(0)
    again(stage, told, match_end={**end, "buchuda": True, "scores": [6, 0]})
    expect(player.page.locator(".stamp")).to_have_text("Buchuda!")
    expect(player.by("match-end")).to_contain_text("Eles não fizeram nem um ponto.")
    de_re = {**end, "buchuda_de_re": True, "scores": [6, 5]}
    again(stage, told, match_end=de_re)
    expect(player.page.locator(".stamp")).to_have_text("Buchuda de ré!")
    expect(player.by("match-end")).to_contain_text("6 a 5")


def test_from_the_end_of_a_match_one_goes_on_or_tells_others(show: Show) -> None:
    told = views.seen(views.game(views.match_won), TABLE)
    player, stage = show(told, DESKTOP)
    player.by("share-result").click()
    player.await_toast("Texto copiado")
    text = player.page.evaluate("navigator.clipboard.readText()")
    winners = list(views.NAMES.values())[::2]
    assert all(name in text for name in winners)
    assert text.endswith(f"/partida/{TABLE}/1")
    player.by("next-match").click()
    expect(player.by("next-match")).to_be_visible()
    assert "table.start" in stage.types()
    player.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    player.by("share-result").click()
    expect(player.page).to_have_url(re.compile(rf"/partida/{TABLE}/1\?mao=1$"))
