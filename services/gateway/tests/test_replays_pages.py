"""Histories and replays over HTTP: whose they are, who may see them, and what is said if not."""

import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import httpx
import msgspec
import pytest
from laelo.archive.v1 import archive_pb2
from laelo_common.ids import new_id
from laelo_common.wire import replay as shapes
from laelo_gateway.replays.limits import HISTORIES, READS
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.archive import Shelf, archives
from laelo_gateway.testing.gateway import Gateway, eventually, gateway_of

from services.gateway.tests.replay_kit import FOUR, TABLE, friendly, official

MATCH = f"/api/replays/{TABLE}/1"


class Library(NamedTuple):
    gateway: Gateway
    shelf: Shelf
    http: httpx.AsyncClient

    async def get(self, path: str, token: str = "") -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return await self.http.get(path, headers=headers)

    async def guest(self) -> tuple[str, str]:
        """A guest's id and token."""
        me = (await self.gateway.join()).me
        return me["id"], me["token"]


@asynccontextmanager
async def library() -> AsyncIterator[Library]:
    async with archives() as shelf, AsyncExitStack() as stack:
        gateway = await stack.enter_async_context(gateway_of([], archives=[shelf.address]))
        await eventually(lambda: gateway.replays.archive.replicas)
        base = f"http://127.0.0.1:{gateway.port}"
        client = httpx.AsyncClient(trust_env=False, base_url=base)
        yield Library(gateway, shelf, await stack.enter_async_context(client))


def refused(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["reason"]
    return answer.status_code, answer.json()["code"]


async def test_a_guest_is_told_of_their_own_matches_only() -> None:
    async with library() as all_:
        me, token = await all_.guest()
        kept = friendly(3, (me, *FOUR[1:]), guests=True)
        all_.shelf.rows.rows.append(kept.row(me))
        all_.shelf.rows.next = "123-1-older"
        answer = await all_.get(f"/api/history?player={FOUR[1]}", token)
        found = msgspec.json.decode(answer.content, type=shapes.History)
        assert [(row.table, row.match) for row in found.rows] == [(TABLE, kept.match.match)]
        assert found.next == "123-1-older"
        (asked,) = all_.shelf.asked
        assert isinstance(asked, archive_pb2.HistoryRequest)
        assert (asked.player, asked.partner, asked.kind, asked.week) == (me, "", 0, "")


async def test_filters_are_passed_on() -> None:
    async with library() as all_:
        me, token = await all_.guest()
        query = f"partner={FOUR[2]}&kind=championship&week=2026-11-30&before=17-2-{TABLE}"
        assert (await all_.get(f"/api/history?{query}", token)).status_code == 200
        assert all_.shelf.asked == [
            archive_pb2.HistoryRequest(
                player=me,
                partner=FOUR[2],
                kind=archive_pb2.KIND_CHAMPIONSHIP,
                week="2026-11-30",
                before=f"17-2-{TABLE}",
                limit=20,
            )
        ]


@pytest.mark.parametrize(
    "query", ["kind=all", "partner=Ana", "week=now", "before=%00", f"before={'1' * 121}"]
)
async def test_odd_filters_are_refused_here(query: str) -> None:
    async with library() as all_:
        _, token = await all_.guest()
        assert refused(await all_.get(f"/api/history?{query}", token)) == (400, "BAD_REQUEST")
        assert all_.shelf.asked == []


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer nobody's", "Basic abc", "Bearer " + "x" * 200]
)
async def test_who_is_nobody_has_no_history(header: str) -> None:
    async with library() as all_:
        answer = await all_.http.get("/api/history", headers={"authorization": header})
        assert refused(answer) == (401, "SIGN_IN")
        assert (all_.shelf.asked, all_.gateway.people.people) == ([], {})


async def test_the_session_goes_before_a_token() -> None:
    async with library() as all_, AsyncExitStack() as stack:
        browser = Browser(str(all_.http.base_url))
        stack.push_async_callback(browser.close)
        await browser.sign_in("somebody")
        me, token = await all_.guest()
        headers = {"authorization": f"Bearer {token}", "cookie": browser.cookie}
        assert (await all_.http.get("/api/history", headers=headers)).status_code == 200
        assert (await all_.get("/api/history", token)).status_code == 200
        first, second = [asked.player for asked in all_.shelf.asked]
        assert (first != me, second) == (True, me)


async def test_anybody_may_read_a_match_that_could_be_watched() -> None:
    async with library() as all_:
        me, token = await all_.guest()
        kept = friendly(5)
        all_.shelf.matches[TABLE, 1] = kept.replay()
        for viewer in ("", token):
            answer = await all_.get(MATCH, viewer)
            found = msgspec.json.decode(answer.content, type=shapes.Replay)
            assert len(found.hands) == len(kept.hands)
        assert [asked.viewer for asked in all_.shelf.asked] == ["", me]


async def test_nicknames_come_from_the_accounts() -> None:
    async with library() as all_, AsyncExitStack() as stack:
        browser = Browser(str(all_.http.base_url))
        stack.push_async_callback(browser.close)
        await browser.sign_in("ana")
        await browser.send("/api/account/name", {"name": "Ana Amada"})
        await browser.http.get("/api/history")
        me = all_.shelf.asked[0].player
        kept = official(5, (me, *FOUR[1:]))
        all_.shelf.matches[TABLE, 1] = kept.replay("", {me})
        assert "Ana Amada" in (await all_.get(MATCH)).text
        all_.shelf.matches[TABLE, 1] = kept.replay(me)
        assert "Ana Amada" not in (await browser.http.get(MATCH)).text, "R40 has not come yet"


@pytest.mark.parametrize(
    "path", ["nothing/1", f"{TABLE}/0", f"{TABLE}/-1", f"{TABLE}/x", f"{TABLE}/2"]
)
async def test_what_is_no_match_is_unknown(path: str) -> None:
    async with library() as all_:
        all_.shelf.matches[TABLE, 1] = friendly(5).replay()
        assert refused(await all_.get(f"/api/replays/{path}")) == (404, "UNKNOWN_MATCH")


async def test_a_closed_table_is_for_those_who_sat_there() -> None:
    async with library() as all_:
        (me, token), (_, other) = await all_.guest(), await all_.guest()
        all_.shelf.matches[TABLE, 1] = friendly(5).replay()
        all_.shelf.closed_to[TABLE, 1] = {me}
        assert (await all_.get(MATCH, token)).status_code == 200
        for nobody in (other, ""):
            assert refused(await all_.get(MATCH, nobody)) == (403, "NOT_SEATED")


async def test_while_nobody_can_say_who_asks_open_matches_can_be_read() -> None:
    async with library() as all_:
        all_.shelf.matches[TABLE, 1] = friendly(5).replay()
        all_.gateway.people.is_away = True
        assert (await all_.get(MATCH, "a token")).status_code == 200
        assert refused(await all_.get("/api/history", "a token")) == (503, "TRY_LATER")
        all_.shelf.closed_to[TABLE, 1] = {FOUR[0]}
        assert refused(await all_.get(MATCH, "a token")) == (503, "TRY_LATER")


async def test_a_hand_that_is_not_there_yet_is_waited_for() -> None:
    async with library() as all_:
        going_on = friendly(5).replay()
        over = archive_pb2.ReplayResponse()
        over.CopyFrom(going_on)
        going_on.ended_ms, over.ended_ms = 0, 1_700_000_000_000
        count = len(over.hands)
        all_.shelf.matches[TABLE, 1] = going_on
        assert (await all_.get(f"{MATCH}?hand={count}")).status_code == 200
        late = await all_.get(f"{MATCH}?hand={count + 1}")
        assert refused(late) == (503, "TRY_LATER")
        assert late.headers["retry-after"] == "2"
        assert refused(await all_.get(f"{MATCH}?hand=first")) == (400, "BAD_REQUEST")
        all_.shelf.matches[TABLE, 1] = over
        assert (await all_.get(f"{MATCH}?hand={count + 1}")).status_code == 200


async def test_without_an_archive_it_is_said_that_it_is_out_of_reach() -> None:
    async with library() as all_:
        _, token = await all_.guest()
        all_.shelf.is_away = True
        for path in ("/api/history", MATCH):
            assert refused(await all_.get(path, token)) == (503, "TRY_LATER")
    async with gateway_of([]) as gateway, httpx.AsyncClient(trust_env=False) as stranger:
        answer = await stranger.get(f"http://127.0.0.1:{gateway.port}{MATCH}")
        assert refused(answer) == (503, "TRY_LATER")


async def asked_until_refused(all_: Library, path: str, **headers: str) -> int:
    """How often a path was answered before it was too often."""
    for number in itertools.count():
        answer = await all_.http.get(path, headers=headers)
        if answer.status_code == 429:
            assert refused(answer) == (429, "TOO_FAST")
            assert answer.headers["retry-after"] == "2"
            return number
    raise AssertionError


async def test_no_person_asks_without_end() -> None:
    async with library() as all_:
        _, token = await all_.guest()
        answered = await asked_until_refused(all_, "/api/history", authorization=f"Bearer {token}")
        assert answered >= HISTORIES[1]
        _, other = await all_.guest()
        assert (await all_.get("/api/history", other)).status_code == 200


async def test_no_address_asks_without_end() -> None:
    async with library() as all_:
        path = f"/api/replays/{new_id()}/1"
        address = {"x-forwarded-for": "192.0.2.7"}
        assert await asked_until_refused(all_, path, **address) >= READS[1]
        assert (await all_.get(path)).status_code == 404
