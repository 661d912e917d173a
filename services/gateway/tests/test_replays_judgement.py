"""What is thought of the play in a match over HTTP: who may ask, and what is told to whom."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from laelo.archive.v1 import archive_pb2
from laelo.bots.v1 import bots_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.wire import replay as shapes
from laelo_gateway.replays.domain import judged
from laelo_gateway.replays.limits import JUDGEMENTS

from services.gateway.tests.replay_kit import FOUR, TABLE
from services.gateway.tests.test_replays_pages import MATCH, library, refused

PATH = f"{MATCH}/judgement"
ANIMALS = ("aratu", "arraia", "asa-branca", "bem-te-vi")
VERDICT = archive_pb2.Verdict(
    hand=2, turn=7, seat=3, word=bots_pb2.WORD_MISTAKE, best_tile=27, best_end=rules_pb2.END_RIGHT,
    equity_best=0.51239, equity_played=0.25, points_best=1.5, points_played=-0.5,
    standard_error=0.03126, worlds=4000,
)  # fmt: skip


def answer(*who: archive_pb2.Seat) -> archive_pb2.JudgementResponse:
    accuracies = [
        archive_pb2.Accuracy(seat=seat, who=one, choices=10, good=8, equity_lost=0.125)
        for seat, one in enumerate(who)
    ]
    return archive_pb2.JudgementResponse(choices=3, verdicts=[VERDICT], accuracies=accuracies)


def test_a_verdict_is_told_in_words_and_numbers() -> None:
    (verdict,) = judged.judgement(answer(), "", {}).verdicts
    assert verdict == shapes.Verdict(
        hand=2, move=7, word="mistake", best=(6, 6), end="right", equity=(0.5124, 0.25),
        points=(1.5, -0.5), error=0.0313, worlds=4000,
    )  # fmt: skip


@given(viewer=st.sampled_from((*FOUR, "")), named=st.sets(st.sampled_from(FOUR)))
def test_names_are_those_of_the_replay(viewer: str, named: set[str]) -> None:
    """R40: an animal has a name beside it if the archive tells who it is, but never one's own."""
    told = answer(
        *(
            archive_pb2.Seat(player=one if one in {*named, viewer} else "", animal=animal)
            for one, animal in zip(FOUR, ANIMALS, strict=True)
        )
    )
    names = {one: f"name of {one}" for one in FOUR}
    assert judged.wanted(told) == {one for one in FOUR if one in {*named, viewer}}
    for one, shown in zip(FOUR, judged.judgement(told, viewer, names).accuracies, strict=True):
        assert shown.who.animal
        assert bool(shown.who.name) == (one in named - {viewer})


def test_guests_and_bots_are_shown_as_such() -> None:
    guest = archive_pb2.Seat(player=FOUR[0], name="Bia", guest=True)
    shown = judged.judgement(
        answer(guest, archive_pb2.Seat(level=table_pb2.BOT_LEVEL_SIMPLE)), FOUR[0], {}
    ).accuracies
    assert [(one.who.kind, one.who.name, one.who.level) for one in shown] == [
        ("person", "Bia", None),
        ("bot", "", "simple"),
    ]


async def test_it_is_read_by_get_and_wanted_by_post() -> None:
    async with library() as all_:
        me, token = await all_.guest()
        all_.shelf.judgements[TABLE, 1] = answer()
        found = msgspec.json.decode((await all_.get(PATH)).content, type=shapes.Judgement)
        assert (found.choices, len(found.verdicts)) == (3, 1)
        headers = {"authorization": f"Bearer {token}"}
        assert (await all_.http.post(PATH, headers=headers)).status_code == 200
        assert [(one.start, one.viewer) for one in all_.shelf.judged] == [(False, ""), (True, me)]


async def test_what_cannot_be_judged_now_is_asked_for_later() -> None:
    async with library() as all_:
        assert refused(await all_.http.post(PATH)) == (503, "TRY_LATER")
        path = "/api/replays/nothing/1/judgement"
        assert refused(await all_.http.post(path)) == (404, "UNKNOWN_MATCH")
        assert len(all_.shelf.judged) == 1


async def test_one_address_has_so_many_matches_judged() -> None:
    async with library() as all_:
        all_.shelf.judgements[TABLE, 1] = answer()
        last = None
        for _ in range(int(JUDGEMENTS[1]) + 20):
            last = await all_.http.post(PATH)
            if last.status_code != 200:
                break
        assert last is not None
        assert refused(last) == (429, "TOO_FAST")
        assert (await all_.get(PATH)).status_code == 200


async def test_nothing_else_can_be_done_to_it() -> None:
    async with library() as all_:
        for method in ("PUT", "DELETE"):
            assert (await all_.http.request(method, PATH)).status_code == 405
