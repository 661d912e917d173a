"""Championships over real sockets and HTTP, by people who have signed in."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import httpx
import msgspec
from laelo.matchmaking.v1 import matchmaking_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.ids import new_id
from laelo_common.wire import championship as wire
from laelo_common.wire import http
from laelo_gateway.championships.assembly import Where
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.matchmaking import Matchmaker, matchmakers
from laelo_gateway.testing.tables import Replica, Table, World, replicas
from laelo_gateway.testing.tournament import SEED, Tournaments, drawn, tournaments

SOON = 2**50
NAMES = ("Ana Amada", "Beto Bravo", "Cida Calma", "Davi Doce")


class Town(NamedTuple):
    gateway: Gateway
    queue: Matchmaker
    cups: Tournaments
    tables: list[Replica]
    browsers: AsyncExitStack

    async def browser(self, name: str = "") -> Browser:
        """Somebody who has signed in and, if named, chosen a nickname."""
        browser = Browser(f"http://127.0.0.1:{self.gateway.port}")
        self.browsers.push_async_callback(browser.close)
        await browser.sign_in(f"subject of {name or 'nobody'}")
        if name:
            answer = await browser.send("/api/account/name", {"name": name})
            assert answer.status_code == 200, answer.text
        return browser

    async def window(self, browser: Browser) -> Player:
        player = await self.gateway.connect(additional_headers={"cookie": browser.cookie})
        welcome = await player.ask("hello", d={"proto": 1})
        player.me = welcome["d"]["me"]
        return player

    async def get(self, path: str, browser: Browser | None = None) -> httpx.Response:
        if browser is not None:
            return await browser.http.get(path)
        async with httpx.AsyncClient(trust_env=False) as stranger:
            return await stranger.get(f"http://127.0.0.1:{self.gateway.port}{path}")


@asynccontextmanager
async def town() -> AsyncIterator[Town]:
    async with (
        replicas(1) as tables,
        matchmakers() as queue,
        tournaments() as cups,
        gateway_of(
            [tables[0].address],
            where=Where((queue.replicas[0].address,), (cups.replicas[0].address,)),
        ) as gateway,
        AsyncExitStack() as browsers,
    ):
        parts = gateway.championships
        await eventually(lambda: parts.matchmaking.is_up and parts.tournament.is_live)
        yield Town(gateway, queue, cups, tables, browsers)


def official(world: World, name: str, players: list[str]) -> Table:
    """A championship's table as the table service has it: it knows who sits where."""
    table = world.tables[name] = Table(name)
    table.players = list(players)
    table.commit("open")
    return table


def of(kind: str):
    return lambda frame: frame["t"] == kind


async def test_from_the_queue_to_the_table_without_a_word_of_who_is_who() -> None:
    async with town() as all_:
        browsers = [await all_.browser(name) for name in NAMES]
        people = [await all_.window(browser) for browser in browsers]
        ids = [player.me["id"] for player in people]
        await eventually(lambda: all_.queue.replicas[0].here == set(ids))
        looker = await all_.gateway.join()
        await looker.ask("queue.watch")
        for place, player in enumerate(people):
            assert (await player.ask("queue.join"))["t"] == "ack"
            told = await player.next(lambda f: f["t"] == "queue" and "ahead" in f["d"])
            assert told["d"]["ahead"] == place
        all_.queue.take_out(ids, matchmaking_pb2.LEAVING_CALLED)
        cup = drawn(new_id(), [*ids, *(new_id() for _ in range(4))], SOON)
        name, match = cup.championship.id, cup.championship.matches[0]
        table = official(all_.tables[0].world, match.table, [ids[0], ids[2], ids[1], ids[3]])
        all_.cups.put(cup)
        assert (await looker.ask("bracket.watch", d={"championship": name}))["t"] == "ack"
        for place, player in enumerate(people):
            call = await player.next(of("called"))
            assert (call["d"]["match"], call["d"]["animal"]) == ("W1-1", f"animal-{place + 1}")
            await player.ask("watch", table=call["d"]["table"])
        await looker.ask("watch", table=match.table)
        for turn in range(4):
            sender = people[[0, 2, 1, 3][(table.seq + 1) % 4]]
            await sender.ask("say", table=match.table, d={"phrase": "hello"})
            play = {"tile": [turn, 6], "turn": 1, "fence": 1}
            await sender.ask("play", table=match.table, d=play)
        # Somebody's window closes and comes back: nothing tells whose.
        await people[3].socket.close()
        await people[0].ask("say", table=match.table, d={"phrase": "bye"})
        people[3] = await all_.window(browsers[3])
        assert (await people[3].next(of("called")))["d"]["seat"] == 3
        cup.decide("W1-1", 1)
        all_.cups.put(cup)
        version = cup.championship.version
        for player in (*people[:3], looker):
            await player.next(lambda f: f["t"] == "bracket" and f["d"]["version"] == version)
        for number, player in enumerate([*people, looker]):
            sent = json.dumps([frame for frame in player.frames if frame["t"] != "welcome"])
            for other, nickname in enumerate(NAMES):
                assert nickname not in sent, (number, other)
                assert ids[other] not in sent, (number, other)


async def test_a_table_to_which_one_is_called_is_not_unknown_but_not_there_yet() -> None:
    async with town() as all_:
        ana = await all_.window(await all_.browser(NAMES[0]))
        cup = drawn(new_id(), [ana.me["id"], *(new_id() for _ in range(7))], SOON)
        all_.cups.put(cup)
        table = (await ana.next(of("called")))["d"]["table"]
        assert (await ana.ask("watch", table=table))["d"]["code"] == "TRY_LATER"
        assert (await ana.ask("watch", table=new_id()))["d"]["code"] == "UNKNOWN_TABLE"
        official(all_.tables[0].world, table, [ana.me["id"], new_id(), new_id(), new_id()])
        assert (await ana.ask("watch", table=table))["t"] == "snapshot"


async def test_names_are_shown_to_all_when_a_team_is_out() -> None:
    async with town() as all_:
        browsers = [await all_.browser(name) for name in NAMES[:2]]
        people = [await all_.window(browser) for browser in browsers]
        looker = await all_.gateway.join()
        cup = drawn(new_id(), [*(p.me["id"] for p in people), *(new_id() for _ in range(6))], SOON)
        all_.cups.put(cup)
        await people[0].next(of("bracket"))
        await looker.ask("bracket.watch", d={"championship": cup.championship.id})
        cup.place(1, 4, 4)
        all_.cups.put(cup)
        for player in (*people, looker):
            frame = await player.next(lambda f: f["t"] == "bracket" and f["d"]["version"] == 2)
            assert frame["d"]["teams"][0]["names"] == list(NAMES[:2])
            assert ("mine" in frame["d"]) is (player is not looker)


async def test_nobody_seated_at_a_championship_table_is_known_to_spectators_or_rivals() -> None:
    """The hub's updates name who sits where, for the gateway alone: they never leave it."""
    async with town() as all_:
        browsers = [await all_.browser(name) for name in NAMES]
        people = [await all_.window(browser) for browser in browsers]
        ids = [player.me["id"] for player in people]
        table = official(all_.tables[0].world, new_id(), ids)
        looker = await all_.gateway.join()
        raw: list[str] = []
        for player in (*people, looker):
            await player.ask("watch", table=table.name)
        await looker.ask("sync", table=table.name, seq=1)
        await looker.ask("table.sit", table=table.name)
        await people[1].ask("table.leave", table=table.name)
        update = table.update()
        update.views.extend(table.events[table.seq])
        assert ids[0] in update.players
        all_.tables[0].push(update)
        await people[0].ask("say", table=table.name, d={"phrase": "hello"})
        for player in (*people, looker):
            mine = player.me["id"]
            sent = json.dumps([frame for frame in player.frames if frame["t"] != "welcome"])
            raw.append(sent)
            assert not any(other in sent for other in ids if other != mine)
            assert not any(nickname in sent for nickname in NAMES)
        assert all(raw)


# Over HTTP.


async def test_championships_are_listed_by_what_they_are() -> None:
    async with town() as all_:
        running, over, cancelled = (
            drawn(new_id(), [new_id() for _ in range(8)], t) for t in (90_000, 60_000, 70_000)
        )
        over.end(tournament_pb2.STAGE_OVER, 65_000)
        cancelled.end(tournament_pb2.STAGE_CANCELLED, 75_000)
        for cup in (over, running, cancelled):
            all_.cups.put(cup)
        answer = await all_.get("/api/championships")
        assert answer.headers["cache-control"] == "no-store"
        listed = msgspec.json.decode(answer.content, type=http.Championships)
        assert [(one.id, one.stage) for one in listed.running] == [
            (running.championship.id, "running")
        ]
        assert [(one.id, one.stage, one.ended) for one in listed.ended] == [
            (cancelled.championship.id, "cancelled", 75_000),
            (over.championship.id, "over", 65_000),
        ]


async def test_a_bracket_tells_who_one_is_to_oneself_alone() -> None:
    async with town() as all_:
        browser = await all_.browser(NAMES[0])
        me = (await all_.window(browser)).me["id"]
        cup = drawn(new_id(), [me, *(new_id() for _ in range(7))], SOON)
        all_.cups.put(cup)
        path = f"/api/brackets/{cup.championship.id}"
        own, others = await all_.get(path, browser), await all_.get(path)
        assert own.json().pop("mine") == {"team": 1, "animal": "animal-1"}
        assert "mine" not in others.json()
        assert me not in own.text + others.text
        assert own.headers["cache-control"] == "no-store"
        cup.end(tournament_pb2.STAGE_OVER, 9)
        all_.cups.put(cup)
        await eventually(lambda: not list(all_.gateway.championships.cups.running))
        shown = msgspec.json.decode((await all_.get(path)).content, type=wire.Bracket)
        assert (shown.seed, shown.stage, shown.drawn[0][0]) == (SEED.hex(), "over", me)
        for unknown in (f"/api/brackets/{new_id()}", "/api/brackets/x"):
            answer = await all_.get(unknown)
            assert (answer.status_code, answer.json()["code"]) == (404, "UNKNOWN_CHAMPIONSHIP")


async def test_the_ranking_has_names_and_ones_own_row() -> None:
    async with town() as all_:
        browser = await all_.browser(NAMES[0])
        me = (await all_.window(browser)).me["id"]
        row = tournament_pb2.Rank
        mine, erased = row(rank=2, player=me, points=4, championships=1), new_id()
        all_.cups.ranking.week = "2026-11-30"
        all_.cups.ranking.weeks.extend(["2026-11-30", "2026-11-23"])
        all_.cups.ranking.rows.extend([row(rank=1, player=erased, points=8, championships=2), mine])
        all_.cups.own[me] = mine
        own, others = [
            msgspec.json.decode((await all_.get("/api/ranking", b)).content, type=http.Ranking)
            for b in (browser, None)
        ]
        assert [(r.rank, r.name, r.points, r.own) for r in own.rows] == [
            (1, "", 8, False),
            (2, NAMES[0], 4, True),
        ]
        assert own.own == own.rows[1]
        assert (others.own, [r.own for r in others.rows]) == (None, [False, False])
        assert (own.week, own.weeks) == ("2026-11-30", ("2026-11-30", "2026-11-23"))
        for week in ("monday", "2026-99-99"):
            answer = await all_.get(f"/api/ranking?week={week}")
            assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")
        all_.gateway.people.is_away = True
        all_.gateway.championships.names.forget(me)
        assert (await all_.get("/api/ranking")).status_code == 503
        await eventually(lambda: all_.gateway.championships.tournament.is_live)


async def test_what_is_out_of_reach_is_said_and_tables_go_on(table_id: str) -> None:
    async with town() as all_:
        player = await all_.gateway.join()
        await player.ask("table.create", table=table_id)
        await all_.queue.replicas[0].stop()
        await all_.cups.replicas[0].stop()
        for path in ("/api/championships", f"/api/brackets/{new_id()}", "/api/ranking"):
            answer = await all_.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "TRY_LATER")
            assert answer.headers["retry-after"] == "5"
        assert (await player.ask("table.start", table=table_id))["t"] == "event"
    async with gateway_of([]) as gateway, httpx.AsyncClient(trust_env=False) as stranger:
        answer = await stranger.get(f"http://127.0.0.1:{gateway.port}/api/championships")
        assert (answer.status_code, answer.json()["code"]) == (503, "TRY_LATER")


async def test_an_account_is_kept_while_its_championship_needs_it() -> None:
    async with town() as all_:
        browser = await all_.browser(NAMES[0])
        me = (await all_.window(browser)).me["id"]
        cup = drawn(new_id(), [me, *(new_id() for _ in range(7))], SOON)
        all_.cups.put(cup)
        await eventually(lambda: len(all_.gateway.championships.cups))
        refused = await browser.send("/api/account", method="DELETE")
        assert (refused.status_code, refused.json()["code"]) == (409, "IN_CHAMPIONSHIP")
        cup.place(1, 4, 4)
        all_.cups.put(cup)
        parts = all_.gateway.championships
        await eventually(lambda: not next(iter(parts.cups)).is_in(me))
        address = f"/api/brackets/{cup.championship.id}"
        assert NAMES[0] in (await all_.get(address)).text
        assert (await browser.send("/api/account", method="DELETE")).status_code == 200
        assert NAMES[0] not in (await all_.get(address)).text
