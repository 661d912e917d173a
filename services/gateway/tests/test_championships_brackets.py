"""Brackets and calls: who is told what, when, and what nobody can conclude from it (R40)."""

import asyncio
import logging
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.tournament.v1 import tournament_pb2
from laelo_common.ids import new_id
from laelo_common.wire import client
from laelo_gateway.championships import brackets, cups, hall, limits
from laelo_gateway.championships.assembly import Championships, Where
from laelo_gateway.counts import Counts
from laelo_gateway.testing.matchmaking import matchmakers
from laelo_gateway.testing.tournament import SEED, Told, drawn, tournaments

from .championship_kit import KnownNames, Window, asked, guest, hall_of, member, until

SOON = 2**50


def bracket_watch(name: str, re: str = "w") -> client.BracketWatchFrame:
    return client.BracketWatchFrame(re, client.BracketPart(name))


def is_shown(window: Window, stage: str) -> bool:
    return bool(window.of("bracket")[-1]["stage"] == stage)


def players_with(*windows: Window, size: int = 8) -> list[str]:
    known = [window.sender.person.id for window in windows]
    return [*known, *(f"nobody-{number}" for number in range(size - len(known)))]


async def test_all_windows_of_a_person_are_called_once_for_each_match() -> None:
    async with matchmakers() as queue, tournaments() as world, hall_of(queue, world) as parts:
        ana, bea = member(), member("Bea")
        again = member(player=ana.sender.person.id)
        for window in (ana, again, bea):
            parts.hall.come(window)
        told = drawn(new_id(), players_with(ana, bea), SOON)
        world.put(told)
        await until(lambda: ana.of("bracket") and again.of("bracket") and bea.of("bracket"))
        for window in (ana, again):
            (call,) = window.of("called")
            assert (call["match"], call["seat"], call["animal"]) == ("W1-1", 0, "animal-1")
            assert call["table"] == told.championship.matches[0].table
            assert window.of("bracket")[-1]["mine"] == {"team": 1, "animal": "animal-1"}
        assert bea.of("called")[0]["animal"] == "animal-2"
        # The next version calls nobody anew, the next match does.
        told.decide("W1-1", 1)
        world.put(told)
        told.call("W2-1", (1, 3), SOON)
        world.put(told)
        await until(lambda: len(again.of("called")) == 2)
        assert [call["match"] for call in again.of("called")] == ["W1-1", "W2-1"]


async def test_who_comes_later_is_called_as_long_as_the_match_is_to_be_played() -> None:
    async with matchmakers() as queue, tournaments() as world, hall_of(queue, world) as parts:
        ana = member()
        told = drawn(new_id(), players_with(ana), 1)
        world.put(told)
        await until(lambda: len(parts.cups))
        parts.hall.come(ana)
        assert ana.of("called")[0]["ms"] == 0
        assert ana.of("bracket")[0]["mine"]["team"] == 1
        told.decide("W1-1", 2)
        world.put(told)
        await until(lambda: ana.of("bracket")[-1]["version"] == told.championship.version)
        late = member(player=ana.sender.person.id)
        parts.hall.come(late)
        assert not late.of("called")
        assert late.of("bracket")
        told.place(1, 4, 4)
        world.put(told)
        await until(lambda: late.of("bracket")[-1]["version"] == told.championship.version)
        out = member(player=ana.sender.person.id)
        parts.hall.come(out)
        assert not out.frames


async def test_watchers_see_names_when_a_team_is_placed_and_not_before() -> None:
    names = KnownNames()
    async with (
        matchmakers() as queue,
        tournaments() as world,
        hall_of(queue, world, names) as parts,
    ):
        looker, ana = guest(), member()
        players = players_with(ana)
        names.known = {player: f"nick {player}" for player in players[:2]}
        parts.hall.come(looker)
        parts.hall.come(ana)
        told = drawn(new_id(), players, SOON)
        name = told.championship.id
        world.put(told)
        await until(lambda: len(parts.cups))
        answer = await asked(parts, looker, bracket_watch(name))
        assert answer == {"t": "ack", "re": "w"}
        assert looker.frames[1]["t"] == "bracket"
        assert "mine" not in looker.of("bracket")[0]
        assert names.asked == 0
        told.place(1, 4, 4, points=3)
        told.place(2, 3, 3)
        world.put(told)
        await until(lambda: looker.of("bracket")[-1]["version"] == told.championship.version)
        first, second, third, _ = looker.of("bracket")[-1]["teams"]
        assert first["names"] == [f"nick {players[0]}", f"nick {players[1]}"]
        assert (first["place"], first["points"]) == ([4, 4], 3)
        assert second["names"] == ["", ""]
        assert "names" not in third
        await asked(parts, looker, client.BracketUnwatchFrame("u", client.BracketPart(name)))
        before = len(looker.of("bracket"))
        told.place(3, 2, 2)
        world.put(told)
        await until(lambda: ana.of("bracket")[-1]["version"] == told.championship.version)
        assert len(looker.of("bracket")) == before


async def test_names_that_cannot_be_had_now_are_told_later() -> None:
    names = KnownNames()
    async with (
        matchmakers() as queue,
        tournaments() as world,
        hall_of(queue, world, names) as parts,
    ):
        looker = guest()
        parts.hall.come(looker)
        told = drawn(new_id(), players_with(), SOON)
        names.known = {"nobody-0": "Ana", "nobody-1": "Bea"}
        names.is_away = True
        told.place(1, 4, 4)
        world.put(told)
        await until(lambda: len(parts.cups))
        await asked(parts, looker, bracket_watch(told.championship.id))
        await until(lambda: looker.of("bracket"))
        assert "names" not in looker.of("bracket")[-1]["teams"][0]
        assert looker.of("bracket")[-1]["teams"][0]["place"] == [4, 4]
        names.is_away = False
        await until(lambda: looker.of("bracket")[-1]["teams"][0].get("names") == ["Ana", "Bea"])


async def test_the_end_is_told_to_all_with_seed_and_ids() -> None:
    async with matchmakers() as queue, tournaments() as world, hall_of(queue, world) as parts:
        ana, looker = member(), guest()
        parts.hall.come(ana)
        parts.hall.come(looker)
        told = drawn(new_id(), players_with(ana), SOON)
        world.put(told)
        await until(lambda: len(parts.cups))
        await asked(parts, looker, bracket_watch(told.championship.id))
        told.end(tournament_pb2.STAGE_CANCELLED, 7, "no light")
        world.put(told)
        for window in (ana, looker):
            await until(partial(is_shown, window, "cancelled"))
            last = window.of("bracket")[-1]
            assert (last["seed"], last["reason"], last["ended"]) == (SEED.hex(), "no light", 7)
            assert last["drawn"][0] == [ana.sender.person.id, "nobody-0"]
        # Who was away is told it too, when they come back soon.
        back = member(player=ana.sender.person.id)
        parts.hall.come(back)
        assert back.of("bracket")[0]["reason"] == "no light"
        assert not back.of("called")


async def test_one_that_ended_long_ago_is_asked_for_and_an_unknown_one_is_refused() -> None:
    async with matchmakers() as queue, tournaments() as world, hall_of(queue, world) as parts:
        ana = member()
        told = drawn(new_id(), players_with(ana), 1)
        told.end(tournament_pb2.STAGE_OVER, 7)
        world.all[told.championship.id] = told
        parts.hall.come(ana)
        assert (await asked(parts, ana, bracket_watch(told.championship.id)))["t"] == "ack"
        await until(lambda: ana.of("bracket"))
        assert ana.of("bracket")[0]["mine"] == {"team": 1, "animal": "animal-1"}
        answer = await asked(parts, ana, bracket_watch(new_id(), "x"))
        assert answer["d"]["code"] == "UNKNOWN_CHAMPIONSHIP"
        codes = set()
        for number in range(int(limits.LOOKS[1]) + 5):
            answer = await asked(parts, ana, bracket_watch(new_id(), f"x{number}"))
            codes.add(answer["d"]["code"])
        assert codes == {"UNKNOWN_CHAMPIONSHIP", "TOO_FAST"}


async def test_a_connection_looks_at_so_many_and_its_end_lets_go_of_all() -> None:
    async with matchmakers() as queue, tournaments() as world, hall_of(queue, world) as parts:
        looker = guest()
        parts.hall.come(looker)
        names = []
        for _ in range(hall.MAX_BRACKETS + 1):
            told = drawn(new_id(), players_with(), SOON)
            world.put(told)
            names.append(told.championship.id)
        await until(lambda: len(parts.cups) == len(names))
        for name in names[:-1]:
            assert (await asked(parts, looker, bracket_watch(name, name)))["t"] == "ack"
        answer = await asked(parts, looker, bracket_watch(names[-1]))
        assert answer["d"]["code"] == "BAD_REQUEST"
        assert (await asked(parts, looker, bracket_watch(names[0], "same")))["t"] == "ack"
        parts.hall.go(looker)
        assert parts.brackets.watched(looker) == set()
        late = guest()
        assert (await asked(parts, late, bracket_watch(names[-1]))) == {}
        assert parts.brackets.watched(late) == set()


def test_of_those_that_ended_only_the_last_ones_are_kept_and_not_for_long() -> None:
    now = [0.0]
    kept = cups.Cups(lambda: now[0])
    running = drawn(new_id(), players_with(), 1)
    kept.take(*running)
    for _ in range(3 * cups.MAX_ENDED):
        told = drawn(new_id(), players_with(), 1)
        told.end(tournament_pb2.STAGE_OVER, 7)
        kept.take(*told)
    assert len(kept) == cups.MAX_ENDED + 1
    now[0] = cups.ENDED_SECONDS - 1
    asked_for = kept.find(told.championship.id)
    now[0] += 2
    kept.forget_old()
    assert list(kept) == [kept.find(running.championship.id), asked_for]


async def history(told: Told, order: list[int], windows: list[Window]) -> None:
    """A championship from the draw to two placed teams, as these windows see it."""
    names = KnownNames()
    names.known = {entry.player: f"nick {entry.player}" for entry in told.entries}
    parts = Championships(Where(), names, Counts())
    for index in order:
        parts.hall.come(windows[index])
    told.entries.sort(key=lambda entry: entry.player)
    parts.brackets.take(*told)
    cup = next(iter(parts.cups))
    parts.brackets.watch(cup, windows[-1])
    for step in range(4):
        copied = tournament_pb2.Championship()
        copied.CopyFrom(told.championship)
        told = Told(copied, told.entries)
        match step:
            case 0:
                told.decide("W1-1", 1)
            case 1:
                told.call("W2-1", (1, 3), SOON)
            case 2:
                told.place(2, 4, 4)
            case 3:
                told.place(1, 3, 3)
        parts.brackets.take(*told)
        await until(lambda: not cup.dirty)
    parts.hall.come(Window(windows[0].sender.person))
    await parts.close()


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(4, 8)), st.permutations(range(9)))
def test_who_the_hidden_players_are_changes_neither_bytes_nor_order_for_anybody_else(
    hidden: list[int], order: list[int]
) -> None:
    """Teams 3 and 4 are never placed: to all others it is the same whoever they are."""
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "_now", lambda: 1_700_000_000_000)
        for mixed in (list(range(4, 8)), hidden):
            windows = [member(f"P{n}", player=f"player-{n}") for n in range(8)] + [guest()]
            players = [f"player-{n}" for n in [0, 1, 2, 3, *mixed]]
            told = drawn("01HF7YAT00CHAMP10NSH1P0000", players, SOON)
            asyncio.run(history(told, order, windows))
            others = [*windows[:4], windows[8]]
            seen.append([window.texts for window in others])
            for window in others:
                sent = b"".join(window.texts)
                assert sent
                assert not any(f"player-{n}".encode() in sent for n in range(4, 8))
    assert seen[0] == seen[1]


async def test_nothing_at_info_tells_who_is_who(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        async with matchmakers() as queue, tournaments() as world, hall_of(queue, world) as parts:
            ana = member("Ana Secreta")
            player = ana.sender.person.id
            parts.hall.come(ana)
            await asked(parts, ana, client.QueueJoinFrame("j"))
            told = drawn(new_id(), players_with(ana), SOON)
            world.put(told)
            await until(lambda: ana.of("called"))
            await world.replicas[0].stop()
            await queue.replicas[0].stop()
            await until(lambda: not parts.tournament.is_live and not parts.matchmaking.is_up)
            await asked(parts, ana, client.QueueLeaveFrame("l"))
    assert player not in caplog.text
    assert "Ana Secreta" not in caplog.text
    assert "animal-" not in caplog.text
