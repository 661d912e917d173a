"""What may go wrong on the way to a table or at one: it is said, and there is a way on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .page import Player
from .stage import ANNA, GUEST, TABLE, Answers, Stage

PHONE = (390, 844)
ADDRESS = f"/t/{TABLE}"
SIGNED_OUT, RESTART = 4001, 1012

Come = Callable[..., tuple[Player, Stage]]


@pytest.fixture
def come(alone: Visits) -> Come:
    """Somebody comes to a table of which the test tells."""

    def to(*frames: views.Frame, me: Answers = GUEST) -> tuple[Player, Stage]:
        player = alone.new(PHONE)
        stage = Stage(player.context, me, {})
        stage.on["watch"] = list(frames)
        return player, stage

    return to


def expect_another_table(player: Player, stage: Stage) -> None:
    """Instead of this table a new one is opened, with a chair to sit on."""
    player.by("open-another").click()
    expect(player.page).not_to_have_url(re.compile(TABLE))
    expect(player.page).to_have_url(re.compile("/t/[0-9A-Z]{26}$"))
    assert "table.create" in stage.types()


def test_a_full_table_says_so_and_another_is_offered(come: Come) -> None:
    player, stage = come(views.seen(views.lobby(4), TABLE, 4))
    player.open(ADDRESS)
    expect(player.by("table-full")).to_contain_text("Os quatro lugares estão ocupados")
    expect_another_table(player, stage)


def test_so_does_one_that_nobody_may_watch(come: Come) -> None:
    player, stage = come()
    stage.refused = {"watch": "NOT_SEATED", "table.sit": "TABLE_FULL"}
    player.open(ADDRESS)
    expect(player.by("open-another")).to_have_count(0)
    player.by("sit-any").click()
    player.await_toast("Os quatro lugares estão ocupados")
    expect_another_table(player, stage)


def test_a_dead_table_offers_another(come: Come) -> None:
    player, stage = come()
    stage.refused = {"watch": "UNKNOWN_TABLE"}
    player.open(ADDRESS)
    expect(player.by("go-home")).to_be_visible()
    expect_another_table(player, stage)


def test_who_is_signed_out_elsewhere_goes_on_as_a_guest_or_signs_in(come: Come) -> None:
    player, stage = come(views.seen(views.game(views.playing), TABLE), me=ANNA)
    player.page.route("**/auth/sign-in*", lambda route: route.fulfill(body="the provider"))
    player.open(ADDRESS)
    expect(player.by("hand")).to_be_visible()
    stage.close(SIGNED_OUT)
    expect(player.by("ended-signed_out")).to_contain_text("Sua entrada venceu")
    stage.closes = None
    player.by("ended-guest").click()
    expect(player.by("ended-signed_out")).to_have_count(0)
    expect(player.by("hand")).to_be_visible()
    stage.close(SIGNED_OUT)
    player.by("ended-action").click()
    player.page.wait_for_url(re.compile(rf"/auth/sign-in\?back={re.escape('%2Ft%2F')}{TABLE}$"))


def test_a_restart_is_announced_and_lived_through(come: Come) -> None:
    player, stage = come(views.seen(views.game(views.playing), TABLE))
    player.open(ADDRESS)
    expect(player.by("hand")).to_be_visible()
    held = player.tiles_in_hand()
    stage.tell({"t": "notice", "d": {"kind": "restarting"}})
    expect(player.by("banner-notice")).to_contain_text("O servidor vai reiniciar")
    stage.close(RESTART)
    expect(player.by("banner-down")).to_contain_text("Seu lugar está guardado")
    stage.closes = None
    expect(player.by("banner-down")).to_have_count(0)
    expect(player.by("banner-notice")).to_have_count(0)
    assert player.tiles_in_hand() == held
    assert player.asked() == "play"


def test_a_table_that_does_not_answer_is_waited_for(come: Come) -> None:
    player, stage = come(views.seen(views.game(views.playing), TABLE))
    player.open(ADDRESS)
    expect(player.by("hand")).to_be_visible()
    stage.tell({"t": "notice", "d": {"kind": "table_unreachable"}})
    expect(player.by("banner-notice")).to_contain_text("A mesa não responde")
    expect(player.page.locator(".own.locked")).to_be_visible()
    assert player.asked() == ""
    stage.tell({"t": "notice", "d": {"kind": "table_back"}})
    expect(player.by("banner-notice")).to_have_count(0)
    player.await_toast("A mesa voltou")
    assert player.asked() == "play"
